import type { Command, CommandOf } from './commands.js';
import type { LedgerEvent, RecordedLedgerEvent, TransactionContent } from './events.js';
import { evolve } from './evolve.js';
import { changedMonths, FigureOutOfRange, laidFiguresOf } from './figures.js';
import { budgetOf, changedMonthStates, type Household } from './household.js';
import { requirePlaces, requireRoomAfter } from './rules/checks.js';
import { Refusal } from './refusal.js';
import { addGroup, changeGroup, orderGroups, placeGroup, removeGroup } from './rules/groups.js';
import {
  addItem,
  changeItem,
  harvestItem,
  orderItems,
  placeItem,
  planItem,
  removeItem,
} from './rules/items.js';
import { openFund, updateFundBalance } from './rules/funds.js';
import { createMonth, resetMonth } from './rules/months.js';
import {
  changeTransaction,
  createTransaction,
  deleteTransaction,
  restoreTransaction,
} from './rules/transactions.js';
import type { TrackedIn, TransactionRecord } from './transaction-record.js';
import { undoCommand, type LaterCommand } from './undo/undo-command.js';

/** What a decision needs besides the household: transactions, looked up by `neededFacts`. */
export interface Facts {
  /** The transaction that the command names, or null where there is none. */
  readonly transaction: TransactionRecord | null;
  /** What was first posted under that id, for a repeated creation. */
  readonly posted: TransactionContent | null;
  /** The transactions that the command would untrack. */
  readonly tracked: readonly TransactionRecord[];
  /** For an undoing; absent where there is no such command. */
  readonly undo?: UndoFacts;
}

/** The command that an undoing reverses, and what it must know besides. */
export interface UndoFacts {
  /** Its events, in order. */
  readonly target: readonly RecordedLedgerEvent[];
  /** Every command after it, in order. */
  readonly later: readonly LaterCommand[];
  /** The transaction that it was about, if it was about one. */
  readonly transaction: TransactionRecord | null;
}

/** For a command that `neededFacts` asks nothing for. */
export const NO_FACTS: Facts = { transaction: null, posted: null, tracked: [] };

/** Which transactions must be looked up before the command can be decided. */
interface NeededFacts {
  readonly transactionId?: string;
  /** Also what was first posted under the id. */
  readonly posted?: boolean;
  readonly tracked?: TrackedIn;
  /** The id of a command's first event: the command itself and what came after it. */
  readonly undo?: string;
}

/** What `decide` must be given for a command. Refuses nothing: what the command names need not be there. */
export function neededFacts(household: Household, command: Command): NeededFacts {
  switch (command.type) {
    case 'CreateTransaction':
      // Clients draw ids by the time: most are greater than all before, and so need no look-up.
      if (command.id > household.greatestTransactionId) return {};
      return { transactionId: command.id, posted: true };
    case 'ChangeTransaction':
    case 'DeleteTransaction':
    case 'RestoreTransaction':
      return { transactionId: command.id };
    case 'RemoveItem':
      return { tracked: { month: command.month, itemIds: [command.itemId] } };
    case 'RemoveGroup': {
      const groups = budgetOf(household, command.month)?.groups ?? [];
      const itemIds = groups.find(({ groupId }) => groupId === command.groupId)?.itemIds ?? [];
      return { tracked: { month: command.month, itemIds } };
    }
    case 'ResetMonth':
      return command.mode === 'replace' ? { tracked: { month: command.month, itemIds: 'all' } } : {};
    case 'UndoCommand':
      return { undo: command.eventId };
    default:
      return {};
  }
}

/**
 * Decides a command: which events it makes, none where it changes nothing.
 *
 * @throws Refusal where a rule forbids it, with the rule's code; what only the state after it shows,
 *   `outcomeOf` refuses
 */
