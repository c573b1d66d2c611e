import type { Household } from '#ledger/household';
import type { TransactionRecord } from '#ledger/transaction-record';

/** The household's stream moved on faster than the command could be decided. */
export class ConflictAfterRetries extends Error {
  override readonly name = 'ConflictAfterRetries';
  /** Read by the HTTP layer. */
  readonly refusal = true;
  readonly code = 'conflict';
  readonly details = {};
}

/** What the client bases its command on is not so any more. */
export class PreconditionFailed extends Error {
  override readonly name = 'PreconditionFailed';
  /** Read by the HTTP layer. */
  readonly refusal = true;
  readonly code = 'precondition_failed';
  readonly details = {};
}

/** Whether the state that a command is decided on is the one that its client had in mind. */
export type Precondition = (household: Household, transaction: TransactionRecord | null) => boolean;
