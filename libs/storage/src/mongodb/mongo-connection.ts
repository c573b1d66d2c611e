import { setTimeout as pause } from 'node:timers/promises';
import {
  MongoClient,
  ReadConcern,
  ReadPreference,
  type CommandOperationOptions,
  type Db,
  type MongoClientOptions,
} from 'mongodb';
import { backoffMs, jittered } from '#concurrency/backoff';
import { NoAnswer, within } from '#concurrency/within';
import { DocumentsUnavailable } from '../documents/documents.js';
import { isPassing, portError } from './failures.js';
import { StoreUrlError } from '../store-url-error.js';
import { parseMongoUrl } from './mongo-url.js';

/** Within this time every operation on single documents is answered, or fails. */
export const OPERATION_DEADLINE_MS = 5_000;
/** The same for operations that may walk a whole household: searches and counts. */
export const SEARCH_DEADLINE_MS = 15_000;
/** The same for making the indexes of a collection that holds documents already. */
export const INDEX_DEADLINE_MS = 600_000;
/** Once no server has been there for `OPERATION_DEADLINE_MS`, an operation waits only this long for one. */
const AWAY_DEADLINE_MS = 500;
/** How long one attempt looks for a server that takes it. */
const SELECTION_MS = 2_000;
const CONNECT_MS = 2_000;
/** A server that is silent for this and `CONNECT_MS` is given up, with every operation on it. */
const HEARTBEAT_MS = 1_000;
const CONNECTIONS_MAX = 64;
const PAUSE_FIRST_MS = 25;
const PAUSE_MAX_MS = 400;

/**
 * What holds for every operation, whatever the URL says. The driver's own `timeoutMS` has no effect in 7.9, so
 * that deadlines are kept here.
 */
const CLIENT_OPTIONS: MongoClientOptions = {
  appName: 'household-ledger',
  retryReads: true,
  retryWrites: true,
  serverSelectionTimeoutMS: SELECTION_MS,
  connectTimeoutMS: CONNECT_MS,
  heartbeatFrequencyMS: HEARTBEAT_MS,
  waitQueueTimeoutMS: OPERATION_DEADLINE_MS,
  socketTimeoutMS: 0,
  maxPoolSize: CONNECTIONS_MAX,
  ignoreUndefined: true,
  monitorCommands: false,
};

/**
 * A write is answered when a majority has it in its journal; on a standalone server, when that has. It is given
 * up where no majority comes.
 */
export const WRITE_CONCERN = { w: 'majority', j: true, wtimeout: OPERATION_DEADLINE_MS } as const;

/** One of the attempts to carry out an operation. */
export interface Attempt {
  /**
   * For every operation of the driver: a signal that is aborted at the deadline, and frees the connection. The
   * driver heeds it for writes as well, and declares it for reads only.
   */
  readonly options: { readonly signal: AbortSignal } & Pick<CommandOperationOptions, 'comment'>;
  /** Whether an earlier attempt failed, which may have been carried out all the same, or be carried out yet. */
  readonly repeated: boolean;
}

/** The connections to one database, and the deadlines and repetitions of what is done there. */
export class MongoConnection {
  /** Hosts and ports, for sentences. */
  readonly where: string;
  readonly db: Db;
  private readonly client: MongoClient;
  private readonly running = new Set<Promise<unknown>>();
  private connected: Promise<unknown> | undefined;
  private awaySince: number | null = null;
  private closing: Promise<void> | undefined;

  /** Connects with the first operation, and again whenever connections break. @throws StoreUrlError */
  constructor(url: string) {
    const address = parseMongoUrl(url);
    this.where = address.where;
    try {
      this.client = new MongoClient(url, CLIENT_OPTIONS);
    } catch (error) {
      throw new StoreUrlError(refusedOptions(error, address.optionNames));
    }
    this.client.on('topologyDescriptionChanged', ({ newDescription }) => {
      const isServed = [...newDescription.servers.values()].some(({ isWritable }) => isWritable);
      this.awaySince = isServed ? null : (this.awaySince ?? performance.now());
    });
    this.db = this.client.db(address.database, {
      readPreference: ReadPreference.primary,
      readConcern: new ReadConcern('majority'),
      writeConcern: { w: WRITE_CONCERN.w, journal: true, wtimeoutMS: WRITE_CONCERN.wtimeout },
    });
  }

  /**
   * Carries out an operation: passing failures, such as those of a primary that steps down, are waited out by
   * trying again. What it does after the deadline is ignored.
   * @throws DocumentsUnavailable, or what the work throws
   */
  async run<R>(
    work: (attempt: Attempt) => Promise<R>,
    deadlineMs: number = OPERATION_DEADLINE_MS,
  ): Promise<R> {
    if (this.closing !== undefined) throw new DocumentsUnavailable('The documents store is closed.');
    const result = this.runUntil(work, this.patience(deadlineMs));
    this.running.add(result);
    try {
      return await result;
    } finally {
      this.running.delete(result);
    }
  }

  /** Waits for what is going on, which its deadlines end. */
  close(): Promise<void> {
    this.closing ??= (async () => {
      await Promise.allSettled(this.running);
      await this.client.close();
    })();
    return this.closing;
  }

  private async runUntil<R>(work: (attempt: Attempt) => Promise<R>, deadlineMs: number): Promise<R> {
    const deadline = new AbortController();
    const failure: { last?: unknown } = {};
    try {
      return await within(this.attempts(work, deadline.signal, failure), deadlineMs, () => {
        const noAnswer = new NoAnswer();
        deadline.abort(noAnswer);
        throw noAnswer;
      });
    } catch (error) {
      throw portError(error, this.where, failure.last);
    }
  }

  /** @param failure is told why the last finished attempt failed */
  private async attempts<R>(
    work: (attempt: Attempt) => Promise<R>,
    signal: AbortSignal,
    failure: { last?: unknown },
  ): Promise<R> {
    let failingSince: number | undefined;
    for (let failures = 1; ; failures += 1) {
      try {
        await this.connect();
        return await work({ options: { signal }, repeated: failures > 1 });
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw error;
        failure.last = error;
        failingSince ??= performance.now();
        if (performance.now() - failingSince > OPERATION_DEADLINE_MS) throw error;
      }
      await pause(jittered(backoffMs(failures, PAUSE_FIRST_MS, PAUSE_MAX_MS)), undefined, { signal });
    }
  }

  /** The driver recovers connections by itself, but never from a failure to make the first. */
  private async connect(): Promise<void> {
    const connected = (this.connected ??= this.client.connect());
    try {
      await connected;
    } catch (error) {
      if (this.connected === connected) this.connected = undefined;
      throw error;
    }
  }

  private patience(deadlineMs: number): number {
    const awayMs = this.awaySince === null ? 0 : performance.now() - this.awaySince;
    return awayMs > OPERATION_DEADLINE_MS ? AWAY_DEADLINE_MS : deadlineMs;
  }
}

function refusedOptions(error: unknown, optionNames: readonly string[]): string {
  const known = /^options? ([\w, ]+) (?:is|are) not supported$/.exec(
    error instanceof Error ? error.message : '',
  );
  if (known !== null) return `MONGODB_URL has options that are not supported: ${known[1]}.`;
  const named = optionNames.length === 0 ? '' : ` (it has ${optionNames.join(', ')})`;
  return `MONGODB_URL has options that cannot be used together or with these values${named}.`;
}
