import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What a span says besides its name: names that the program chose, ids of its own, counts. Never a text that a user
 * wrote, an address, a search, or a secret.
 */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** Tells a collector what took how long. Nothing of it throws, and none of it waits for the collector. */
export interface Tracing {
  /** Runs everything that answers a request below one span; health and metrics are left out. */
  request(request: FastifyRequest, reply: FastifyReply, next: () => void): void;

  /** Runs work below the span that is under way; where none is, only runs it. */
  child<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;

  /** `child` for what comes in pages; the span ends with the last one that is taken. */
  childPages<T>(name: string, attributes: SpanAttributes, pages: AsyncIterable<T>): AsyncIterable<T>;

  /** Runs work that no request asked for, below a span of its own. */
  root<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;

  /** Sends what is gathered, for a bounded time. */
  stop(): Promise<void>;
}