export function decide(household: Household, command: Command, facts: Facts): readonly LedgerEvent[] {
  switch (command.type) {
    case 'CreateMonth':
      return createMonth(household, command);
    case 'ResetMonth':
      return resetMonth(household, command, facts.tracked);
    case 'AddGroup':
      return addGroup(household, command);
    case 'PlaceGroup':
      return placeGroup(household, command);
    case 'ChangeGroup':
      return changeGroup(household, command);
    case 'RemoveGroup':
      return removeGroup(household, command, facts.tracked);
    case 'OrderGroups':
      return orderGroups(household, command);
    case 'OpenFund':
      return openFund(household, command);
    case 'UpdateFundBalance':
      return updateFundBalance(household, command);
    case 'CreateTransaction':
    case 'ChangeTransaction':
    case 'DeleteTransaction':
    case 'RestoreTransaction':
      return decideTransaction(household, command, facts);
    case 'UndoCommand':
      return decideUndo(household, facts.undo);
    default:
      return decideItem(household, command, facts);
  }
}

function decideUndo(household: Household, undo: UndoFacts | undefined): readonly LedgerEvent[] {
  if (!undo) throw new Refusal('not_found', 'The activity has no such entry.', { resource: 'route' });
  const { target, later, transaction } = undo;
  const transactions = new Map(transaction ? [[transaction.id, transaction]] : []);
  return undoCommand(target, later, { household, transactions });
}

type TransactionCommand = Extract<Command, { type: `${string}Transaction` }>;
type ItemCommand = CommandOf<
  'AddItem' | 'PlaceItem' | 'ChangeItem' | 'PlanItem' | 'RemoveItem' | 'OrderItems' | 'HarvestItem'
>;

function decideTransaction(
  household: Household,
  command: TransactionCommand,
  facts: Facts,
): readonly LedgerEvent[] {
  switch (command.type) {
    case 'CreateTransaction':
      return createTransaction(household, command, facts.transaction, facts.posted);
    case 'ChangeTransaction':
      return changeTransaction(household, command, facts.transaction);
    case 'DeleteTransaction':
      return deleteTransaction(command, facts.transaction);
    case 'RestoreTransaction':
      return restoreTransaction(household, command, facts.transaction);
  }
}

function decideItem(household: Household, command: ItemCommand, facts: Facts): readonly LedgerEvent[] {
  switch (command.type) {
    case 'AddItem':
      return addItem(household, command);
    case 'PlaceItem':
      return placeItem(household, command);
    case 'ChangeItem':
      return changeItem(household, command);
    case 'PlanItem':
      return planItem(household, command);
    case 'RemoveItem':
      return removeItem(household, command, facts.tracked);
    case 'OrderItems':
      return orderItems(household, command);
    case 'HarvestItem':
      return harvestItem(household, command);
  }
}

/** The household after a decision, and the months of which a figure changed. */
export interface Outcome {
  readonly household: Household;
  readonly months: readonly string[];
}

/** Events by which items come into months. */
const LAYING_OUT: ReadonlySet<LedgerEvent['type']> = new Set([
  'MonthCreated',
  'MonthReplaced',
  'ItemAdded',
  'ItemPlaced',
  'CommandUndone',
]);

/**
 * Folds decided events as they will be recorded and makes sure that every figure stays exact.
 * @throws Refusal `figure_out_of_range` where a figure would leave ±(2^53 − 1), `household_full`, `month_full`
 */
export function outcomeOf(before: Household, events: readonly RecordedLedgerEvent[]): Outcome {
  const household = evolve(before, events);
  if (events.some(({ type }) => LAYING_OUT.has(type))) requirePlaces(before, household);
  // Commands look for room themselves; an undoing brings back more than there may be room for meanwhile.
  if (events[0]?.type === 'CommandUndone') requireRoomAfter(before, household);
  try {
    for (const { budget } of changedMonthStates(before, household)) {
      if (budget && budget.revision > before.revision) laidFiguresOf(household, budget, before);
    }
    return { household, months: changedMonths(before, household) };
  } catch (error) {
    if (!(error instanceof FigureOutOfRange)) throw error;
    throw new Refusal('figure_out_of_range', 'A figure of the budget would become too large to be exact.');
  }
}
