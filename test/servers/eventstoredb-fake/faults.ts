import { Metadata, status, type ServiceError } from '@grpc/grpc-js';

/** What the fake server does with one call instead of answering it. */
export type Fault =
  | ErrorFault
  /** No answer, ever. */
  | { readonly kind: 'silence'; readonly afterCommit?: boolean }
  /** The connection breaks. */
  | { readonly kind: 'disconnect'; readonly afterCommit?: boolean };

/** An error as the server sends it. */
interface ErrorFault {
  readonly kind: 'error';
  readonly error: ServiceError;
  readonly afterCommit?: boolean;
}

export const silence: Fault = { kind: 'silence' };
export const silenceAfterCommit: Fault = { kind: 'silence', afterCommit: true };
export const disconnect: Fault = { kind: 'disconnect' };
export const disconnectAfterCommit: Fault = { kind: 'disconnect', afterCommit: true };

/** The texts, codes and trailers are those of `RpcExceptions` in EventStoreDB 23.10. */
export const notReady = failure(status.UNAVAILABLE, 'Server Is Not Ready');
export const tooBusy = failure(status.UNAVAILABLE, 'Server Is Too Busy');
export const commitTimeout = failure(status.ABORTED, 'Operation timed out: Commit phase timeout.');
export const consumerTooSlow = failure(
  status.ABORTED,
  'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
);
export const unknown = failure(status.UNKNOWN, 'Unexpected OperationResult: 42');
export const cancelled = failure(status.CANCELLED, 'Operation canceled');
export const wrongPassword = failure(status.UNAUTHENTICATED, 'Bad credentials');
export const accessDenied = failure(status.PERMISSION_DENIED, 'Access Denied', {
  exception: 'access-denied',
});

export function notLeader(port: number): ErrorFault {
  return failure(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': String(port),
  });
}

export function appendTooLarge(bytesMax: number): ErrorFault {
  return failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${bytesMax} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(bytesMax),
  });
}

export function streamDeleted(stream: string): ErrorFault {
  return failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
}

export function wrongRevision(stream: string, expected: number, actual: number): ErrorFault {
  return failure(status.FAILED_PRECONDITION, `Append failed due to WrongExpectedVersion. Stream: ${stream}`, {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': String(expected),
    'actual-version': String(actual),
  });
}

/** The same answer, given after the events were committed. */
export function afterCommit(fault: Fault): Fault {
  return { ...fault, afterCommit: true };
}

function failure(code: status, details: string, trailers: Readonly<Record<string, string>> = {}): ErrorFault {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { kind: 'error', error: Object.assign(new Error(details), { code, details, metadata }) };
}
