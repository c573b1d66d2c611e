import type { DecodedEvent } from '#ledger/event-codec';
import type { Household } from '#ledger/household';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import type { MonthDocument } from '#projections/month-document';
import type { StreamEnd } from '../households/event-chain.js';
import type { KnownHousehold } from '../households/state-cache.js';

/** Where a command's events begin in the stream. */
interface RecordedCommand {
  readonly firstRevision: number;
}

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
  readonly recorded: RecordedCommand | null;
}

/** What a decision has made out about its events. */
export interface Decided {
  /** The household after them. */
  readonly household: Household;
  /** The last one. */
  readonly end: StreamEnd;
  /** Transactions that they touch, as they were before. */
  readonly transactions: ReadonlyMap<string, TransactionRecord>;
}

/** What events left in the documents. */
export interface Applied {
  /** The household, as it is in memory now unless others have taken its place there. */
  readonly known: KnownHousehold;
  readonly months: readonly MonthDocument[];
}

/** What a command did that recorded nothing. */
export function unchanged(household: Household, transactions: Executed['transactions']): Executed {
  return {
    household,
    events: [],
    months: [],
    monthDocuments: [],
    transactions,
    replayed: false,
    recorded: null,
  };
}
