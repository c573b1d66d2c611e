/** What the bench uses of autocannon, which comes without types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  /** A request as it is sent; `setupRequest` is called anew for every one. */
  export interface Request {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly setupRequest?: (request: Request) => Request;
  }

  export interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    /** Milliseconds between two looks at the clock. */
    readonly sampleInt: number;
    readonly requests: readonly Request[];
  }

  export interface Result {
    /** Seconds. */
    readonly duration: number;
    readonly '2xx': number;
    readonly non2xx: number;
    /** Connections that failed, and time-outs. */
    readonly errors: number;
  }

  /** Emits `response` with the client, the status, the bytes and the milliseconds that it took. */
  export type Run = EventEmitter & PromiseLike<Result>;

  export default function autocannon(options: Options): Run;
}
