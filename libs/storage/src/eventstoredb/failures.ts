import { ErrorType } from '@eventstore/db-client';
import { NoAnswer } from '#concurrency/within';

/** What a failure of the client means to a caller. */
type Failure =
  /** The stream is elsewhere; null: it does not exist. */
  | { readonly kind: 'conflict'; readonly actual: bigint | null }
  /** The server takes less in one append than was sent; null: it did not say how much. */
  | { readonly kind: 'too-large'; readonly bytesMax: number | null }
  /** No such stream, or deleted. */
  | { readonly kind: 'no-stream' }
  /** Asking again would bring the same answer until somebody changes the configuration. */
  | { readonly kind: 'refused'; readonly problem: string }
  /** Whether the server did what was asked is not known, or it cannot be reached. */
  | { readonly kind: 'unclear'; readonly problem: string };

/** A subscription does not bring what it should. */
export class SubscriptionDropped extends Error {
  override readonly name = 'SubscriptionDropped';
  /** @param problem what the server did, for a sentence */
  constructor(readonly problem: string) {
    super(`the server ${problem}`);
  }
}

/** Status codes of gRPC that are looked at. */
const RESOURCE_EXHAUSTED = 8;
const UNAUTHENTICATED = 16;

/**
 * By `type`, else by gRPC's code: the messages of some errors are empty, and the errors of a failed connection
 * have no type.
 */
export function classify(error: unknown): Failure {
  const type = property(error, 'type') ?? property(error, 'code');
  switch (type) {
    case ErrorType.WRONG_EXPECTED_VERSION: {
      const actual = property(error, 'actualVersion');
      return { kind: 'conflict', actual: typeof actual === 'bigint' ? actual : null };
    }
    case ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED: {
      const bytesMax = property(error, 'maxAppendSize');
      return { kind: 'too-large', bytesMax: typeof bytesMax === 'number' ? bytesMax : null };
    }
    case ErrorType.STREAM_NOT_FOUND:
    case ErrorType.STREAM_DELETED:
    case ErrorType.NO_STREAM:
      return { kind: 'no-stream' };
    case ErrorType.ACCESS_DENIED:
      return { kind: 'refused', problem: accessProblem(error) };
    case ErrorType.UNKNOWN:
      return property(error, 'code') === RESOURCE_EXHAUSTED
        ? { kind: 'too-large', bytesMax: null }
        : connectionFailure(error, 'failed unexpectedly');
    case ErrorType.NOT_LEADER:
      return { kind: 'unclear', problem: 'is not the leader of its cluster' };
    case ErrorType.DEADLINE_EXCEEDED:
    case ErrorType.TIMEOUT:
      return { kind: 'unclear', problem: 'does not respond in time' };
    default:
      return connectionFailure(error, 'cannot be reached');
  }
}

/** Whether the time for an answer passed, other than that the server or the network reported something. */
export function isSilence(error: unknown): boolean {
  return error instanceof NoAnswer || property(error, 'type') === ErrorType.DEADLINE_EXCEEDED;
}

function accessProblem(error: unknown): string {
  return property(error, 'code') === UNAUTHENTICATED
    ? 'rejects the user and password of EVENTSTORE_URL'
    : 'denies access to the user of EVENTSTORE_URL; use an admin, or a user in the access list of $all';
}

function connectionFailure(error: unknown, otherwise: string): Failure {
  if (error instanceof NoAnswer) return { kind: 'unclear', problem: 'does not respond in time' };
  if (error instanceof SubscriptionDropped) return { kind: 'unclear', problem: error.problem };
  const text = error instanceof Error ? error.message : '';
  const find = (problems: Problems) => problems.find(([words]) => words.test(text))?.[1];
  const refused = find(TLS_PROBLEMS);
  return refused === undefined
    ? { kind: 'unclear', problem: find(CONNECTION_PROBLEMS) ?? otherwise }
    : { kind: 'refused', problem: refused };
}

type Problems = readonly (readonly [words: RegExp, problem: string])[];

/** By words of Node's TLS errors inside the texts of gRPC's. */
const TLS_PROBLEMS: Problems = [
  [
    /wrong version number|packet length too long/i,
    'does not speak TLS: without it, EVENTSTORE_URL needs tls=false',
  ],
  [/altname|does not match/i, 'has a certificate for another host name than the one in EVENTSTORE_URL'],
  [
    /certificate|self.signed|CERT_|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO|SSL routines/i,
    'has a certificate that is not trusted; set tlsCAFile in EVENTSTORE_URL to its CA certificate',
  ],
];

const CONNECTION_PROBLEMS: Problems = [
  [/Server Is Not Ready/i, 'is starting and not ready yet'],
  [/Server Is Too Busy/i, 'is too busy'],
  [/ECONNREFUSED/, 'refuses connections: it is not running, or EVENTSTORE_URL names another port'],
  [/ENOTFOUND|EAI_AGAIN|Name resolution/i, 'cannot be found: unknown host name'],
  [/Failed to discover/, 'cannot be discovered: no node of the cluster responded'],
  [/UNIMPLEMENTED|HTTP status code/, 'is not an EventStoreDB: it does not know the request'],
  [/Failed to connect/, 'ended the connection at once: a secure server needs tls=true in EVENTSTORE_URL'],
  // The client has left this node: another call had waited in vain.
  [/Channel closed|Channel has been shut down/i, 'does not respond in time'],
  [/dropped|ECONNRESET|EPIPE|socket|GOAWAY|write after end/i, 'dropped the connection'],
];

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
