import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Month, Ulid } from './values.js';
import { decodeEvent } from './event-codec.js';
import {
  touchedTransactions,
  EVENTS,
  versionOf,
  evolve,
  evolveTransaction,
  type RecordedLedgerEvent,
} from './events.js';
import { figuresOf, type ItemFigures } from './figures.js';
import { assertAddsUp, histories, live, type Step } from './histories.scenario.js';
import { NO_HOUSEHOLD, type Budget, type Household } from './household.js';
import type { Scenario } from './ledger.scenario.js';
import { contentOf, statusOf, type TransactionRecord } from './transactions/transaction-record.js';
import { propertyRuns } from '../../../test/property-runs.js';

const history = histories(60);
const RUNS = { numRuns: propertyRuns(100) };

/** Maps as lists, so that their order counts as well. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}

/** A household without the revisions at which its parts changed. */
function withoutRevisions(value: unknown): unknown {
  return JSON.parse(JSON.stringify(plain(value)), (name, part: unknown) =>
    name === 'revision' || name.endsWith('Revision') ? undefined : part,
  );
}

/** Everything in a budget but the revision. */
function content({ revision: _revision, ...rest }: Budget): unknown {
  return plain(rest);
}

function budgetsOf(household: Household): Map<Month, Budget> {
  return new Map(household.months.flatMap(({ month, budget }) => (budget ? [[month, budget]] : [])));
}

function deepFreeze(value: unknown): void {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return;
  if (value instanceof Map) {
    const refuse = (): never => {
      throw new TypeError('a frozen map was changed');
    };
    for (const change of ['set', 'delete', 'clear']) Object.defineProperty(value, change, { value: refuse });
    for (const entry of value) for (const part of entry) deepFreeze(part);
  }
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
}

function chunks(events: readonly RecordedLedgerEvent[], sizes: readonly number[]): RecordedLedgerEvent[][] {
  const result: RecordedLedgerEvent[][] = [];
  for (let from = 0, i = 0; from < events.length; i++) {
    const size = sizes[i % sizes.length]!;
    result.push(events.slice(from, from + size));
    from += size;
  }
  return result;
}

/** Each step's household before and after, for every part that has a revision. */
function eachRevised(
  { before, after }: Step,
  check: (name: string, was: unknown, is: unknown, wasAt: number, isAt: number) => void,
): void {
  const earlier = budgetsOf(before);
  for (const [month, budget] of budgetsOf(after)) {
    const known = earlier.get(month);
    if (known) check(month, content(known), content(budget), known.revision, budget.revision);
  }
  for (const [id, { revision, ...balance }] of after.fundBalances) {
    const known = before.fundBalances.get(id);
    if (known) check(id, { month: known.month, ending: known.ending }, balance, known.revision, revision);
  }
  for (const [id, item] of after.items) {
    const known = before.items.get(id);
    if (!known) continue;
    check(id, known.fundTarget, item.fundTarget, known.targetRevision, item.targetRevision);
    const favorite = (household: Household): boolean => household.favorites.includes(id);
    check(id, favorite(before), favorite(after), known.favoriteRevision, item.favoriteRevision);
  }
  for (const [id, group] of after.groups) {
    const known = before.groups.get(id);
    if (known) check(id, known.color, group.color, known.colorRevision, group.colorRevision);
  }
  const { untracked } = after;
  check('untracked', before.untracked.count, untracked.count, before.untracked.revision, untracked.revision);
}

/** Straight from the definition: the ending in the latest earlier month, since the opening, with the item. */
function carryInByDefinition(household: Household, month: Month, itemId: Ulid): number | null {
  const fund = household.items.get(itemId)!.fund;
  if (!fund || month < fund.since) return null;
  const earlier = [...budgetsOf(household).values()]
    .filter(budget => budget.month < month && budget.month >= fund.since && budget.items.has(itemId))
    .at(-1);
  if (!earlier) return fund.openingBalance;
  const { planned, adjustments, activity } = earlier.items.get(itemId)!;
  const adjusted = adjustments
    .filter(({ term }) => term === fund.term)
    .reduce((sum, { amount }) => sum + amount, 0);
  return carryInByDefinition(household, earlier.month, itemId)! + planned + adjusted - activity;
}

function figuresByDefinition(household: Household, month: Month, itemId: Ulid): ItemFigures {
  const { kind } = household.items.get(itemId)!;
  const { planned, activity } = budgetsOf(household).get(month)!.items.get(itemId)!;
  const carryIn = carryInByDefinition(household, month, itemId);
  // What the next month would carry in, if it had the item.
  const ending = carryIn === null ? null : carryInByDefinition(household, `${month}+`, itemId);
  if (kind === 'income') {
    const received = 0 - activity;
    return { planned, spent: 0, received, remaining: planned - received, carryIn, ending };
  }
  return { planned, spent: activity, received: 0, remaining: ending ?? planned - activity, carryIn, ending };
}

