import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decide, type CommandOf } from '../commands.js';
import type { TransactionCommand } from './transaction-commands.js';
import { NO_FACTS } from '../command-declaration.js';
import type { LedgerEvent } from '../events.js';
import { histories, live } from '../histories.scenario.js';
import { expense, firstMonth, hugeExpense, idOf, income, Scenario, withLive } from '../ledger.scenario.js';
import { TRANSACTIONS_PER_MONTH_MAX } from '../limits.js';
import { Refusal } from '../refusal.js';
import { undo, type Commands } from '../undo/undoing.scenario.js';
import { propertyRuns } from '../../../../test/property-runs.js';

type Batch = CommandOf<'BatchTransactions'>;

function batch(...operations: readonly TransactionCommand[]): Batch {
  return { type: 'BatchTransactions', operations, skipKnown: false };
}

const remove = (name: string): TransactionCommand => ({ type: 'DeleteTransaction', id: idOf(name) });
const oneMonth = (): Scenario =>
  new Scenario().given(firstMonth('2026-01', { Income: { Pay: 0 }, Living: { Food: 0, Fun: 0 } }));

/** What the operations do as single commands: all their events, or the first refusal with its place. */
function oneByOne(scenario: Scenario, { operations, skipKnown }: Batch): readonly LedgerEvent[] | object {
  const single = new Scenario().given(...scenario.events);
  const events: LedgerEvent[] = [];
  for (const [index, operation] of operations.entries()) {
    const isKnown = operation.type === 'CreateTransaction' && single.transactions.has(operation.id);
    if (skipKnown && isKnown) continue;
    const decision = single.when(operation);
    if (decision.refusal) {
      const { code, details } = decision.refusal;
      return { code, details: { ...details, index } };
    }
    events.push(...decision.events);
  }
  return events;
}

describe('a batch of transactions', () => {
  it('does what its operations do one after the other, or is refused as the first of them', () => {
    fc.assert(
      fc.property(histories(30), wishes => {
        const expected: (readonly LedgerEvent[] | object)[] = [];
        const { steps } = live(wishes, (scenario, command) => {
          if (command.type === 'BatchTransactions') expected.push(oneByOne(scenario, command));
        });
        const batches = steps.filter(({ command }) => command.type === 'BatchTransactions');
        assert.deepEqual(
          batches.map(({ events, refusal }) =>
            refusal ? { code: refusal.code, details: refusal.details } : events,
          ),
          expected,
        );
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('finds room in a month only as far as its earlier operations make it', () => {
    const scenario = oneMonth().given(expense('T', { Food: 3 }));
    const full = withLive(scenario.household, '2026-01', TRANSACTIONS_PER_MONTH_MAX);
    const { transactions } = scenario.factsOf(remove('T'));
    const facts = { ...NO_FACTS, transactions };
    assert.equal(decide(full, batch(remove('T'), expense('U', {})), facts).length, 2);
    assert.throws(
      () => decide(full, batch(expense('U', {}), remove('T')), facts),
      (error: unknown) =>
        error instanceof Refusal && error.code === 'month_full' && error.details['index'] === 0,
    );
  });

  it('is undone in a full month as it was done', () => {
    const scenario = oneMonth().given(expense('T', { Food: 3 }));
    scenario.household = withLive(scenario.household, '2026-01', TRANSACTIONS_PER_MONTH_MAX);
    scenario.given(batch(remove('T'), expense('U', {})));
    const commands: Commands = [scenario.events.slice(0, 2), scenario.events.slice(2)];
    undo(scenario, commands, 1);
    assert.equal(scenario.transaction('T').deletedAt, null);
    assert.equal(scenario.household.months[0]!.live, TRANSACTIONS_PER_MONTH_MAX);
  });

  it('never takes a figure out of the exact range on the way', () => {
    const nearly = Number.MAX_SAFE_INTEGER - 5;
    const scenario = oneMonth().given(hugeExpense('T', { Food: nearly }, '2026-01'));
    const there = [expense('U', { Fun: 3 }), expense('V', { Food: 3 }), income('W', { Food: 3 })] as const;
    scenario.when(batch(...there)).thenRefused('figure_out_of_range', { index: 1 });
    const [first, second, third] = there;
    scenario.when(batch(third, first, second)).thenChangedMonths('2026-01');
  });
});
