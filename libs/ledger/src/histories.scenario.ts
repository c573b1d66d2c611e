import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Month, Kind, Ulid } from './values.js';
import type { Command } from './commands.js';
import type { Changes } from './command-declaration.js';
import type { TransactionCommand } from './transactions/transaction-commands.js';
import type { LedgerEvent } from './events.js';
import {
  activityOf,
  statusOf,
  type Split,
  type TransactionContent,
  type TransactionRecord,
} from './transactions/transaction-record.js';
import type { Household } from './household.js';
import { firstMonth, idOf, Scenario } from './ledger.scenario.js';
import type { Refusal } from './refusal.js';

/** A wish that is made a command by what there is when its turn comes: numbers pick months, groups and items. */
export interface Wish {
  readonly what: Command['type'];
  readonly picks: readonly number[];
  readonly amounts: readonly number[];
  readonly flag: boolean;
}

/** One command of a history, with the household before and after it. */
export interface Step {
  readonly before: Household;
  readonly after: Household;
  readonly command: Command;
  readonly events: readonly LedgerEvent[];
  readonly months: readonly Month[];
  readonly refusal: Refusal | null;
  readonly refused: boolean;
}

const MONTHS: readonly Month[] = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-06'];

/** How often each command is wished for. */
const WEIGHTS: Readonly<Record<Command['type'], number>> = {
  UndoCommand: 0,
  CreateMonth: 4,
  ResetMonth: 2,
  AddGroup: 1,
  PlaceGroup: 3,
  ChangeGroup: 1,
  RemoveGroup: 2,
  OrderGroups: 1,
  AddItem: 1,
  PlaceItem: 4,
  ChangeItem: 4,
  PlanItem: 3,
  RemoveItem: 3,
  OrderItems: 3,
  OpenFund: 6,
  UpdateFundBalance: 4,
  HarvestItem: 2,
  CreateTransaction: 8,
  ChangeTransaction: 8,
  DeleteTransaction: 3,
  RestoreTransaction: 4,
  BatchTransactions: 4,
};

/** Now and then so small that incomes and expenses cancel out. */
const amount = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) },
);

const wish: fc.Arbitrary<Wish> = fc.record({
  what: fc.oneof(
    ...Object.entries(WEIGHTS).map(([what, weight]) => ({
      weight,
      arbitrary: fc.constant(what as Command['type']),
    })),
  ),
  picks: fc.array(fc.nat(997), { minLength: 5, maxLength: 5 }),
  amounts: fc.array(amount, { minLength: 3, maxLength: 3 }),
  flag: fc.boolean(),
});

/** Random histories of a household that begins with one small month. */
export function histories(maxLength: number): fc.Arbitrary<readonly Wish[]> {
  return fc.array(wish, { minLength: 1, maxLength, size: 'max' });
}

/** Lets a history happen; refused commands change nothing. */
export function live(
  history: readonly Wish[],
  beforeEach: (scenario: Scenario, command: Command) => void = () => {},
): Lived {
  const scenario = new Scenario().given(
    firstMonth('2026-02', { Income: { Pay: 500 }, One: { A: 10, B: 0 }, Two: { C: 30 }, Food: {} }),
  );
  const steps = history.map((wish): Step => {
    const command = commandOf(scenario, wish);
    beforeEach(scenario, command);
    const before = scenario.household;
    const { events, months, refusal } = scenario.when(command);
    return { before, after: scenario.household, command, events, months, refusal, refused: refusal !== null };
  });
  return { scenario, steps };
}

interface Lived {
  readonly scenario: Scenario;
  readonly steps: readonly Step[];
}

function commandOf(scenario: Scenario, wish: Wish): Command {
  const { household } = scenario;
  const [a = 0, b = 0, c = 0] = wish.picks;
  const made = household.months.filter(({ budget }) => budget).map(({ month }) => month);
  const target: Target = {
    month: pick(wish.what === 'CreateMonth' ? MONTHS : made, a),
    // Mostly the items that the first month had, so that histories meet in the same ones.
    itemId: pick(c % 4 === 0 ? [...household.items.keys()] : ['A', 'B', 'C', 'Pay'].map(idOf), b),
    groupId: pick(c % 4 === 0 ? [...household.groups.keys()] : ['One', 'Two', 'Income', 'Food'].map(idOf), c),
    transactionId: pick([...scenario.transactions.keys(), idOf('T0')], b),
  };
  return (
    monthCommand(scenario, wish, target) ??
    itemCommand(scenario, wish, target) ??
    transactionCommand(scenario, wish, target)
  );
}

