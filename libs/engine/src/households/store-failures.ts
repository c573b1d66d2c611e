import { isUnavailable } from '#concurrency/unavailable';
import { DamagedDocument } from '#storage/documents/documents';
import { BrokenHistory } from '#ledger/draft';
import { UnknownEvent } from '#ledger/event-codec';
import { UnknownIdentity } from '#projections/month-document';
import { MixedVersions } from '../versions/active-version.js';

/** Shown instead of a sentence that may quote a user. */
export const SEE_LOG = 'failed; see the log';

/** The documents reflect events that the stream of their household does not have: the log was lost, or is an older one. */
export class LogEndsEarly extends Error {
  override readonly name = 'LogEndsEarly';
  /** Read by the HTTP layer: this failure answers `503 unavailable`. */
  readonly unavailable = true;

  constructor() {
    super('the event log ends before the read models; see docs/operations.md');
  }
}

/** They keep one household from being served, and are answered as if the store were down. */
const OF_ONE_HOUSEHOLD = [LogEndsEarly, DamagedDocument];

/** Their sentences name events, groups, items and transactions by their ids, or a collection, and nothing else. */
const NAMING_IDS = [UnknownEvent, BrokenHistory, UnknownIdentity, MixedVersions, ...OF_ONE_HOUSEHOLD];

/** Whether a store is down, so that the same may work later; not what keeps one household alone from being served. */
export function isStoreDown(error: unknown): error is Error {
  return isUnavailable(error) && !OF_ONE_HOUSEHOLD.some(kind => error instanceof kind);
}

/** What is wrong, for a person who may see what users wrote: the message of any error may quote it. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What is wrong, for the public `/health/ready`: other sentences than those for operators may quote a user. */
export function toldOf(error: unknown): string {
  return isForOperators(error) ? error.message : SEE_LOG;
}

/** What is wrong, in a few words that quote no user: of an error that may do so, its kind. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  if (quotesNobody(error)) return error.message;
  return 'code' in error ? `${error.name} (${String(error.code)})` : error.name;
}

/** What is wrong, for the log: of an error that may quote a user, its kind and where it was thrown. */
export function loggedOf(error: unknown): string {
  const kind = kindOf(error);
  return error instanceof Error && !quotesNobody(error) ? `${kind}${framesOf(error)}` : kind;
}

function quotesNobody(error: Error): boolean {
  return isForOperators(error) || isOfSystem(error);
}

/** Whether its sentence was made for operators, or names nothing but ids. */
export function isForOperators(error: unknown): error is Error {
  return isStoreDown(error) || NAMING_IDS.some(kind => error instanceof kind);
}

/** The system's own sentences name a call and a file or an address. */
function isOfSystem(error: Error): boolean {
  return 'syscall' in error && 'code' in error;
}

/** What follows the message in the stack. */
function framesOf({ stack = '', message }: Error): string {
  const at = stack.indexOf(message);
  return at < 0 ? '' : stack.slice(at + message.length).replace(/^[^\n]*/, '');
}
