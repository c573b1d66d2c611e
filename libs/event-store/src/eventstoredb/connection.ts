import { EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import type {
  AllStreamResolvedEvent,
  DNSClusterOptions,
  Filter,
  GossipClusterOptions,
  Position,
  SingleNodeOptions,
} from '@eventstore/db-client';
import { ReadStream } from '@eventstore/db-client/dist/streams/utils/ReadStream.js';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventStoreConnection } from './connection-url.js';

/** How many records the server looks through at once for a filtered read. */
const SEARCH_WINDOW_RECORDS = 4_096;

/** A subscription's checkpoints come after so many times 32 records (the server's search window) at least. */
const CHECKPOINT_INTERVAL = 32;

/** So many decoded events may wait between the connection and us; the server holds back the others. */
const BUFFERED_EVENTS_MAX = 128;
export const READABLE_OPTIONS = { highWaterMark: BUFFERED_EVENTS_MAX };

/** A channel that is younger than this is not left: it has not had its chance. */
const CHANNEL_CHANCE_MS = 1_000;

const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;

type Settings = DNSClusterOptions | GossipClusterOptions | SingleNodeOptions;
type ReadFilter = InstanceType<typeof streams.ReadReq.Options.FilterOptions>;

export interface FilteredRead {
  /** Inclusive. */
  readonly from: Position | 'start' | 'end';
  readonly direction: 'forwards' | 'backwards';
  readonly prefix: string;
  readonly limit: number;
}

/**
 * The official client with what it lacks:
 * - Appends always go by the classic RPC. The batched one has no deadline, shares its pending appends between all
 *   clients of the process, and can end the process with an unhandled rejection.
 * - `$all` can be read with a filter in both directions. Servers can; this version's `readAll` cannot ask for it.
 * - A failed rediscovery of a cluster no longer rejects where nobody listens.
 * - A node that does not answer can be left, and the connection can be closed.
 */
export class EventStoreDbConnection extends EventStoreDBClient {
  private channel: ReturnType<EventStoreDBClient['getChannel']> | undefined;
  /** When the present channel was asked for, or the last one was left. */
  private channelSince = -Infinity;

  /** Connects with the first call, not before. */
  static to(connection: EventStoreConnection): EventStoreDbConnection {
    const { warn } = console;
    // The client warns of keep-alive intervals below 10 s on the console: too slow for noticing a frozen server.
    console.warn = () => undefined;
    try {
      return new EventStoreDbConnection(connection);
    } finally {
      console.warn = warn;
    }
  }

  private constructor(connection: EventStoreConnection) {
    const { tls, rootCertificate, userCertificate, credentials } = connection;
    super(
      // Its overloads take each kind of settings, but not their union.
      clientSettings(connection) as SingleNodeOptions,
      {
        insecure: !tls,
        ...(rootCertificate && { rootCertificate }),
        ...(userCertificate && {
          userCertFile: userCertificate.certificate,
          userKeyFile: userCertificate.key,
        }),
      },
      tls && credentials ? credentials : undefined,
    );
    this.supports = () => Promise.resolve(false);
    const { handleError, getChannel } = this;
    this.handleError = (client, error) => handleError(client, error).catch(() => undefined);
    this.getChannel = () => {
      this.channelSince = performance.now();
      this.channel = getChannel();
      return this.channel;
    };
  }

  /** The events of the streams with the prefix, in the order of the store or against it. */
  readFiltered({ from, direction, prefix, limit }: FilteredRead): ReadStream<AllStreamResolvedEvent> {
    const options = new streams.ReadReq.Options()
      .setAll(allOptions(from))
      .setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS)
      .setResolveLinks(false)
      .setCount(String(limit))
      .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()))
      .setFilter(readFilter(prefix));
    const request = new streams.ReadReq().setOptions(options);
    const call = this.GRPCStreamCreator(StreamsClient, 'readFiltered', client =>
      client.read(request, ...this.callArguments({ requiresLeader: true }, { deadline: Infinity })),
    );
    return new ReadStream<AllStreamResolvedEvent>(call, convertGrpcEvent, READABLE_OPTIONS);
  }

  /**
   * Leaves a node that does not answer: the next call looks for the leader. The client does so only when a
   * connection breaks; a frozen node takes new connections and breaks none.
   */
  leave(): void {
    const now = performance.now();
    if (now - this.channelSince < CHANNEL_CHANCE_MS) return;
    this.channelSince = now;
    const giveUp = () => Promise.reject(new UnavailableError());
    this.execute(StreamsClient, 'leave', giveUp).catch(() => undefined);
  }

  /** Cancels what is under way and closes the connection. */
  async end(): Promise<void> {
    const { channel } = this;
    await this.dispose();
    const open = await channel?.catch(() => undefined);
    open?.close();
  }
}

/** For subscriptions. An empty prefix means every stream but the server's own. */
export function streamFilter(prefix: string, checkpointReached: Filter['checkpointReached']): Filter {
  const filter = {
    filterOn: 'streamName',
    checkpointInterval: CHECKPOINT_INTERVAL,
    ...(checkpointReached && { checkpointReached }),
  } as const;
  return prefix === '' ? { ...filter, regex: NO_SYSTEM_STREAM } : { ...filter, prefixes: [prefix] };
}

const NO_SYSTEM_STREAM = '^[^$]';

function readFilter(prefix: string): ReadFilter {
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  if (prefix === '') expression.setRegex(NO_SYSTEM_STREAM);
  else expression.setPrefixList([prefix]);
  return new streams.ReadReq.Options.FilterOptions()
    .setStreamIdentifier(expression)
    .setMax(SEARCH_WINDOW_RECORDS);
}

function allOptions(from: FilteredRead['from']) {
  const options = new streams.ReadReq.Options.AllOptions();
  if (from === 'start') return options.setStart(new shared.Empty());
  if (from === 'end') return options.setEnd(new shared.Empty());
  return options.setPosition(
    new streams.ReadReq.Options.Position()
      .setCommitPosition(String(from.commit))
      .setPreparePosition(String(from.prepare)),
  );
}

function clientSettings(connection: EventStoreConnection): Settings {
  const { endpoints, cluster, connectionName, keepAliveInterval, keepAliveTimeout } = connection;
  const { maxDiscoverAttempts, discoveryInterval, gossipTimeout } = connection;
  const common = {
    keepAliveInterval,
    keepAliveTimeout,
    ...(connectionName !== null && { connectionName }),
  };
  if (cluster === 'none') return { ...common, endpoint: endpoints[0] };
  const discovery = { ...common, maxDiscoverAttempts, discoveryInterval, gossipTimeout };
  return cluster === 'dns'
    ? { ...discovery, discover: endpoints[0] }
    : { ...discovery, endpoints: [...endpoints] };
}
