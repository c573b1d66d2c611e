import type { LedgerEvent, RecordedLedgerEvent } from './events.js';
import type { Household } from './household.js';
import type { TransactionContent, TransactionRecord } from './transactions/transaction-record.js';
import type { LaterCommand } from './undo/later-commands.js';
import type { Month, Ulid } from './values.js';

/** What a decision needs besides the household: transactions, looked up by `neededFacts`. */
export interface Facts {
  /** The transactions that the command is about, as far as they are there, in the order in which it names them. */
  readonly transactions: ReadonlyMap<Ulid, TransactionRecord>;
  /** What was first posted of them, for repeated creations. */
  readonly posted: ReadonlyMap<Ulid, TransactionContent>;
  /** The transactions that the command would untrack. */
  readonly tracked: readonly TransactionRecord[];
  /** For an undo: the events of the command, and every command after it, in order; absent if it is unknown. */
  readonly undo?: {
    readonly target: readonly RecordedLedgerEvent[];
    readonly later: readonly LaterCommand[];
  };
}

/** For a command that `neededFacts` asks nothing for. */
export const NO_FACTS: Facts = { transactions: new Map(), posted: new Map(), tracked: [] };

/** Which transactions of a month a command is about to untrack: those with a split on one of the items, or all. */
export interface TrackedIn {
  readonly month: Month;
  readonly itemIds: readonly Ulid[] | 'all';
}

/** Which transactions must be looked up before the command can be decided. */
export interface NeededFacts {
  readonly transactionIds?: readonly Ulid[];
  /** Those of them of which must be known what was first posted. */
  readonly posted?: readonly Ulid[];
  readonly tracked?: TrackedIn;
  /** The id of a command's first event: the command itself and what came after it. */
  readonly undo?: string;
}

/** A command of some types. `Shapes` maps each type to its fields. */
export type CommandAmong<Shapes> = {
  [T in keyof Shapes]: { readonly type: T } & Shapes[T];
}[keyof Shapes];

/** Fields of a change; what is absent stays as it is. */
export type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The fields that a change really changes, as they were and as they become; null if there are none. */
export function difference<T extends object>(
  now: T,
  changes: Changes<T>,
): { readonly before: Partial<T>; readonly after: Partial<T> } | null {
  const names = (Object.keys(changes) as (keyof T)[]).filter(
    name => changes[name] !== undefined && changes[name] !== now[name],
  );
  const picked = (of: Changes<T>) => Object.fromEntries(names.map(name => [name, of[name]])) as Partial<T>;
  return names.length === 0 ? null : { before: picked(now), after: picked(changes) };
}

/** The rule of a command. */
export interface CommandDeclaration<Command> {
  /** What `decide` must be given. Refuses nothing: what the command names need not be there. Absent: nothing. */
  needs?(household: Household, command: Command): NeededFacts;
  /** Which events the command makes, none where it changes nothing. @throws Refusal where the rule forbids it */
  decide(household: Household, command: Command, facts: Facts): readonly LedgerEvent[];
}

/** A rule for each of these commands. */
export type CommandDeclarations<Shapes> = {
  readonly [T in keyof Shapes]: CommandDeclaration<{ readonly type: T } & Shapes[T]>;
};