describe('random histories', () => {
  it('reach every event, and are refused less often than not', () => {
    const lived = fc.sample(history, { numRuns: 150, seed: 7 }).map(wishes => live(wishes));
    const types = lived.flatMap(({ scenario }) => scenario.events.map(({ type }) => type));
    // What only an undoing makes is reached by the specs of undoing.
    const undoing =
      /^(MonthRemoved|LayoutPutBack|GroupPutBack|ItemPutBack|FundReopened|Adjustment.*|CommandUndone)$/;
    const reached = Object.keys(EVENTS).filter(type => !undoing.test(type));
    assert.deepEqual(new Set(types), new Set(reached));
    const steps = lived.flatMap(({ steps }) => steps);
    const moves = steps.flatMap(({ events }) =>
      events.filter(
        event =>
          event.type === 'TransactionChanged' &&
          event.data.before.budgetMonth !== event.data.after.budgetMonth,
      ),
    );
    assert.ok(moves.length > 20);
    assert.ok(steps.filter(({ refused }) => refused).length < steps.length / 2);
    const terms = lived.map(({ scenario }) =>
      Math.max(...[...scenario.household.items.values()].map(item => item.terms)),
    );
    assert.ok(Math.max(...terms) > 1);
  });

  it('fold to the same household one by one, all at once and in chunks', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(history, sizes, (wishes, sizes) => {
        const { household, events } = live(wishes).scenario;
        const folded = (parts: RecordedLedgerEvent[][]): unknown => plain(parts.reduce(evolve, NO_HOUSEHOLD));
        const expected = plain(household);
        assert.deepEqual(folded([events]), expected);
        assert.deepEqual(folded(chunks(events, [1])), expected);
        assert.deepEqual(folded(chunks(events, sizes)), expected);
      }),
      RUNS,
    );
  });

  it('carry into every month what the definition says', () => {
    fc.assert(
      fc.property(history, wishes => {
        const { household } = live(wishes).scenario;
        for (const [month, budget] of budgetsOf(household)) {
          for (const [itemId, { carryIn }] of budget.items) {
            assert.equal(carryIn, carryInByDefinition(household, month, itemId), `${itemId} in ${month}`);
          }
        }
        for (const [itemId, item] of household.items) {
          if (!item.fund) continue;
          const latest = [...budgetsOf(household).values()]
            .filter(({ month, items }) => month >= item.fund!.since && items.has(itemId))
            .at(-1);
          const balance = household.fundBalances.get(itemId);
          const next = carryInByDefinition(household, '9999-12', itemId);
          assert.equal(balance?.month ?? null, latest?.month ?? null);
          assert.equal(balance?.ending ?? null, latest ? next : null);
        }
      }),
      RUNS,
    );
  });

  it('show for every item, group and month what the definition says', () => {
    fc.assert(
      fc.property(history, wishes => {
        const { household } = live(wishes).scenario;
        for (const [month, budget] of budgetsOf(household)) {
          const figures = figuresOf(household, budget);
          const items = new Map(
            [...budget.items.keys()].map(id => [id, figuresByDefinition(household, month, id)]),
          );
          assert.deepEqual(figures.items, items);
          const sum = (
            ids: readonly Ulid[],
            figure: 'planned' | 'spent' | 'received' | 'remaining',
          ): number => ids.reduce((total, id) => total + items.get(id)![figure], 0);
          for (const { groupId, itemIds } of budget.groups) {
            assert.deepEqual(figures.groups.get(groupId), {
              planned: sum(itemIds, 'planned'),
              spent: sum(itemIds, 'spent'),
              received: sum(itemIds, 'received'),
              remaining: sum(itemIds, 'remaining'),
            });
          }
          const [income, ...others] = budget.groups.map(({ itemIds }) => itemIds);
          const expenses = others.flat();
          assert.deepEqual(figures.center, {
            planned: sum(expenses, 'planned'),
            spent: sum(expenses, 'spent'),
            remaining: sum(expenses, 'remaining'),
          });
          assert.equal(figures.leftToBudget, sum(income!, 'planned') - sum(expenses, 'planned'));
        }
      }),
      RUNS,
    );
  });

  it('count what a sum over all transactions counts', () => {
    fc.assert(
      fc.property(history, wishes => {
        assertAddsUp(live(wishes).scenario);
      }),
      RUNS,
    );
  });

  it('count in how many months groups and items are, each item in one group of its kind', () => {
    fc.assert(
      fc.property(history, wishes => {
        const { household } = live(wishes).scenario;
        const budgets = [...budgetsOf(household).values()];
        for (const { groups, items } of budgets) {
          const laid = groups.flatMap(({ itemIds }) => itemIds);
          assert.equal(new Set(laid).size, laid.length);
          assert.deepEqual(new Set(laid), new Set(items.keys()));
          assert.deepEqual(
            groups.map(({ groupId }) => household.groups.get(groupId)!.isIncome),
            groups.map((_, i) => i === 0),
          );
          groups.forEach(({ itemIds }, i) => {
            for (const id of itemIds) assert.equal(household.items.get(id)!.kind === 'income', i === 0);
          });
        }
        for (const { id, months } of household.groups.values()) {
          const inMonths = budgets.filter(({ groups }) => groups.some(({ groupId }) => groupId === id));
          assert.equal(months, inMonths.length);
        }
        for (const { id, months } of household.items.values()) {
          assert.equal(months, budgets.filter(({ items }) => items.has(id)).length);
        }
      }),
      RUNS,
    );
  });

  it('move a revision exactly where the content changes', () => {
    fc.assert(
      fc.property(history, wishes => {
        for (const step of live(wishes).steps) {
          eachRevised(step, (name, was, is, wasAt, isAt) => {
            if (isAt !== wasAt) {
              assert.ok(isAt > step.before.revision && isAt <= step.after.revision);
              // A batch may change it and change it back.
              if (step.command.type === 'BatchTransactions') return;
              assert.notDeepEqual(is, was, `${step.command.type} moved the revision of ${name} for nothing`);
            } else {
              assert.deepEqual(is, was, `${step.command.type} changed ${name} without moving its revision`);
            }
          });
        }
      }),
      RUNS,
    );
  });

  it('name as changed exactly the months with another figure', () => {
    fc.assert(
      fc.property(history, wishes => {
        for (const { before, after, months, command } of live(wishes).steps) {
          const figures = (household: Household): Map<Month, unknown> =>
            new Map(
              [...budgetsOf(household)].map(([month, budget]) => [month, figuresOf(household, budget)]),
            );
          const [was, is] = [figures(before), figures(after)];
          const expected = [...is.keys()].filter(month => {
            try {
              assert.deepEqual(is.get(month), was.get(month));
              return false;
            } catch {
              return true;
            }
          });
          assert.deepEqual(months, expected, command.type);
        }
      }),
      RUNS,
    );
  });

  it('record nothing for a command that changes nothing, and something else for every event', () => {
    fc.assert(
      fc.property(history, wishes => {
        const scenarios: unknown[] = [];
        const { steps, scenario } = live(wishes, now => scenarios.push(visible(now)));
        scenarios.push(visible(scenario));
        steps.forEach(({ events, command }, i) => {
          if (events.length === 0) assert.deepEqual(scenarios[i + 1], scenarios[i], command.type);
          else assert.notDeepEqual(scenarios[i + 1], scenarios[i], command.type);
        });
      }),
      RUNS,
    );
  });

  it('record nothing when a command that says how it shall be comes again', () => {
    fc.assert(
      fc.property(history, wishes => {
        const { scenario, steps } = live(wishes);
        const last = steps.at(-1)!;
        const makes = ['CreateMonth', 'HarvestItem', 'OpenFund', 'PlaceGroup', 'PlaceItem', 'RemoveGroup'];
        fc.pre(
          !last.refused &&
            ![...makes, 'RemoveItem', 'AddGroup', 'AddItem', 'BatchTransactions'].includes(last.command.type),
        );
        scenario.when(last.command).thenNothing();
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('fold into transactions that do not change when events come again', () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), (wishes, again) => {
        const { events, transactions } = live(wishes).scenario;
        const records = new Map<Ulid, TransactionRecord>();
        const deliver = (event: RecordedLedgerEvent): void => {
          for (const id of touchedTransactions(event)) {
            records.set(id, evolveTransaction(records.get(id) ?? null, event));
          }
        };
        events.forEach((event, i) => {
          deliver(event);
          deliver(event);
          for (const index of again) deliver(events[index % (i + 1)]!);
        });
        assert.deepEqual(records, transactions);
      }),
      RUNS,
    );
  });

  it('are decided and folded without changing what is given', () => {
    fc.assert(
      fc.property(history, wishes => {
        live(wishes, scenario => {
          deepFreeze(scenario.household);
          deepFreeze(scenario.events.at(-1));
          for (const record of scenario.transactions.values()) deepFreeze(record);
        });
      }),
      RUNS,
    );
  });

  it('are stored and understood again', () => {
    fc.assert(
      fc.property(history, wishes => {
        for (const event of live(wishes).scenario.events) {
          const metadata = {
            schemaVersion: versionOf(event.type),
            at: event.at,
            actor: { userId: event.by, credential: { kind: 'session', id: 'session-1' } },
            commandId: `command-${event.revision}`,
            requestId: 'request-1',
            previousHash: null,
          };
          const stored = {
            id: event.id,
            revision: event.revision,
            type: event.type,
            data: event.data,
            metadata,
          };
          const read = JSON.parse(JSON.stringify(stored)) as typeof stored;
          assert.deepEqual(decodeEvent(read), { ...event, metadata });
        }
      }),
      RUNS,
    );
  });
});

/** What a client can see of a household and its transactions. */
function visible({ household, transactions }: Scenario): unknown {
  const records = [...transactions].map(([id, record]) => [id, statusOf(record), contentOf(record)]);
  return [withoutRevisions(household), records];
}
