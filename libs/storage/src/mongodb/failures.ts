import {
  MongoCompatibilityError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { NoAnswer } from '#concurrency/within';
import { DocumentsUnavailable } from '../documents/documents.js';

/** What a server answers to a command that it carried out in part, or without the majority's confirmation. */
export class WriteFailed extends Error {
  override readonly name = 'WriteFailed';
  constructor(readonly code: number) {
    super(`a write failed (${code})`);
  }
}

const DUPLICATE_KEY = 11_000;
const AUTHENTICATION_FAILED: ReadonlySet<unknown> = new Set([18, 8_000]);
const UNAUTHORIZED = 13;
const OUT_OF_DISK_SPACE = 14_031;
const TIME_LIMIT_EXCEEDED = 50;

/**
 * Codes of a server that is stopping, changing its role or cut off: another one may answer, or the same one a
 * little later. Named in the server's `error_codes`.
 */
const PASSING: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  43, // CursorNotFound: a read starts over
  89, // NetworkTimeout
  91, // ShutdownInProgress
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9_001, // SocketException
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

/** WriteConcernFailed, UnsatisfiableWriteConcern. */
const UNCONFIRMED: ReadonlySet<unknown> = new Set([64, 100]);

/** Codes of a server that does not serve the operation now; trying again at once is useless. */
const BUSY: ReadonlySet<unknown> = new Set([
  24, // LockTimeout
  46, // LockBusy
  237, // CursorKilled
  11_601, // Interrupted
]);

/** Whether the same operation may succeed when it is tried again: a passing failure, of unclear outcome. */
export function isPassing(error: unknown): boolean {
  if (error instanceof WriteFailed) return PASSING.has(error.code);
  if (isSystemError(error)) return !('path' in error);
  if (!(error instanceof MongoError) || AUTHENTICATION_FAILED.has(error.code)) return false;
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    error.hasErrorLabel('RetryableWriteError') ||
    PASSING.has(error.code)
  );
}

/** The server's name of the index of keys. */
export const KEY_INDEX = '_id_';

/** The index whose uniqueness a write would break, as the server names it; null for another failure. */
export function duplicatedIndex(failure: {
  readonly code?: unknown;
  readonly message: string;
}): string | null {
  if (failure.code !== DUPLICATE_KEY) return null;
  // Values of the document stand only behind `dup key`.
  return /^[^{]*? index: (\S+) dup key/.exec(failure.message)?.[1] ?? null;
}

/**
 * A failure as the port names it: what only the store or its configuration can be blamed for becomes
 * `DocumentsUnavailable`; errors of the port pass. Texts of the server may hold values of documents, so they are
 * not passed on.
 * @param where hosts and ports
 * @param last the failure of the last attempt, where the deadline ended them
 */
export function portError(error: unknown, where: string, last?: unknown): unknown {
  const unavailable = (problem: string, cause?: unknown): DocumentsUnavailable =>
    new DocumentsUnavailable(`MongoDB at ${where} ${problem}.`, cause === undefined ? {} : { cause });
  if (error instanceof NoAnswer) return unavailable(last === undefined ? NO_ANSWER : problemOf(last), last);
  if (error instanceof MongoServerError || error instanceof WriteFailed) {
    const problem = refusal(error.code);
    if (problem !== null) return unavailable(problem);
    return new Error(`MongoDB refused an operation with code ${String(error.code)}`);
  }
  if (error instanceof MongoError) return unavailable(problemOf(error), error);
  if (!isSystemError(error)) return error;
  return unavailable(
    'path' in error ? 'was not contacted: a file named in MONGODB_URL cannot be read' : problemOf(error),
  );
}

const NO_ANSWER = 'does not respond in time';

function refusal(code: unknown): string | null {
  if (AUTHENTICATION_FAILED.has(code)) return 'rejects the user or password of MONGODB_URL';
  if (code === UNAUTHORIZED) {
    return 'does not allow the user of MONGODB_URL to read and write the database (the role readWrite is needed)';
  }
  if (code === OUT_OF_DISK_SPACE) return 'has no space left on its disk';
  if (code === TIME_LIMIT_EXCEEDED) return NO_ANSWER;
  if (UNCONFIRMED.has(code)) return 'cannot confirm a write: its replica set has no majority';
  if (PASSING.has(code) || BUSY.has(code)) return `is not available (code ${String(code)})`;
  return null;
}

function problemOf(error: unknown): string {
  if (error instanceof MongoServerError || error instanceof WriteFailed) {
    return refusal(error.code) ?? 'is not available';
  }
  if (error instanceof MongoCompatibilityError) return 'is older than MongoDB 4.4, or not a MongoDB';
  const text = error instanceof Error ? error.message : '';
  return PROBLEMS.find(([words]) => words.test(text))?.[1] ?? 'cannot be reached';
}

/** By words of Node's errors inside the texts of the driver's. */
const PROBLEMS: readonly (readonly [words: RegExp, problem: string])[] = [
  [/maximum wire version/, 'is older than MongoDB 4.4, or not a MongoDB'],
  [/ECONNREFUSED/, 'refuses connections: it is not running, or MONGODB_URL names another port'],
  [/ENOTFOUND|EAI_AGAIN|querySrv/, 'cannot be found: unknown host name'],
  [
    /altname|does not match certificate/i,
    'has a certificate for another host name than the one in MONGODB_URL',
  ],
  [
    /certificate|self.signed|CERT_|UNABLE_TO/i,
    'has a certificate that is not trusted; set tlsCAFile in MONGODB_URL to its CA certificate',
  ],
  [/wrong version number|packet length too long|EPROTO|SSL routines/i, 'does not speak TLS'],
  [/timed out/i, NO_ANSWER],
  [/closed|ended|destroyed|ECONNRESET|EPIPE|hang up/, 'ended the connection'],
];

/**
 * Of the file system, name resolution, or a socket: the driver lets some errors of Node pass as they are, such as
 * that of writing to a socket which the server has just ended.
 */
function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  return 'code' in error && typeof error.code === 'string';
}
