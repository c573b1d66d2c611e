// What crosses between `StorageThread` and its program.
import type { EventTexts } from '../event-store/event-store.js';
import type { Stored } from './connection.js';

/** One statement, run for each row of values. */
export interface Run {
  readonly sql: string;
  /** How many values a row has; a statement without any runs once. */
  readonly width: number;
  /** The rows one behind the other. */
  readonly values: readonly Stored[];
}

/** Events for a stream, decided as `EventStore` says; without any, its deletion. */
export interface Append {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly { readonly id: string; readonly type: string }[];
  /** JSON of the events, in their order. */
  readonly texts: readonly EventTexts[];
}

/** What is written together or not at all: first the events, then the statements. */
export interface Job {
  readonly append: Append | null;
  readonly runs: readonly Run[];
  /** Empties the log afterwards, in which what was removed from the file is still to be found. */
  readonly truncates?: true;
}

export type Outcome =
  /**
   * `position` of the last event that was appended; `changes`: rows that each run wrote; `truncated`: whether the log was
   * emptied.
   */
  | {
      readonly kind: 'written';
      readonly position: number;
      readonly changes: readonly number[];
      readonly truncated?: boolean;
    }
  | { readonly kind: 'wrong-revision'; readonly actual: number }
  | { readonly kind: 'deleted' }
  /** A unique index holds the values already. `columns` as SQLite names them. */
  | { readonly kind: 'duplicate'; readonly columns: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly code: number | undefined }
  | { readonly kind: 'bug'; readonly message: string; readonly stack: string | undefined };
