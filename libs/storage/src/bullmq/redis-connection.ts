import { Redis, type RedisOptions } from 'ioredis';
import { JobsUnavailable, retryDelayMs } from '../jobs/job-queue.js';
import { StoreUrlError } from '../store-url-error.js';

/** The pauses before reconnections. */
const RECONNECT = { firstDelayMs: 50, delayMsMax: 2_000 };
/** A connection that is not established by then is started again. */
const CONNECT_MS_MAX = 2_000;
/** One command on the connection that requests wait for. Below `ENQUEUE_MS_MAX`. */
const COMMAND_MS_MAX = 800;
/** A socket without a response for this long is dead: the server is frozen or the network is down. */
const SILENT_MS_MAX = 1_000;
/** The same where BullMQ blocks for up to ten seconds in one command. */
const BLOCKING_SILENT_MS_MAX = 15_000;

const RECONNECTING = {
  connectTimeout: CONNECT_MS_MAX,
  retryStrategy: (times: number): number => retryDelayMs(RECONNECT, times),
  // After a failover the name leads to another server, while this one goes on and takes no writes.
  reconnectOnError: ({ message }: Error): boolean => message.startsWith('READONLY'),
};

/** Nothing, or a number. */
const DATABASE = /^\d{0,5}$/;
const PROTOCOLS: ReadonlySet<string> = new Set(['redis:', 'rediss:']);

/**
 * Checks `redis://[user:password@]host[:port][/db]` or `rediss://…` (TLS).
 * @returns where it points to, without the credentials, for people to read
 * @throws StoreUrlError that does not repeat the address
 */
export function redisAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !PROTOCOLS.has(parsed.protocol) || parsed.hostname === '') {
    throw new StoreUrlError('REDIS_URL must be redis://host:port or rediss://host:port.');
  }
  assertDecodable(parsed.username, parsed.password);
  assertDatabase(parsed);
  return `${parsed.hostname}:${parsed.port === '' ? '6379' : parsed.port}`;
}

/** The client decodes them, and its error would not help the operator. */
function assertDecodable(...parts: readonly string[]): void {
  try {
    for (const part of parts) decodeURIComponent(part);
  } catch {
    throw new StoreUrlError(
      'REDIS_URL has a user or password with characters that must be percent-encoded (such as % @ : / ? #).',
    );
  }
}

/** The client sends any text to the server as a number. */
function assertDatabase({ pathname, searchParams }: URL): void {
  const named = [pathname.replace(/^\//, ''), ...searchParams.getAll('db')];
  if (named.some(database => !DATABASE.test(database))) {
    throw new StoreUrlError('REDIS_URL must name its database by a number, as in redis://host:port/1.');
  }
}

/** If the server lacks the database, the client would go on with number 0, which may belong to another service. */
class NumberedRedis extends Redis {
  override async select(index: number | string): Promise<'OK'> {
    try {
      return await super.select(index);
    } catch (error) {
      if (this.isRefusal(error)) await this.giveUpAttempt(error);
      else this.disconnect(true);
      throw error;
    }
  }

  /** Whether Redis refuses the database, and not the password, which the client reports by itself. */
  private isRefusal(error: unknown): boolean {
    if (!(error instanceof Error) || error.name !== 'ReplyError') return false;
    return !this.options.password || !error.message.startsWith('NOAUTH');
  }

  /**
   * Reports the failure before the connection has ended, because the code that waits for the end reads it then. Until
   * then the client would go on with its greeting, and report as the last failure that the stream is not writable.
   */
  private async giveUpAttempt(error: unknown): Promise<void> {
    const closed = new Promise<void>(resolve => this.once('close', () => resolve()));
    this.disconnect(true);
    this.emit('error', error);
    await closed;
  }

  /** The client's own would be without this guard. */
  override duplicate(override?: Partial<RedisOptions>): Redis {
    const options = { ...this.options, ...override };
    return new NumberedRedis(options as RedisOptions & { replyMapping?: 'legacy' });
  }
}

/** A connection that fails at once while Redis is away, for commands that requests wait for. */
export function failFastRedis(url: string): Redis {
  return new NumberedRedis(url, {
    ...RECONNECTING,
    enableOfflineQueue: false,
    // Commands under way when the connection breaks are rejected instead of kept for the next one.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: COMMAND_MS_MAX,
    socketTimeout: SILENT_MS_MAX,
  });
}

/**
 * A connection whose commands wait for the server for ever, as BullMQ's workers need it. BullMQ makes copies of it and
 * cannot close one that never connected, so the copies are tracked.
 */
export class PatientRedis extends NumberedRedis {
  private readonly copies = new Set<Redis>();

  constructor(url: string) {
    super(url, { ...RECONNECTING, maxRetriesPerRequest: null, socketTimeout: BLOCKING_SILENT_MS_MAX });
  }

  override duplicate(override?: Partial<RedisOptions>): Redis {
    const copy = super.duplicate(override);
    // BullMQ takes its listeners off before a connection has ended.
    copy.on('error', () => undefined);
    this.copies.add(copy);
    copy.once('end', () => this.copies.delete(copy));
    return copy;
  }

  /** Ends this connection and every copy, so that whatever waits for them is rejected. */
  cut(): void {
    for (const connection of [this, ...this.copies]) {
      // Between two attempts ioredis would stop without a word, and BullMQ would wait for the end for ever.
      if (connection.status === 'reconnecting') connection.connect().catch(() => undefined);
      connection.disconnect();
    }
  }
}

/** The failure without what the client's errors contain besides (`command.args` holds the password). */
export function redisUnavailable(address: string, error: unknown): JobsUnavailable {
  if (error instanceof JobsUnavailable) return error;
  return new JobsUnavailable(`Redis at ${address} is unavailable: ${sentenceOf(error)}`);
}

const SENTENCE_LENGTH_MAX = 200;

export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  // A host with several addresses fails with an AggregateError without a message.
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return text.replace(/\s+/g, ' ').slice(0, SENTENCE_LENGTH_MAX);
}
