import type { Command } from '#ledger/commands';
import type { Actor, DecodedEvent } from '#ledger/event-codec';
import type { Household } from '#ledger/household';
import { Refusal } from '#ledger/refusal';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import type { MonthDocument } from '#projections/month-document';

/** A call of a command: which household, who asks, and on what terms. */
export interface CommandCall {
  readonly householdId: string;
  /** An archived household refuses every command, but first says what is not there. */
  readonly archived: boolean;
  readonly actor: Actor;
  readonly requestId: string;
  /** The client's `Idempotency-Key`, and the hash of what a command asks for; absent where the client sent no key. */
  readonly idempotency?: { readonly key: string; readonly hashOf: (command: Command) => string } | undefined;
  /** Holds of the very state that is decided on; a command that its key repeats needs none. */
  readonly precondition?: Precondition | undefined;
  /** Nothing is recorded: what the command would do is told as if it had been done. Its key is left as it is. */
  readonly dryRun: boolean;
}

/** Whether the state that a command is decided on is the one that its client had in mind. */
export type Precondition = (
  command: Command,
  household: Household,
  transactions: ReadonlyMap<string, TransactionRecord>,
) => boolean;

/** What a command did. */
export interface Executed {
  /** The household after the command. */
  readonly household: Household;
  /** What was recorded; empty for a command that changed nothing. */
  readonly events: readonly DecodedEvent[];
  /** Months with a changed figure, oldest first. */
  readonly months: readonly string[];
  /** The documents of the months that were written: all of `months` that still exist, and maybe others. */
  readonly monthDocuments: readonly MonthDocument[];
  /** The transactions that the command was about, as they are now, in the order in which it named them. */
  readonly transactions: ReadonlyMap<string, TransactionRecord>;
  /** The command had been recorded before: nothing was recorded now, and this is the state as it is today. */
  readonly replayed: boolean;
  /** With `replayed` by a key: where the events stand that the command had recorded. */
  readonly recorded: { readonly firstRevision: number } | null;
}

/** The household was erased: who was a member of it is none any more. */
export class HouseholdErased extends Refusal {
  constructor() {
    super('not_a_member', 'This household was deleted.');
  }
}
