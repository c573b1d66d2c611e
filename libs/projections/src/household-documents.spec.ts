import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { evolve, type RecordedLedgerEvent } from '#ledger/events';
import { histories, live } from '#ledger/histories.scenario';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import { expense, firstMonth, idOf, Scenario } from '#ledger/ledger.scenario';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import { neededTransactions, projectHousehold, type HouseholdDocuments } from './household-documents.js';
import { recordOf } from './transaction-document.js';
import { propertyRuns } from '../../../test/property-runs.js';

const MONTH = '2026-01';

interface Stored {
  readonly key: string;
  readonly revision: number;
}

/** Read models in memory, written as a store writes them: a document gives way to a later one only. */
class ReadModels {
  private household: Household = NO_HOUSEHOLD;
  private readonly stored = new Map<keyof HouseholdDocuments, Map<string, Stored>>();

  /** @throws AssertionError where a document differs from a stored one of its revision */
  project(events: readonly RecordedLedgerEvent[]): this {
    const after = evolve(this.household, events);
    const needed = neededTransactions(events).map(id => this.record(id));
    const records = new Map(needed.map(record => [record.id, record]));
    const changed = projectHousehold('H', this.household, after, events, records);
    for (const name of Object.keys(changed) as (keyof HouseholdDocuments)[]) this.put(name, changed[name]);
    this.household = after;
    return this;
  }

  all<N extends keyof HouseholdDocuments>(name: N): HouseholdDocuments[N] {
    const documents = [...(this.stored.get(name)?.values() ?? [])];
    return documents.sort((a, b) => (a.key < b.key ? -1 : 1)) as unknown as HouseholdDocuments[N];
  }

  everything(): Readonly<Record<string, readonly Stored[]>> {
    return Object.fromEntries([...this.stored.keys()].sort().map(name => [name, this.all(name)]));
  }

  private put(name: keyof HouseholdDocuments, documents: readonly Stored[]): void {
    const stored = this.stored.get(name) ?? new Map<string, Stored>();
    for (const document of documents) {
      const known = stored.get(document.key);
      if (!known || known.revision < document.revision) stored.set(document.key, document);
      else assert.deepEqual(known, document);
    }
    this.stored.set(name, stored);
  }

  private record(id: string): TransactionRecord {
    const document = this.all('transactions').find(({ key }) => key === `H|${id}`);
    assert.ok(document, `the transaction ${id} is needed before it was created`);
    return recordOf(document);
  }
}

function inRuns(
  events: readonly RecordedLedgerEvent[],
  lengths: readonly number[],
): readonly (readonly RecordedLedgerEvent[])[] {
  const runs: (readonly RecordedLedgerEvent[])[] = [];
  for (let at = 0, i = 0; at < events.length; i++) {
    const length = lengths[i % lengths.length]!;
    runs.push(events.slice(at, at + length));
    at += length;
  }
  return runs;
}

function scenario(): Scenario {
  return new Scenario().given(
    firstMonth(MONTH, { Income: { Pay: 500 }, Living: { Food: 100, Car: 200 } }),
    { type: 'OpenFund', month: MONTH, itemId: idOf('Car'), openingBalance: 700 },
    expense('First', { Food: 10, Car: 50 }),
    expense('Second', {}, { merchant: 'Market' }),
  );
}

function projected({ events }: Scenario): ReadModels {
  return new ReadModels().project(events);
}

