import { namedTransactions, type Command, type CommandOf, type TransactionCommand } from './commands.js';
import type { LedgerEvent, RecordedLedgerEvent, TransactionContent, Ulid } from './events.js';
import { evolve } from './evolve.js';
import { changedMonths } from './figures.js';
import { budgetOf, type Household } from './household.js';
import { refusingInexact, requireExactFigures, requirePlaces, requireRoomAfter } from './rules/checks.js';
import { Refusal } from './refusal.js';
import { batchTransactions } from './rules/batch.js';
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
import { decideTransaction } from './rules/transactions.js';
import type { TrackedIn, TransactionRecord } from './transaction-record.js';
import { undoCommand, type LaterCommand } from './undo/undo-command.js';

/** What a decision needs besides the household: transactions, looked up by `neededFacts`. */
export interface Facts {
  /** The transactions that the command is about, as far as they are there, in the order in which it names them. */
  readonly transactions: ReadonlyMap<Ulid, TransactionRecord>;
  /** What was first posted of them, for repeated creations. */
  readonly posted: ReadonlyMap<Ulid, TransactionContent>;
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
}

/** For a command that `neededFacts` asks nothing for. */
export const NO_FACTS: Facts = { transactions: new Map(), posted: new Map(), tracked: [] };

/** Which transactions must be looked up before the command can be decided. */
interface NeededFacts {
  readonly transactionIds?: readonly Ulid[];
  /** Those of them of which must be known what was first posted. */
  readonly posted?: readonly Ulid[];
  readonly tracked?: TrackedIn;
  /** The id of a command's first event: the command itself and what came after it. */
  readonly undo?: string;
}

/** What `decide` must be given for a command. Refuses nothing: what the command names need not be there. */
export function neededFacts(household: Household, command: Command): NeededFacts {
  switch (command.type) {
    case 'CreateTransaction':
    case 'ChangeTransaction':
    case 'DeleteTransaction':
    case 'RestoreTransaction':
      return neededTransactions(household, command, [command]);
    case 'BatchTransactions': {
      const needed = neededTransactions(household, command, command.operations);
      return command.skipKnown ? { ...needed, posted: [] } : needed;
    }
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

function neededTransactions(
  { greatestTransactionId }: Household,
  command: Command,
  operations: readonly TransactionCommand[],
): NeededFacts {
  // Clients draw ids by the time: most of new ones are greater than all before, and so need no look-up.
  const transactionIds = namedTransactions(command).filter(id => id <= greatestTransactionId);
  if (transactionIds.length === 0) return {};
  const created = new Set(operations.flatMap(({ type, id }) => (type === 'CreateTransaction' ? [id] : [])));
  return { transactionIds, posted: transactionIds.filter(id => created.has(id)) };
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
      return decideTransaction(
        household,
        command,
        facts.transactions.get(command.id) ?? null,
        facts.posted.get(command.id) ?? null,
      );
    case 'BatchTransactions':
      return batchTransactions(household, command, facts.transactions, facts.posted);
    case 'UndoCommand':
      return decideUndo(household, facts);
    default:
      return decideItem(household, command, facts);
  }
}

function decideUndo(household: Household, { undo, transactions }: Facts): readonly LedgerEvent[] {
  if (!undo) throw new Refusal('not_found', 'The activity has no such entry.', { resource: 'route' });
  return undoCommand(undo.target, undo.later, { household, transactions });
}

type ItemCommand = CommandOf<
  'AddItem' | 'PlaceItem' | 'ChangeItem' | 'PlanItem' | 'RemoveItem' | 'OrderItems' | 'HarvestItem'
>;

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
  requireExactFigures(before, household);
  return { household, months: refusingInexact(() => changedMonths(before, household)) };
}
