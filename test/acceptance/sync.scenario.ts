import assert from 'node:assert/strict';
import type { MonthView } from '#projections/month-document';
import type { TransactionView } from '#projections/transaction-document';
import { ok, queryText, type Household } from './household.scenario.js';

/** A page of `GET /sync`. */
export interface SyncPage {
  readonly revision: number | null;
  readonly complete: boolean;
  readonly cursor: string | null;
  readonly months: readonly MonthView[];
  readonly removed_months: readonly string[];
  readonly transactions: readonly TransactionView[];
  readonly untracked_count: number;
}

type Query = Readonly<Record<string, string | number>>;

export async function syncPage(home: Household, query: Query = {}): Promise<SyncPage> {
  const text = queryText(query);
  return ok(await home.get<SyncPage>(`/sync${text === '' ? '' : `?${text}`}`));
}

/** A client that holds a copy of a household, and asks for what changed. */
export class Copy {
  readonly months = new Map<string, MonthView>();
  readonly transactions = new Map<string, TransactionView>();
  untrackedCount = 0;
  /** The revision of the last complete page. */
  revision = -1;

  constructor(private readonly home: Household) {}

  /**
   * Applies page after page until one is complete.
   * @param between is waited for before each page but the first
   * @returns how many pages there were
   */
  async sync(limit: number, between: () => Promise<unknown> = async () => undefined): Promise<number> {
    let page = await syncPage(this.home, { since: this.revision, limit });
    for (let pages = 1; ; pages++) {
      this.apply(page, limit);
      if (page.cursor === null) return pages;
      await between();
      page = await syncPage(this.home, { cursor: page.cursor, limit });
    }
  }

  private apply(page: SyncPage, limit: number): void {
    assertWellFormed(page, limit);
    for (const month of page.months) this.months.set(month.month, month);
    for (const month of page.removed_months) this.months.delete(month);
    for (const transaction of page.transactions) this.transactions.set(transaction.id, transaction);
    this.untrackedCount = page.untracked_count;
    if (page.revision !== null) this.revision = page.revision;
  }

  /** That the copy is what the other routes answer now. */
  async assertCurrent(): Promise<void> {
    const { months } = ok(await this.home.get<{ months: { month: string }[] }>('/months'));
    const shown = await Promise.all(months.map(({ month }) => this.home.month(month)));
    assert.deepEqual(byKey(this.months, withoutCount), byKey(keyed(shown, 'month'), withoutCount));
    const transactions: TransactionView[] = [];
    for (const view of ['all', 'deleted']) {
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await this.home.list({ view, limit: 200, ...(cursor !== '' && { cursor }) });
        assert.equal(this.untrackedCount, page.untracked_count);
        transactions.push(...page.transactions);
        cursor = page.next_cursor;
      }
    }
    const expected = byKey(keyed(transactions, 'id'), withoutItemNames);
    assert.deepEqual(byKey(this.transactions, withoutItemNames), expected);
  }
}

function assertWellFormed(page: SyncPage, limit: number): void {
  const { revision, complete, cursor, months, removed_months, transactions, untracked_count } = page;
  assert.deepEqual([revision === null, cursor === null], [!complete, complete]);
  assert.ok(transactions.length <= limit);
  assert.equal(new Set(transactions.map(({ id }) => id)).size, transactions.length);
  const named = [...months.map(({ month }) => month), ...removed_months];
  assert.equal(new Set(named).size, named.length);
  for (const month of months) assert.equal(month.untracked_count, untracked_count);
}

function keyed<T>(list: readonly T[], key: keyof T): ReadonlyMap<string, T> {
  return new Map(list.map(one => [String(one[key]), one]));
}

function byKey<T, U>(map: ReadonlyMap<string, T>, shown: (one: T) => U): (readonly [string, U])[] {
  return [...map].map(([key, one]) => [key, shown(one)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function withoutCount(month: MonthView): object {
  return { ...month, untracked_count: null };
}

/** An item's new name comes with the months. */
function withoutItemNames(transaction: TransactionView): object {
  return {
    ...transaction,
    splits: transaction.splits.map(({ item_id, amount }) => ({ item_id, amount })),
  };
}
