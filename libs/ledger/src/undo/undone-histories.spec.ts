import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertAddsUp, histories, live, type Wish } from '../histories.scenario.js';
import { Scenario } from '../ledger.scenario.js';
import { meaning, meaningOfTransactions, undo, undone, type Commands } from './undoing.scenario.js';
import { propertyRuns } from '../../../../test/property-runs.js';

/** Undoings of late commands come between the commands, … */
const LATE = 5;
/** … one for so many of them. */
const EVERY = 2;

/** A history in which commands are undone now and then, by what there is when the turn comes. */
const mixed = fc.tuple(histories(30), fc.infiniteStream(fc.nat()));

describe('histories with undoings', () => {
  it('add up after every undoing', () => {
    fc.assert(
      fc.property(mixed, ([history, picks]) => void lived(history, picks, assertAddsUp)),
      { numRuns: propertyRuns(300) },
    );
  });

  it('go back step by step, through every state that there was', () => {
    fc.assert(
      fc.property(mixed, ([history, picks]) => {
        const { scenario, commands } = lived(history, picks, () => {});
        const states = statesBefore(commands);
        for (let index = commands.length - 1; index >= 1; index--) {
          undo(scenario, commands, index);
          assertAddsUp(scenario);
          assertShows(scenario, states[index]!);
        }
      }),
      { numRuns: propertyRuns(600) },
    );
  });
});

/** Lets a history happen, with undoings of its latest commands between its steps. */
function lived(
  history: readonly Wish[],
  picks: Iterator<number>,
  afterUndoing: (scenario: Scenario) => void,
): { readonly scenario: Scenario; readonly commands: Commands } {
  const commands: Commands = [];
  const drawn = (): number => Number(picks.next().value);
  let recorded = 0;
  const collect = (scenario: Scenario): void => {
    const events = scenario.events.slice(recorded);
    if (events.length > 0) commands.push(events);
    recorded = scenario.events.length;
  };
  const { scenario } = live(history, now => {
    collect(now);
    // The first month stays, so that there is something to work on.
    if (drawn() % EVERY !== 0 || commands.length < 2) return;
    const index = Math.max(1, commands.length - 1 - (drawn() % LATE));
    if (undone(now, commands, index)) afterUndoing(now);
    recorded = now.events.length;
  });
  collect(scenario);
  return { scenario, commands };
}

/** What there was to see. */
interface Shown {
  readonly household: unknown;
  readonly transactions: ReturnType<typeof meaningOfTransactions>;
}

function shown(scenario: Scenario): Shown {
  return { household: meaning(scenario.household), transactions: meaningOfTransactions(scenario) };
}

function statesBefore(commands: Commands): Shown[] {
  const scenario = new Scenario();
  return commands.map(events => {
    const state = shown(scenario);
    scenario.given(...events);
    return state;
  });
}

/** What was made since is a deleted transaction. */
function assertShows(scenario: Scenario, state: Shown): void {
  const { household, transactions } = shown(scenario);
  assert.deepEqual(household, state.household);
  assert.deepEqual(transactions.slice(0, state.transactions.length), state.transactions);
  for (const { deleted } of transactions.slice(state.transactions.length)) assert.ok(deleted);
}