describe('the documents of a household', () => {
  it('are the same however many events are projected at once', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(histories(40), lengths, (history, runs) => {
        const { events } = live(history).scenario;
        const atOnce = new ReadModels().project(events);
        const inParts = new ReadModels();
        for (const run of inRuns(events, runs)) inParts.project(run);
        assert.deepEqual(inParts.everything(), atOnce.everything());
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('say what a fund holds in its latest month, and that it is none any more', () => {
    const household = scenario();
    const key = `H|${idOf('Car')}`;
    const [opened] = projected(household).all('fundBalances');
    assert.deepEqual(opened, { key, revision: 2, month: MONTH, ending: 850 });
    household.given({ type: 'CreateMonth', month: '2026-02', newIds: household.freshIds() });
    const [carried] = projected(household).all('fundBalances');
    assert.deepEqual(carried, { key, revision: 4, month: '2026-02', ending: 1_050 });
    household.given({ type: 'ChangeItem', itemId: idOf('Car'), endFund: true });
    assert.deepEqual(projected(household).all('fundBalances'), [
      { key, revision: 5, month: null, ending: null },
    ]);
  });

  it('count what is untracked', () => {
    const household = scenario();
    assert.deepEqual(projected(household).all('untrackedCounts'), [{ key: 'H', revision: 3, count: 1 }]);
    household.given({ type: 'RemoveItem', month: MONTH, itemId: idOf('Food') });
    assert.deepEqual(projected(household).all('untrackedCounts'), [{ key: 'H', revision: 4, count: 2 }]);
  });

  it('name every event that touched a transaction after its creation', () => {
    const household = scenario().given(
      { type: 'DeleteTransaction', id: idOf('Second') },
      { type: 'RemoveItem', month: MONTH, itemId: idOf('Food') },
    );
    assert.deepEqual(
      projected(household).all('transactionChanges'),
      [
        { key: `H|${idOf('First')}|000000000005`, revision: 5 },
        { key: `H|${idOf('Second')}|000000000004`, revision: 4 },
      ].sort((a, b) => (a.key < b.key ? -1 : 1)),
    );
  });

  it('say what groups and items are, also of those that are in no month', () => {
    const household = scenario().given(
      { type: 'ChangeItem', itemId: idOf('Car'), fundTarget: 900, favorite: true },
      { type: 'RemoveItem', month: MONTH, itemId: idOf('Food') },
    );
    const [identities] = projected(household).all('identities');
    assert.ok(identities);
    assert.deepEqual(identities.favorites, [idOf('Car')]);
    assert.deepEqual(
      identities.items.map(({ name, kind, is_fund, fund_target, months }) => {
        return [name, kind, is_fund, fund_target, months];
      }),
      [
        ['Pay', 'income', false, null, 1],
        ['Food', 'expense', false, null, 0],
        ['Car', 'expense', true, 900, 1],
      ],
    );
    assert.deepEqual(
      identities.groups.map(({ name, color, is_income }) => [name, color, is_income]),
      [
        ['Income', '#123456', true],
        ['Living', '#123456', false],
      ],
    );
  });

  it('remember a month that was taken away, so that nothing late brings it back', () => {
    const household = scenario().given({ type: 'CreateMonth', month: '2026-02', newIds: [] });
    const { createdAt, copiedFrom } = household.budget('2026-02');
    const removed = {
      type: 'MonthRemoved',
      data: { month: '2026-02', createdAt, taken: { copiedFrom, groups: [] } },
    } as const;
    household.given({ type: 'CommandUndone', data: { undoes: 'event-4', events: [removed] } });
    const months = projected(household).all('months');
    assert.deepEqual(
      months.map(({ key }) => key),
      ['H|2026-01', 'H|2026-02'],
    );
    assert.deepEqual(months[1], { key: 'H|2026-02', revision: 5, month: '2026-02', removed: true });
  });

  it('teach each merchant once, by the last transaction that says where its spending goes', () => {
    const household = scenario().given(
      expense('Third', { Car: 5, Food: 5 }, { merchant: 'CORNER SHOP' }),
      { type: 'ChangeTransaction', id: idOf('Third'), changes: { note: 'teaches nothing' } },
      expense('Fourth', { Food: 1, Car: 2 }, { merchant: 'Market' }),
      { type: 'ChangeTransaction', id: idOf('Fourth'), changes: { splits: [] } },
    );
    assert.deepEqual(projected(household).all('merchants'), [
      { key: 'H|corner shop', revision: 4, merchant: 'CORNER SHOP', item_id: idOf('Car') },
      { key: 'H|market', revision: 6, merchant: 'Market', item_id: idOf('Car') },
    ]);
  });
});