interface Target {
  readonly month: Month;
  readonly itemId: Ulid;
  readonly groupId: Ulid;
  readonly transactionId: Ulid;
}

function monthCommand(scenario: Scenario, wish: Wish, { month, groupId }: Target): Command | null {
  const name = `N${wish.picks[3]}`;
  switch (wish.what) {
    case 'CreateMonth':
      return { type: 'CreateMonth', month, newIds: scenario.freshIds() };
    case 'ResetMonth':
      return {
        type: 'ResetMonth',
        month,
        mode: wish.flag ? 'replace' : 'zero',
        newIds: scenario.freshIds(),
      };
    case 'AddGroup':
      return { type: 'AddGroup', month, groupId: idOf(`G${scenario.events.length}`), name };
    case 'PlaceGroup':
      return { type: 'PlaceGroup', month, groupId };
    case 'ChangeGroup':
      return { type: 'ChangeGroup', groupId, changes: wish.flag ? { name } : { name, color: '#00ff00' } };
    case 'RemoveGroup':
      return { type: 'RemoveGroup', month, groupId };
    case 'OrderGroups': {
      const [, ...others] = scenario.budget(month).groups.map(group => group.groupId);
      return { type: 'OrderGroups', month, groupIds: turned(others, wish.picks[3]!) };
    }
    default:
      return null;
  }
}

function itemCommand(scenario: Scenario, wish: Wish, target: Target): Command | null {
  const { month, itemId, groupId } = target;
  const [planned = 0, other = 0] = wish.amounts;
  const note = wish.flag ? `note ${planned}` : null;
  switch (wish.what) {
    case 'AddItem': {
      const id = idOf(`I${scenario.events.length}`);
      return { type: 'AddItem', month, groupId, itemId: id, name: `I${planned}`, planned, note };
    }
    case 'PlaceItem':
      return { type: 'PlaceItem', month, groupId, itemId, planned, note };
    case 'ChangeItem':
      return changeItem(wish, itemId);
    case 'PlanItem':
      return { type: 'PlanItem', month, itemId, planned, note };
    case 'RemoveItem':
      return { type: 'RemoveItem', month, itemId };
    case 'OrderItems':
      return orderItems(scenario, wish, target);
    case 'OpenFund':
      return { type: 'OpenFund', month, itemId, openingBalance: planned - other };
    case 'UpdateFundBalance':
      return { type: 'UpdateFundBalance', month, itemId, balance: planned - other };
    case 'HarvestItem':
      return { type: 'HarvestItem', month, itemId };
    default:
      return null;
  }
}

function changeItem({ picks, amounts, flag }: Wish, itemId: Ulid): Command {
  const variants = [
    { favorite: flag },
    { fundTarget: flag ? amounts[0]! : null },
    { name: `N${amounts[0]}`, favorite: true },
    { endFund: true, ...(flag && { favorite: false }) },
  ];
  return { type: 'ChangeItem', itemId, ...pick(variants, picks[3]!) };
}

function orderItems(scenario: Scenario, wish: Wish, { month, groupId, itemId }: Target): Command {
  const own = scenario.budget(month).groups.find(group => group.groupId === groupId)?.itemIds ?? [];
  const joined = wish.flag && !own.includes(itemId) ? [...own, itemId] : own;
  return { type: 'OrderItems', month, groupId, itemIds: turned(joined, wish.picks[3]!) };
}

function transactionCommand(scenario: Scenario, wish: Wish, target: Target): Command {
  const { month, transactionId: id } = target;
  switch (wish.what) {
    case 'BatchTransactions':
      return {
        type: 'BatchTransactions',
        operations: operationsOf(scenario, wish, target),
        skipKnown: wish.flag,
      };
    case 'ChangeTransaction':
      return { type: 'ChangeTransaction', id, changes: changesOf(scenario, wish, month) };
    case 'DeleteTransaction':
      return { type: 'DeleteTransaction', id };
    case 'RestoreTransaction':
      return { type: 'RestoreTransaction', id };
    default: {
      const created = wish.picks[3]! % 9 === 0 ? id : idOf(`T${scenario.events.length}`);
      return { type: 'CreateTransaction', id: created, content: contentOf(scenario, wish, month) };
    }
  }
}

