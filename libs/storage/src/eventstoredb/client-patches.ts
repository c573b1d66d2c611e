// What this program changes in its client of EventStoreDB, and in gRPC below it; each patch says why.
import { isIP } from 'node:net';
import { EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { credentials as grpcCredentials, type ChannelCredentials } from '@grpc/grpc-js';
import type { EventStoreConnection } from './connection-url.js';

/** A channel that is younger than this is not left: it has not had its chance. */
const CHANNEL_CHANCE_MS = 1_000;

type Channel = ReturnType<EventStoreDBClient['getChannel']>;

/** The official client, patched. Connects with the first call, not before. */
export class PatchedClient extends EventStoreDBClient {
  private channel: Channel | undefined;
  /** When the present channel was asked for, or the last one was left. */
  private channelSince = -Infinity;
  private isSearching = false;

  constructor({ settings, security, credentials }: EventStoreConnection) {
    if (!security.insecure) nameNoAddresses();
    // It warns on the console of keep-alive intervals below 10 s: too slow for noticing a frozen server.
    const { warn } = console;
    console.warn = () => undefined;
    try {
      super(settings, security, credentials);
    } finally {
      console.warn = warn;
    }
    const { handleError, getChannel } = this;
    // A failed rediscovery of a cluster rejects where nothing catches it, which would end the process.
    this.handleError = (client, error) => handleError(client, error).catch(() => undefined);
    // It tells of no channel that it opens: `leave` has to know how old the present one is, `end` closes it.
    this.getChannel = () => {
      this.channel = this.found(getChannel());
      return this.channel;
    };
  }

  /**
   * Leaves a node that does not answer: the next call looks for the leader. The client does so only when a
   * connection breaks; a frozen node takes new connections and breaks none.
   */
  leave(): void {
    const now = performance.now();
    if (this.isSearching || now - this.channelSince < CHANNEL_CHANCE_MS) return;
    this.channelSince = now;
    const giveUp = () => Promise.reject(new UnavailableError());
    this.execute(StreamsClient, 'leave', giveUp).catch(() => undefined);
  }

  /** Cancels what is under way and closes the connection, which the client's own `dispose` leaves open. */
  async end(): Promise<void> {
    const { channel } = this;
    await this.dispose();
    const open = await channel?.catch(() => undefined);
    open?.close();
  }

  /** Notes the search for a node, which a new channel begins with. */
  private found(channel: Channel): Channel {
    this.channelSince = performance.now();
    this.isSearching = true;
    const over = (): void => {
      this.isSearching = false;
    };
    channel.then(over, over);
    return channel;
  }
}

/** What grpc-js gives to `tls.connect`, as far as it is looked at here. */
interface SecureConnector {
  readonly connectionOptions?: { servername?: string };
}

let addressesAreNamed = true;

/**
 * Keeps connections over TLS from naming an IP address as the server that they want (SNI), which RFC 6066, section 3,
 * allows for host names alone: grpc-js 1.14 names any address. Node up to 24 warns of that; with Node 26 no connection to
 * such an address comes about. The certificate is checked against the address all the same. It holds for all channels of
 * the process, since the client keeps its credentials to itself.
 */
function nameNoAddresses(): void {
  if (!addressesAreNamed) return;
  addressesAreNamed = false;
  const secure = Object.getPrototypeOf(grpcCredentials.createSsl()) as ChannelCredentials;
  const create = secure._createSecureConnector;
  secure._createSecureConnector = function (...connection) {
    const connector = create.apply(this, connection);
    const { connectionOptions } = connector as SecureConnector;
    if (isIP(connectionOptions?.servername ?? '') !== 0) delete connectionOptions?.servername;
    return connector;
  };
}
