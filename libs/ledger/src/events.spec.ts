import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  touchedTransactions,
  evolve,
  evolveTransaction,
  type LedgerEvent,
  type RecordedLedgerEvent,
} from './events.js';
import { sumActivity } from './transactions/transaction-record.js';
import { latestBudgetBefore, liveCount, NO_HOUSEHOLD } from './household.js';
import { expense, firstMonth, idOf, income, Scenario, splitsOf } from './ledger.scenario.js';

describe('folding', () => {
  it('no events gives the same household', () => {
    assert.equal(evolve(NO_HOUSEHOLD, []), NO_HOUSEHOLD);
  });

  it('stops at an event that names what the history never made', () => {
    const scenario = new Scenario().given(firstMonth('2026-01', { Income: {}, One: { A: 1 } }));
    const impossible: LedgerEvent[] = [
      { type: 'ItemPlanned', data: { month: '2026-01', itemId: idOf('B'), before: 0, after: 1 } },
      { type: 'ItemPlanned', data: { month: '2026-02', itemId: idOf('A'), before: 1, after: 2 } },
      { type: 'GroupPlaced', data: { month: '2026-01', groupId: idOf('Two') } },
      { type: 'ItemChanged', data: { itemId: idOf('B'), before: { name: 'B' }, after: { name: 'C' } } },
      {
        type: 'TransactionCreated',
        data: { id: idOf('T'), content: expense('T', { B: 1 }).content },
      },
    ];
    for (const event of impossible) {
      assert.throws(
        () => evolve(scenario.household, scenario.headed([event])),
        /the history refers to (budget|group|item) .*, which it never created/,
        event.type,
      );
    }
  });

  it('shares the months that an event does not touch', () => {
    const scenario = new Scenario().given(firstMonth('2026-01', { Income: {}, One: { A: 1 } }), {
      type: 'CreateMonth',
      month: '2026-02',
      newIds: [],
    });
    const [january, february] = scenario.household.months;
    scenario.given(expense('T', { A: 1 }, { budgetMonth: '2026-02' }));
    assert.equal(scenario.household.months[0], january);
    assert.notEqual(scenario.household.months[1], february);
  });
});

describe('a household', () => {
  it('finds its months also before the first, between and after the last', () => {
    const scenario = new Scenario().given(firstMonth('2026-02', { Income: {} }), {
      type: 'CreateMonth',
      month: '2026-05',
      newIds: [],
    });
    scenario.given(expense('T', {}, { budgetMonth: '2026-04' }));
    const before = (month: string): string | undefined =>
      latestBudgetBefore(scenario.household, month)?.month;
    assert.deepEqual(['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'].map(before), [
      undefined,
      undefined,
      '2026-02',
      '2026-02',
      '2026-02',
      '2026-05',
    ]);
    assert.deepEqual(
      ['2026-03', '2026-04', '2026-05'].map(month => liveCount(scenario.household, month)),
      [0, 1, 0],
    );
  });
});

describe('activities', () => {
  it('add up by item, and what cancels out is left out', () => {
    const sum = sumActivity([
      [
        ['A', 3],
        ['B', 4],
      ],
      [
        ['B', -4],
        ['A', 5],
      ],
    ]);
    assert.deepEqual(sum, [['A', 8]]);
    assert.deepEqual(sumActivity([]), []);
  });

  it('that add up beyond the range are refused, where the item stays', () => {
    const great = Number.MAX_SAFE_INTEGER;
    const scenario = new Scenario().given(firstMonth('2026-01', { Income: {}, One: { A: 0, B: 0 } }));
    const steps = [
      expense('T', { A: 1, B: great - 2 }),
      income('U', { B: great - 2 }),
      expense('V', { A: 1, B: great - 2 }),
      income('W', { B: great - 2 }),
    ];
    for (const { id, content } of steps)
      scenario.given({ type: 'TransactionCreated', data: { id, content } });
    const { household } = scenario;
    scenario
      .when({ type: 'RemoveItem', month: '2026-01', itemId: idOf('A') })
      .thenRefused('figure_out_of_range');
    assert.equal(scenario.household, household);
  });
});

describe('a transaction', () => {
  const scenario = new Scenario().given(
    firstMonth('2026-01', { Income: {}, One: { A: 1 } }),
    expense('T', { A: 5 }),
    { type: 'ChangeTransaction', id: idOf('T'), changes: { note: 'x' } },
    { type: 'DeleteTransaction', id: idOf('T') },
  );
  const [month, created, changed, deleted] = scenario.events as [
    RecordedLedgerEvent,
    RecordedLedgerEvent,
    RecordedLedgerEvent,
    RecordedLedgerEvent,
  ];

  it('keeps who made it and when, and who changed it last and when', () => {
    const first = evolveTransaction(null, created);
    assert.deepEqual(first, {
      ...expense('T', { A: 5 }).content,
      id: idOf('T'),
      revision: 1,
      createdRevision: 1,
      createdAt: created.at,
      createdBy: created.by,
      updatedAt: created.at,
      updatedBy: null,
      deletedAt: null,
      taken: null,
    });
    const second = evolveTransaction(first, { ...changed, by: idOf('OTHER') });
    assert.deepEqual(second, {
      ...first,
      note: 'x',
      revision: 2,
      updatedAt: changed.at,
      updatedBy: idOf('OTHER'),
    });
    const third = evolveTransaction(second, deleted);
    assert.deepEqual(
      [third.deletedAt, third.updatedAt, third.revision, third.splits],
      [deleted.at, deleted.at, 3, splitsOf({ A: 5 })],
    );
  });

  it('that was never created cannot be changed', () => {
    assert.throws(() => evolveTransaction(null, changed), /never created/);
  });

  it('is not touched by what happens to months', () => {
    assert.deepEqual(touchedTransactions(month), []);
    const record = evolveTransaction(null, created);
    assert.equal(evolveTransaction(record, { ...month, revision: 9 }), record);
  });
});
