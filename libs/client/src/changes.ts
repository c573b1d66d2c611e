import type { Client } from 'openapi-fetch';
import { eventStreamParser } from './event-stream.js';
import type { components, paths } from './generated.js';
import { LedgerError } from './ledger-error.js';
import { pause } from './retry.js';

type ToldChange = components['schemas']['Change'];

/** What one command changed, and the revision that the household has by it. */
export type Change = ToldChange & { readonly revision: number };

export interface ChangesOptions {
  /** Begins with what was recorded after this revision, −1 for everything; otherwise with what is recorded from now on. */
  readonly after?: number;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** Told when the stream is connected, and when it is lost: everything is known up to the last change in either case. */
  readonly onConnection?: (isConnected: boolean) => void;
}

/** The service sends something every 15 seconds: a connection that is silent for longer than this one is lost. */
const SILENT_MS = 40_000;
/** How long to wait before the next attempt, in milliseconds: longer with each one in vain. */
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;

/**
 * The changes of the household as they happen. After a lost connection it goes on behind the last change, without loss
 * and without end.
 * @throws LedgerError where access is lost, or the request is refused for good
 */
export async function* changesOf(
  client: Client<paths>,
  { after, signal, onConnection }: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  let last = after === undefined ? null : String(after);
  let attempts = 0;
  for (;;) {
    if (signal?.aborted) return;
    attempts += 1;
    let isConnected = false;
    try {
      for await (const { id, data } of connect(client, last, signal)) {
        if (!isConnected) onConnection?.(true);
        isConnected = true;
        attempts = 0;
        last = id ?? last;
        if (data !== undefined) yield { ...(JSON.parse(data) as ToldChange), revision: Number(last) };
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof LedgerError && isForGood(error)) throw error;
    }
    if (isConnected) onConnection?.(false);
    const pauseMs = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** attempts);
    // Clients that were cut off together do not come back together.
    await pause(pauseMs * (0.5 + Math.random()), signal).catch(() => undefined);
  }
}

/** The blocks of one connection. */
async function* connect(client: Client<paths>, last: string | null, signal: AbortSignal | undefined) {
  const silence = new AbortController();
  const both = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
  let timer = setTimeout(() => silence.abort(), SILENT_MS);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENT_MS);
  };
  try {
    const { data, error, response } = await client.GET('/changes', {
      parseAs: 'stream',
      headers: last === null ? {} : { 'Last-Event-ID': last },
      signal: both,
    });
    if (!response.ok || !data) throw LedgerError.of(response, error);
    const parse = eventStreamParser();
    const decoder = new TextDecoder();
    const reader = (data as ReadableStream<Uint8Array>).getReader();
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        heard();
        yield* parse(decoder.decode(read.value, { stream: true }));
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the same request would be refused again. */
function isForGood({ status }: LedgerError): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
