import { Component, type ReactNode } from 'react';
import { isNetworkError, sentenceOf } from '../api/sentences.js';
import { queryClient } from '../api/query-client.js';

interface Properties {
  readonly children: ReactNode;
  /** The page: failures of other pages do not concern it. */
  readonly page?: string;
}

/** Says what went wrong where a page cannot be shown, and tries again. */
export class PageFailure extends Component<Properties, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidUpdate(before: Properties): void {
    if (before.page !== this.props.page && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="notice">
        <h1>This page cannot be shown</h1>
        <p role="alert">
          {isNetworkError(error) ? 'There is no connection to the service.' : sentenceOf(error)}
        </p>
        <button
          type="button"
          className="button"
          onClick={() => {
            void queryClient.resetQueries({ predicate: query => query.state.status === 'error' });
            this.setState({ error: undefined });
          }}
        >
          Try again
        </button>
      </div>
    );
  }
}
