/** Why a command is refused, besides the rules of the ledger. */
abstract class CommandRefused extends Error {
  /** Read by the HTTP layer, as `code` and `details` are. */
  readonly refusal = true;
  abstract readonly code: string;
  readonly details: Readonly<Record<string, unknown>> = {};
}

/** The household's stream moved on faster than the command could be decided. */
export class ConflictAfterRetries extends CommandRefused {
  override readonly name = 'ConflictAfterRetries';
  readonly code = 'conflict';
}

/** The household was erased: who was a member of it is none any more. */
export class HouseholdErased extends CommandRefused {
  override readonly name = 'HouseholdErased';
  readonly code = 'not_a_member';

  constructor() {
    super('This household was deleted.');
  }
}

/** An archived household is not written. */
export class HouseholdArchived extends CommandRefused {
  override readonly name = 'HouseholdArchived';
  readonly code = 'conflict';
  override readonly details = { reason: 'archived' };

  constructor() {
    super('This household is archived.');
  }
}

/** What the client bases its command on is not so any more. */
export class PreconditionFailed extends CommandRefused {
  override readonly name = 'PreconditionFailed';
  readonly code = 'precondition_failed';
}

/** The events of a command do not fit into one append of the event store. */
export class BatchTooLarge extends CommandRefused {
  override readonly name = 'BatchTooLarge';
  readonly code = 'batch_too_large';
  constructor(
    message: string,
    override readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
