import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RecordedLedgerEvent } from '#ledger/events';
import { histories, live } from '#ledger/histories.scenario';
import { NO_HOUSEHOLD } from '#ledger/household';
import { expense, firstMonth, idOf, Scenario } from '#ledger/ledger.scenario';
import { commandsOf, eachByItself, undo, undone } from '#ledger/undo/undoing.scenario';
import { FundHistory, type FundEntry } from './fund-history.js';
import { propertyRuns } from '../../../test/property-runs.js';

const [JANUARY, FEBRUARY] = ['2026-01', '2026-02'];
const CAR = idOf('Car');

function scenario(): Scenario {
  return new Scenario().given(
    firstMonth(JANUARY, { Income: { Pay: 500 }, Living: { Food: 100, Car: 200 } }),
    { type: 'OpenFund', month: JANUARY, itemId: CAR, openingBalance: 700 },
  );
}

function entriesOf(events: readonly RecordedLedgerEvent[], itemId = CAR): readonly FundEntry[] {
  return new FundHistory(itemId, NO_HOUSEHOLD).add(events);
}

/** What a history tells of the fund, without when and by whom. */
function told({ events }: Scenario): unknown[] {
  return entriesOf(events).map(({ month, kind, amount, balance }) => [month, kind, amount, balance]);
}

describe('the history of a fund', () => {
  it('tells what moved it, in the order in which it happened', () => {
    const household = scenario().given(
      expense('First', { Car: 50, Food: 5 }),
      { type: 'CreateMonth', month: FEBRUARY, newIds: [] },
      { type: 'PlanItem', month: FEBRUARY, itemId: CAR, planned: 0 },
      { type: 'UpdateFundBalance', month: JANUARY, itemId: CAR, balance: 1_000 },
      { type: 'RemoveItem', month: JANUARY, itemId: CAR },
      { type: 'ChangeItem', itemId: CAR, endFund: true },
    );
    assert.deepEqual(told(household), [
      [JANUARY, 'opened', 900, 900],
      [JANUARY, 'spent', -50, 850],
      [FEBRUARY, 'laid_out', 200, 1_050],
      [FEBRUARY, 'planned', -200, 850],
      [JANUARY, 'adjusted', 150, 1_000],
      [JANUARY, 'removed', -300, 700],
      [FEBRUARY, 'closed', -700, 0],
    ]);
  });

  it('says of each entry when, by whom and by which event', () => {
    const household = scenario().given(expense('First', { Food: 5 }), expense('Second', { Car: 50 }));
    const [, spent] = entriesOf(household.events);
    const { at, by, id: eventId, revision } = household.events[3]!;
    const entry = { at, by, month: JANUARY, kind: 'spent', amount: -50, balance: 850, eventId, revision };
    assert.deepEqual(spent, entry);
  });

  it('begins anew where an item is made a fund again, and counts earlier corrections no more', () => {
    const household = scenario().given(
      { type: 'UpdateFundBalance', month: JANUARY, itemId: CAR, balance: 1_000 },
      { type: 'ChangeItem', itemId: CAR, endFund: true },
      { type: 'OpenFund', month: JANUARY, itemId: CAR, openingBalance: -300 },
      { type: 'UpdateFundBalance', month: JANUARY, itemId: CAR, balance: 5 },
    );
    assert.deepEqual(told(household), [
      [JANUARY, 'opened', 900, 900],
      [JANUARY, 'adjusted', 100, 1_000],
      [JANUARY, 'closed', -1_000, 0],
      [JANUARY, 'opened', -100, -100],
      [JANUARY, 'adjusted', 105, 5],
    ]);
  });

  it('opens a fund in each later month that has the item already', () => {
    const household = scenario().given(
      { type: 'CreateMonth', month: FEBRUARY, newIds: [] },
      { type: 'ChangeItem', itemId: CAR, endFund: true },
      { type: 'PlanItem', month: FEBRUARY, itemId: CAR, planned: 30 },
      { type: 'OpenFund', month: JANUARY, itemId: CAR, openingBalance: 0 },
    );
    assert.deepEqual(told(household).slice(-2), [
      [JANUARY, 'opened', 200, 200],
      [FEBRUARY, 'laid_out', 30, 230],
    ]);
  });

  it('opens a fund of which the end is undone in the first month that has it, or in none', () => {
    const household = scenario().given(
      { type: 'CreateMonth', month: FEBRUARY, newIds: [] },
      { type: 'RemoveItem', month: JANUARY, itemId: CAR },
    );
    const { commands, given } = eachByItself(household);
    undo(household, commands, given({ type: 'ChangeItem', itemId: CAR, endFund: true }));
    const end = given({ type: 'ChangeItem', itemId: CAR, endFund: true });
    given({ type: 'RemoveItem', month: FEBRUARY, itemId: CAR });
    undo(household, commands, end);
    assert.deepEqual(told(household).slice(-4), [
      [FEBRUARY, 'closed', -900, 0],
      [FEBRUARY, 'opened', 900, 900],
      [FEBRUARY, 'closed', -900, 0],
      [JANUARY, 'opened', 700, 700],
    ]);
  });

  it('adds up to the balance, however the household came there', () => {
    fc.assert(
      fc.property(histories(60), fc.array(fc.nat(), { maxLength: 9 }), (history, picks) => {
        const { scenario: lived, steps } = live(history);
        const commands = commandsOf(
          lived,
          steps.map(({ events }) => events.length).filter(length => length > 0),
        );
        if (commands.length === 0) return;
        for (const pick of picks) undone(lived, commands, commands.length - 1 - (pick % commands.length));
        const { events, household } = lived;
        for (const { id, fund } of household.items.values()) {
          const sum = entriesOf(events, id).reduce((total, { amount }) => total + amount, 0);
          // A fund that is in no month holds what it was opened with.
          const held = household.fundBalances.get(id)?.ending ?? fund?.openingBalance ?? 0;
          assert.equal(sum, held);
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('is the same in parts, and knows the household after the last event', () => {
    fc.assert(
      fc.property(histories(40), fc.nat(40), (history, at) => {
        const { events, household } = live(history).scenario;
        for (const itemId of [idOf('A'), idOf('C')]) {
          const inParts = new FundHistory(itemId, NO_HOUSEHOLD);
          const entries = [...inParts.add(events.slice(0, at)), ...inParts.add(events.slice(at))];
          assert.deepEqual(entries, entriesOf(events, itemId));
          assert.deepEqual(inParts.household, household);
        }
      }),
      { numRuns: propertyRuns(25) },
    );
  });
});
