import { evolveTransaction } from '../events.js';
import { withMoreLive, type Household } from '../household.js';
import type { Month, Ulid } from '../values.js';
import type { TransactionEvent } from './transaction-events.js';
import type { TransactionRecord } from './transaction-record.js';

/** Where events of one command stand that were decided, and on which its further events are decided. */
export class TransactionsAhead {
  private readonly changed: Map<Ulid, TransactionRecord>;

  /** @param before the transactions that the command is about, as far as they are there */
  constructor(
    private counted: Household,
    before: ReadonlyMap<Ulid, TransactionRecord>,
  ) {
    this.changed = new Map(before);
  }

  /** With as many transactions in each month as these events leave; its figures are still those from before them. */
  get household(): Household {
    return this.counted;
  }

  /**
   * The transactions as these events leave them: their content and whether they are deleted are true; when and by whom
   * is not known.
   */
  get records(): ReadonlyMap<Ulid, TransactionRecord> {
    return this.changed;
  }

  add(event: TransactionEvent): void {
    const { id } = event.data;
    const former = this.changed.get(id) ?? null;
    const revision = (former?.revision ?? -1) + 1;
    const next = evolveTransaction(former, { ...event, id: '', at: '', by: '', revision });
    this.changed.set(id, next);
    const from = monthCountedIn(former);
    const to = monthCountedIn(next);
    if (from === to) return;
    if (from !== null) this.counted = withMoreLive(this.counted, from, -1);
    if (to !== null) this.counted = withMoreLive(this.counted, to, 1);
  }
}

function monthCountedIn(record: TransactionRecord | null): Month | null {
  return record === null || record.deletedAt !== null ? null : record.budgetMonth;
}
