/**
 * The documents reflect events that the stream of their household does not have: the log was lost, or is an older one.
 * Nothing can be decided for this household, while the store is there for all others.
 */
export class LogEndsEarly extends Error {
  override readonly name = 'LogEndsEarly';
  /** Read by the HTTP layer: this failure answers `503 unavailable`. */
  readonly unavailable = true;

  constructor() {
    super('the event log ends before the read models; see docs/operations.md');
  }
}