/** A creation, and what mostly is possible after it: of the same transaction, and of another one. */
function operationsOf(scenario: Scenario, wish: Wish, target: Target): TransactionCommand[] {
  const id = idOf(`T${scenario.events.length}`);
  const created = {
    type: 'CreateTransaction',
    id,
    content: contentOf(scenario, wish, target.month),
  } as const;
  const kinds = ['ChangeTransaction', 'DeleteTransaction', 'RestoreTransaction'] as const;
  const further = wish.picks.slice(0, wish.picks[4]! % 5).map((chosen, i): TransactionCommand => {
    const transactionId = chosen % 2 === 0 ? id : target.transactionId;
    const own = { ...wish, what: pick(kinds, chosen), picks: turned(wish.picks, i) };
    return transactionCommand(scenario, own, { ...target, transactionId }) as TransactionCommand;
  });
  return [created, ...further];
}

function contentOf(scenario: Scenario, wish: Wish, month: Month): TransactionContent {
  const splits = someSplits(scenario, wish, month);
  return {
    type: kindOf(wish),
    amount: splits.reduce((sum, { amount }) => sum + amount, 0) || wish.amounts[0]!,
    date: `${month}-10`,
    merchant: `M${wish.picks[2]! % 3}`,
    note: wish.flag ? 'note' : null,
    budgetMonth: splits.length > 0 ? month : pick(MONTHS, wish.picks[4]!),
    splits,
    location: wish.flag ? { lat: 1.5, lng: -0.25, accuracyM: 7 } : null,
  };
}

function changesOf(scenario: Scenario, wish: Wish, month: Month): Changes<TransactionContent> {
  const splits = someSplits(scenario, wish, month);
  const amount = splits.reduce((sum, split) => sum + split.amount, 0) || wish.amounts[0]!;
  const variants: Changes<TransactionContent>[] = [
    { budgetMonth: month },
    { budgetMonth: month },
    { budgetMonth: month, splits, amount },
    { splits, amount },
    { splits: [] },
    { amount },
    { type: kindOf(wish) },
    { note: null, merchant: `M${wish.picks[2]! % 3}`, location: null },
  ];
  return pick(variants, wish.picks[3]!);
}

/** Up to three splits on different items of the month; sometimes none. */
function someSplits(scenario: Scenario, { picks, amounts }: Wish, month: Month): Split[] {
  const items = [...scenario.budget(month).items.keys()];
  if (items.length === 0) return [];
  const chosen = new Set(picks.slice(1, 2 + (picks[0]! % 3)).map(index => pick(items, index)));
  return picks[4]! % 7 === 0 ? [] : [...chosen].map((itemId, i) => ({ itemId, amount: amounts[i]! }));
}

function kindOf({ picks }: Wish): Kind {
  return picks[1]! % 3 === 0 ? 'income' : 'expense';
}

function pick<T>(from: readonly T[], index: number): T {
  return from[index % from.length]!;
}

/** The list with its first few moved to the end. */
function turned<T>(list: readonly T[], count: number): T[] {
  const index = list.length === 0 ? 0 : count % list.length;
  return [...list.slice(index), ...list.slice(0, index)];
}

/** Every sum that a household holds is what a sum over all transactions gives. */
export function assertAddsUp(scenario: Scenario): void {
  const { household, transactions } = scenario;
  const records = [...transactions.values()];
  const count = (status: string, month?: Month): number =>
    records.filter(
      record => statusOf(record) === status && (month === undefined || record.budgetMonth === month),
    ).length;
  assert.equal(household.untracked.count, count('untracked'));
  for (const { month, live, budget } of household.months) {
    assert.equal(live, count('tracked', month) + count('untracked', month));
    for (const [itemId, { activity }] of budget?.items ?? []) {
      assert.equal(activity, activityByDefinition(records, month, itemId));
    }
  }
  const known = new Set(household.months.map(({ month }) => month));
  for (const record of records) {
    if (record.deletedAt !== null) continue;
    assert.ok(known.has(record.budgetMonth));
    const budget = household.months.find(({ month }) => month === record.budgetMonth)?.budget;
    for (const { itemId } of record.splits) assert.ok(budget?.items.has(itemId));
  }
}

function activityByDefinition(records: readonly TransactionRecord[], month: Month, itemId: Ulid): number {
  return records
    .filter(({ deletedAt, budgetMonth }) => deletedAt === null && budgetMonth === month)
    .flatMap(({ type, splits }) => activityOf(type, splits))
    .filter(([id]) => id === itemId)
    .reduce((sum, [, amount]) => sum + amount, 0);
}
