import { evolveTransaction } from '../events.js';
import { withMoreLive, type Household } from '../household.js';
import type { Ulid } from '../values.js';
import type { TransactionEvent } from './transaction-events.js';
import type { TransactionRecord } from './transaction-record.js';

/** Where events of one command stand that were decided, and on which its further events are decided. */
export class TransactionsAhead {
  /** The transactions as these events leave them: but for when and by whom they were changed, which is not known. */
  readonly records: Map<Ulid, TransactionRecord>;

  /**
   * @param household with as many transactions in each month as these events leave, its figures still from before them
   * @param before the transactions that the command is about, as far as they are there
   */
  constructor(
    public household: Household,
    before: ReadonlyMap<Ulid, TransactionRecord>,
  ) {
    this.records = new Map(before);
  }

  add(event: TransactionEvent): void {
    const { id } = event.data;
    const former = this.records.get(id) ?? null;
    const revision = (former?.revision ?? -1) + 1;
    const next = evolveTransaction(former, { ...event, id: '', at: '', by: '', revision });
    this.records.set(id, next);
    this.count(former, -1);
    this.count(next, 1);
  }
  private count(record: TransactionRecord | null, count: 1 | -1): void {
    if (record?.deletedAt !== null) return;
    this.household = withMoreLive(this.household, record.budgetMonth, count);
  }
}
