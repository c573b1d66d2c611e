import type { Month } from './calendar.js';
import type { Ulid } from './events.js';
import { withMoreLive, type Household } from './household.js';
import { afterDecided, type TransactionEvent, type TransactionRecord } from './transaction-record.js';

/** Where events of one command stand that were decided, and on which its further events are decided. */
export class TransactionsAhead {
  private readonly changed = new Map<Ulid, TransactionRecord>();

  /** @param before the transactions that the command is about, as far as they are there */
  constructor(
    private counted: Household,
    private readonly before: ReadonlyMap<Ulid, TransactionRecord>,
  ) {}

  /** With as many transactions in each month as these events leave; its figures are still those from before them. */
  get household(): Household {
    return this.counted;
  }

  /** A transaction as these events leave it, or null. */
  get(id: Ulid): TransactionRecord | null {
    return this.changed.get(id) ?? this.before.get(id) ?? null;
  }

  add(event: TransactionEvent): void {
    const { id } = event.data;
    const [former, next] = [this.get(id), afterDecided(this.get(id), event)];
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
