// Undoing as the command side does it, for specs.
import { decide, outcomeOf, type Command } from '../commands.js';
import type { RecordedLedgerEvent } from '../events.js';
import { contentOf, type TransactionContent } from '../transactions/transaction-record.js';
import type { Scenario } from '../ledger.scenario.js';
import { Refusal } from '../refusal.js';
import { NO_FACTS } from '../command-declaration.js';
import type { CellSet } from './cells.js';
import { cellSteps, laterCommand } from './later-commands.js';

/** The scenario's events by command: in these specs a command's events follow one another. */
export type Commands = RecordedLedgerEvent[][];

/** @returns whether nothing was in the way */
export function undone(scenario: Scenario, commands: Commands, index: number): boolean {
  return blockedBy(scenario, commands, index) === null;
}

/** Undoes, unless something is in the way. @returns the first event of that, or null where it is undone */
export function blockedBy(scenario: Scenario, commands: Commands, index: number): string | null {
  try {
    undo(scenario, commands, index);
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'undo_blocked')
      return String(error.details['by_event_id']);
    throw error;
  }
}

/** What an undoing of these events would write. */
export function cellsOf(events: readonly RecordedLedgerEvent[]): CellSet {
  const steps = cellSteps(events);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Undoes the command at an index, as the command side would: with what every later command wrote. */
export function undo(scenario: Scenario, commands: Commands, index: number): void {
  const target = commands[index]!;
  const cells = cellsOf(target);
  const later = commands.slice(index + 1).map(events => laterCommand(events, cells));
  const { household, transactions } = scenario;
  const command = { type: 'UndoCommand', eventId: target[0]!.id } as const;
  const events = decide(household, command, { ...NO_FACTS, transactions, undo: { target, later } });
  if (events.length === 0) return;
  outcomeOf(household, scenario.headed(events));
  scenario.given(...events);
  commands.push([scenario.events.at(-1)!]);
}

/**
 * A scenario's events so far as a command each, and a way to let further commands happen.
 * `given` returns the command's index.
 */
export function eachByItself(scenario: Scenario): {
  readonly commands: Commands;
  readonly given: (command: Command) => number;
} {
  const commands: Commands = scenario.events.map(event => [event]);
  const given = (command: Command): number => {
    const recorded = scenario.events.length;
    scenario.given(command);
    return commands.push(scenario.events.slice(recorded)) - 1;
  };
  return { commands, given };
}

export function commandsOf(scenario: Scenario, lengths: readonly number[]): Commands {
  const commands: Commands = [];
  let at = scenario.events.length - lengths.reduce((sum, length) => sum + length, 0);
  for (const length of lengths) {
    commands.push(scenario.events.slice(at, at + length));
    at += length;
  }
  return commands;
}

/** What a household shows: figures, orders, notes, adjustments, names, favourites; not when it last changed. */
export function meaning(household: Scenario['household']) {
  const laidOut = new Set<string>();
  const months = household.months
    .filter(({ budget, live }) => budget !== null || live > 0)
    .map(({ month, live, budget }) => {
      for (const itemId of budget?.items.keys() ?? []) laidOut.add(itemId);
      return {
        month,
        live,
        budget: budget && { ...budget, revision: null, items: [...budget.items].sort() },
      };
    });
  const items = [...household.items.values()]
    .filter(({ id }) => laidOut.has(id))
    .map(({ id, name, kind, fund, fundTarget, months: count, lastGroupId }) => ({
      id,
      name,
      kind,
      fund,
      fundTarget,
      count,
      lastGroupId,
    }));
  const groups = [...household.groups.values()]
    .filter(({ months: count }) => count > 0)
    .map(({ id, name, color, months: count }) => ({ id, name, color, count }));
  return { months, items, groups, favorites: household.favorites, untracked: household.untracked.count };
}

/** What transactions show, in the order in which they were made. */
export function meaningOfTransactions({
  transactions,
}: Scenario): ({ readonly id: string; readonly deleted: boolean } & TransactionContent)[] {
  return [...transactions.values()].map(record => ({
    id: record.id,
    deleted: record.deletedAt !== null,
    ...contentOf(record),
  }));
}
