import type {
  CommandAmong,
  CommandDeclaration,
  CommandDeclarations,
  Facts,
  NeededFacts,
} from './command-declaration.js';
import { evolve, type LedgerEvent, type RecordedLedgerEvent } from './events.js';
import { changedMonths } from './figures.js';
import { fundCommands, type FundCommands } from './funds/fund-commands.js';
import { groupCommands, type GroupCommands } from './groups/group-commands.js';
import type { Household } from './household.js';
import { itemCommands, type ItemCommands } from './items/item-commands.js';
import { requirePlaces, requireRoomAfter } from './limits.js';
import { monthCommands, type MonthCommands } from './months/month-commands.js';
import { batchCommands, type BatchCommands } from './transactions/batch-transactions.js';
import { transactionCommands, type TransactionCommands } from './transactions/transaction-commands.js';
import { undoCommands, type UndoCommands } from './undo/undo-command.js';
import type { Ulid } from './values.js';

type BudgetCommands = MonthCommands & GroupCommands & ItemCommands & FundCommands;
type LedgerCommands = BudgetCommands & TransactionCommands & BatchCommands & UndoCommands;

/** Everything that can be asked of a household's budget. Ids are drawn by the caller: a decision makes none. */
export type Command = CommandAmong<LedgerCommands>;

export type CommandOf<T extends Command['type']> = Extract<Command, { readonly type: T }>;

/** Each type of command, with its rule. */
const COMMANDS: CommandDeclarations<LedgerCommands> = {
  ...monthCommands,
  ...groupCommands,
  ...itemCommands,
  ...fundCommands,
  ...transactionCommands,
  ...batchCommands,
  ...undoCommands,
};

function declarationOf({ type }: Command): CommandDeclaration<Command> {
  return COMMANDS[type];
}

/** What `decide` must be given for a command. Refuses nothing. */
export function neededFacts(household: Household, command: Command): NeededFacts {
  return declarationOf(command).needs?.(household, command) ?? {};
}

/**
 * Which events a command makes, none where it changes nothing.
 * @throws Refusal where a rule forbids it; what only the state after it shows, `outcomeOf` refuses
 */
export function decide(household: Household, command: Command, facts: Facts): readonly LedgerEvent[] {
  return declarationOf(command).decide(household, command, facts);
}

/** The household after a decision, and the months of which a figure changed. */
export interface Outcome {
  readonly household: Household;
  readonly months: readonly string[];
}

/**
 * Folds decided events as they will be recorded and makes sure that every figure stays exact.
 * @throws Refusal `figure_out_of_range` where a figure would leave ±(2^53 − 1), `household_full`, `month_full`
 */
export function outcomeOf(before: Household, events: readonly RecordedLedgerEvent[]): Outcome {
  const household = evolve(before, events);
  if (household.items !== before.items) requirePlaces(before, household);
  // Commands look for room themselves; an undoing brings back more than there may be room for meanwhile.
  if (events[0]?.type === 'CommandUndone') requireRoomAfter(before, household);
  return { household, months: changedMonths(before, household) };
}

/** The transactions that a command names, each once, in the order of first mention. */
export function namedTransactions(command: Command): readonly Ulid[] {
  if (command.type === 'BatchTransactions') return [...new Set(command.operations.map(({ id }) => id))];
  return 'id' in command ? [command.id] : [];
}

/** Whether a command does nothing but create transactions: where it records nothing, all of them were there before. */
export function onlyCreates(command: Command): boolean {
  if (command.type !== 'BatchTransactions') return command.type === 'CreateTransaction';
  return command.operations.every(({ type }) => type === 'CreateTransaction');
}
