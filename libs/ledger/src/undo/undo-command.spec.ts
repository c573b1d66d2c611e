import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Command } from '../commands.js';
import type { LedgerEvent } from '../events.js';
import { assertAddsUp, histories, live, type Wish } from '../histories.scenario.js';
import { expense, firstMonth, idOf, income, Scenario, splitsOf, withLive } from '../ledger.scenario.js';
import {
  ADJUSTMENTS_PER_MONTH_MAX,
  GROUPS_PER_MONTH_MAX,
  ITEMS_PER_MONTH_MAX,
  NOTES_LENGTH_PER_MONTH_MAX,
  TRANSACTIONS_PER_MONTH_MAX,
} from '../limits.js';
import { Refusal } from '../refusal.js';
import { laterCommand } from './later-commands.js';
import {
  blockedBy,
  cellsOf,
  commandsOf,
  eachByItself,
  meaning,
  meaningOfTransactions,
  undo,
  undone,
  type Commands,
} from './undoing.scenario.js';
import { propertyRuns } from '../../../../test/property-runs.js';

/** What leaves a list, something new at the end of one, or what comes back. */
type Leaving = 'item' | 'group' | 'favorite' | 'new';
const leaving = fc.tuple(
  fc.constantFrom<Leaving | 'back'>('item', 'item', 'group', 'favorite', 'new', 'back', 'back'),
  fc.nat(997),
);

/** An undoing is undone by other events than what it undid: how often to go back and forth. */
const UNDONE_TIMES = 3;

/** A history, and which of its commands to undo. */
const picked = fc.tuple(histories(25), fc.nat());

describe('undoing', () => {
  describe('of what is long ago', { timeout: 60_000 }, () => {
    const MONTH = '2026-01';
    const plan = (name: string, planned: number): Command => {
      return { type: 'PlanItem', month: MONTH, itemId: idOf(name), planned };
    };
    function planned() {
      const scenario = new Scenario().given(
        firstMonth(MONTH, { Income: { Pay: 0 }, Living: { Food: 0, Rent: 0 } }),
        plan('Food', 5),
      );
      const { commands } = eachByItself(scenario);
      return { scenario, commands, target: commands.length - 1 };
    }
    const foodIn = ({ household }: Scenario): number =>
      household.months[0]!.budget!.items.get(idOf('Food'))!.planned;

    it('does not compare all that came later with one another', () => {
      const { scenario, commands, target } = planned();
      const [later] = scenario.headed([
        { type: 'ItemPlanned', data: { month: MONTH, itemId: idOf('Rent'), before: 0, after: 0 } },
      ]);
      for (let count = 0; count < 100_000; count++) commands.push([{ ...later!, id: `later-${count}` }]);
      assert.ok(undone(scenario, commands, target));
      assert.equal(foodIn(scenario), 0);
    });

    it('does not compare all that is needed with all that was written', () => {
      const scenario = new Scenario().given(
        firstMonth(MONTH, { Income: { Pay: 0 }, Living: { Food: 7 } }),
        firstMonth('2026-02', { Earnings: { Wage: 0 }, Life: { Car: 7 } }),
      );
      const transactions = (name: string): string[] =>
        Array.from({ length: 10_000 }, (_, count) => `${name}${count}`);
      const replaced = (month: string, name: string): LedgerEvent => ({
        type: 'MonthReplaced',
        data: {
          month,
          copiedFrom: null,
          newGroups: [],
          newItems: [],
          layout: [],
          taken: { copiedFrom: null, groups: [] },
          untracked: { transactionIds: transactions(name), activity: [] },
        },
      });
      const [target, later] = scenario.headed([replaced(MONTH, 'A'), replaced('2026-02', 'B')]);
      assert.equal(laterCommand([later!], cellsOf([target!])).inTheWay, false);
      assert.equal(laterCommand([target!], cellsOf([target!])).inTheWay, true);
    });

    it('knows of a long chain of undoings which holds', () => {
      const { scenario, commands, target } = planned();
      for (let count = 0; count < 1_500; count++)
        undo(scenario, commands, count === 0 ? target : commands.length - 1);
      assert.equal(foodIn(scenario), 5);
      assert.ok(undone(scenario, commands, target));
      assert.equal(foodIn(scenario), 0);
    });
  });

  /** A transaction that is split over items of two groups, of which the second was removed and put back. */
  function putBack() {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: { Pay: 0 }, Living: { Food: 0 }, Fun: { Books: 0 } }),
      expense('Both', { Food: 1, Books: 2 }),
    );
    return { scenario, ...eachByItself(scenario) };
  }

  it('of an undoing is blocked by a removal of what its transactions are split over besides', () => {
    const { scenario, commands, given } = putBack();
    given({ type: 'RemoveGroup', month: '2026-01', groupId: idOf('Fun') });
    undo(scenario, commands, commands.length - 1);
    const back = commands.length - 1;
    given({ type: 'RemoveItem', month: '2026-01', itemId: idOf('Food') });
    assert.equal(undone(scenario, commands, back), false);
    assertAddsUp(scenario);
  });

  it('of an undoing is blocked by a group put back with transactions on its item', () => {
    const { scenario, commands, given } = putBack();
    given({ type: 'RemoveGroup', month: '2026-01', groupId: idOf('Fun') });
    const groupRemoved = commands.length - 1;
    given({ type: 'RemoveItem', month: '2026-01', itemId: idOf('Food') });
    undo(scenario, commands, commands.length - 1);
    const itemBack = commands.length - 1;
    undo(scenario, commands, groupRemoved);
    assert.equal(undone(scenario, commands, itemBack), false);
    assertAddsUp(scenario);
  });

  it('of an undoing is not blocked by another transaction on an item besides', () => {
    const { scenario, commands, given } = putBack();
    given({ type: 'RemoveGroup', month: '2026-01', groupId: idOf('Fun') });
    undo(scenario, commands, commands.length - 1);
    const back = commands.length - 1;
    given(expense('Other', { Food: 5 }));
    assert.equal(undone(scenario, commands, back), true);
    assertAddsUp(scenario);
  });

  it('brings back what the last command of any history changed, and undoing the undoing brings that again', () => {
    fc.assert(
      fc.property(histories(30), history => {
        const { scenario, steps } = live(history);
        const effective = steps.filter(({ events }) => events.length > 0);
        const last = effective.at(-1);
        if (!last) return;
        const commands = commandsOf(
          scenario,
          effective.map(({ events }) => events.length),
        );
        const records = meaningOfTransactions(scenario);
        for (let times = 1; times <= UNDONE_TIMES; times++) {
          undo(scenario, commands, commands.length - 1);
          assert.deepEqual(
            meaning(scenario.household),
            meaning(last.before),
            `${last.command.type} ${times}`,
          );
          undo(scenario, commands, commands.length - 1);
          assert.deepEqual(
            meaning(scenario.household),
            meaning(last.after),
            `redo of ${last.command.type} ${times}`,
          );
          assert.deepEqual(meaningOfTransactions(scenario), records);
        }
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('undoes any command that nothing is in the way of, and redoes it to the same', () => {
    fc.assert(
      fc.property(picked, ([history, pick]) => void undoneAndRedone(history, pick)),
      { numRuns: propertyRuns(200) },
    );
  });

  // The seed makes what the property above is worth the same on every run: both outcomes are met, and often.
  it('is both done and blocked in such histories', () => {
    const outcomes = fc
      .sample(picked, { numRuns: 200, seed: 7 })
      .map(([history, pick]) => undoneAndRedone(history, pick));
    for (const outcome of ['undone', 'blocked'] as const) {
      const times = outcomes.filter(each => each === outcome).length;
      assert.ok(times > 20, `${outcome}: ${times}`);
    }
  });

  it('brings lists back to their order, in whatever order things left and come back', () => {
    fc.assert(
      fc.property(
        fc.array(leaving, { minLength: 1, maxLength: 14 }),
        fc.infiniteStream(fc.nat()),
        (wishes, picks) => {
          const scenario = new Scenario().given(
            firstMonth('2026-01', {
              Income: {},
              One: { A: 1, B: 2, C: 3, D: 4 },
              Two: { E: 5, F: 6, G: 7 },
              Three: {},
            }),
            ...['F', 'A', 'C', 'G'].map(favorite),
          );
          const before = listsOf(scenario);
          const commands: Commands = [
            scenario.events.slice(0, 1),
            ...scenario.events.slice(1).map(event => [event]),
          ];
          const gone: number[] = [];
          const comeBack = (): void => {
            const [at] = gone.splice(Number(picks.next().value) % gone.length, 1);
            if (at !== undefined && !undone(scenario, commands, at)) gone.push(at);
          };
          for (const [what, pick] of wishes) {
            if (what === 'back' && gone.length > 0) comeBack();
            const recorded = scenario.events.length;
            if (what !== 'back') scenario.when(leavingCommand(what, pick));
            if (scenario.events.length === recorded) continue;
            commands.push([scenario.events.at(-1)!]);
            if (what !== 'new') gone.push(commands.length - 1);
          }
          while (gone.length > 0) comeBack();
          const newcomer = /^N/;
          assert.deepEqual(listsOf(scenario, newcomer), before);
          // Who came meanwhile stays behind.
          for (const list of listsOf(scenario)) assert.match(list, /^[^N]*(,?N\d+)*$/);
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  it('lets the corrections of a fund go and come back one by one, in their order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 20 }), picks => {
        const scenario = new Scenario().given(firstMonth('2026-01', { Income: {}, Food: { Bread: 1 } }), {
          type: 'OpenFund',
          month: '2026-01',
          itemId: idOf('Bread'),
          openingBalance: 0,
        });
        const commands: Commands = scenario.events.map(event => [event]);
        const amounts = (): number[] =>
          scenario.household.months[0]!.budget!.items.get(idOf('Bread'))!.adjustments.map(
            ({ amount }) => amount,
          );
        // The command that is to be undone next: the correction, its undoing, the undoing of that, …
        const latest = [11, 31, 61, 101].map(balance => {
          scenario.given({ type: 'UpdateFundBalance', month: '2026-01', itemId: idOf('Bread'), balance });
          return commands.push([scenario.events.at(-1)!]) - 1;
        });
        const present = latest.map(() => true);
        const toggle = (which: number): void => {
          assert.ok(undone(scenario, commands, latest[which]!));
          latest[which] = commands.length - 1;
          present[which] = !present[which];
          assert.deepEqual(
            amounts(),
            [10, 20, 30, 40].filter((_, at) => present[at]),
          );
        };
        picks.forEach(toggle);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  for (const [what, command, isInTheWay] of [
    ['its fund was ended', { type: 'ChangeItem', itemId: idOf('Bread'), endFund: true }, true],
    ['its item was removed', { type: 'RemoveItem', month: '2026-01', itemId: idOf('Bread') }, true],
    [
      'there was another one',
      { type: 'UpdateFundBalance', month: '2026-01', itemId: idOf('Bread'), balance: 7 },
      false,
    ],
  ] satisfies [string, Command, boolean][]) {
    it(`${isInTheWay ? 'does not bring' : 'brings'} a correction back after ${what}`, () => {
      const scenario = new Scenario().given(
        firstMonth('2026-01', { Income: {}, Food: { Bread: 1 } }),
        { type: 'OpenFund', month: '2026-01', itemId: idOf('Bread'), openingBalance: 0 },
        { type: 'UpdateFundBalance', month: '2026-01', itemId: idOf('Bread'), balance: 5 },
      );
      const { commands, given } = eachByItself(scenario);
      undo(scenario, commands, 2);
      given(command);
      assert.equal(blockedBy(scenario, commands, 3), isInTheWay ? commands[4]![0]!.id : null);
    });
  }

  it('does not take a month away in which a fund was made', () => {
    const scenario = new Scenario().given(firstMonth('2026-01', { Income: {}, Food: { Bread: 1 } }));
    const commands: Commands = [[scenario.events[0]!]];
    scenario.given({ type: 'CreateMonth', month: '2026-02', newIds: [] });
    commands.push([scenario.events.at(-1)!]);
    scenario.given({ type: 'OpenFund', month: '2026-02', itemId: idOf('Bread'), openingBalance: 3 });
    commands.push([scenario.events.at(-1)!]);
    assert.equal(undone(scenario, commands, 1), false);
    assert.equal(undone(scenario, commands, 2), true);
    assert.equal(undone(scenario, commands, 1), true);
  });

  it('gives an item back to the group in which it had counted, and leaves one there whose removal it undoes', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: {}, Food: { Bread: 1 }, Home: { Rent: 1 } }),
      { type: 'CreateMonth', month: '2026-02', newIds: [] },
      { type: 'RemoveItem', month: '2026-02', itemId: idOf('Bread') },
    );
    const { commands, given } = eachByItself(scenario);
    const counts = (): string => scenario.household.items.get(idOf('Bread'))!.lastGroupId;
    const into = { month: '2026-02', groupId: idOf('Home'), itemId: idOf('Bread'), planned: 0, note: null };
    given({ type: 'PlaceItem', ...into });
    assert.equal(counts(), idOf('Home'));
    undo(scenario, commands, 3);
    assert.equal(counts(), idOf('Food'));
    undo(scenario, commands, 4);
    assert.equal(counts(), idOf('Home'));
    given({ type: 'RemoveItem', month: '2026-01', itemId: idOf('Bread') });
    undo(scenario, commands, 6);
    assert.deepEqual(scenario.layout('2026-01'), [['Income'], ['Food', 'Bread'], ['Home', 'Rent']]);
    assert.equal(counts(), idOf('Home'));
    undo(scenario, commands, 5);
    assert.equal(counts(), idOf('Food'));
  });

  it('brings splits back with the item, to their transactions alone', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: { Pay: 500 }, Food: { Bread: 100, Milk: 50 } }),
      expense('T', { Bread: 30, Milk: 20 }),
    );
    const commands: Commands = scenario.events.map(event => [event]);
    scenario.given({ type: 'RemoveItem', month: '2026-01', itemId: idOf('Bread') });
    commands.push([scenario.events.at(-1)!]);
    assert.equal(scenario.household.untracked.count, 1);
    undo(scenario, commands, 2);
    assert.equal(scenario.household.untracked.count, 0);
    assert.equal(scenario.item('2026-01', 'Bread').spent, 30);
    assert.equal(scenario.item('2026-01', 'Milk').spent, 20);
    assert.deepEqual(
      scenario.transaction('T').splits.map(({ amount }) => amount),
      [30, 20],
    );
  });

  // Whatever takes splits away, and whatever gave the transaction others before it was undone itself.
  for (const removal of [
    { type: 'RemoveItem', month: '2026-01', itemId: idOf('Bread') },
    { type: 'RemoveGroup', month: '2026-01', groupId: idOf('Food') },
    { type: 'ResetMonth', month: '2026-01', mode: 'replace', newIds: [] },
  ] as const) {
    it(`brings splits back that others took the place of, after ${removal.type}`, () => {
      const scenario = new Scenario().given(
        firstMonth('2025-12', { Income: { Pay: 500 }, Food: { Bread: 1 }, Home: { Rent: 2 } }),
        { type: 'CreateMonth', month: '2026-01', newIds: [] },
        expense('T', { Bread: 30, Rent: 20 }),
      );
      const { commands, given } = eachByItself(scenario);
      const shown = () => [meaning(scenario.household), meaningOfTransactions(scenario)];
      const states = [shown()];
      const removed = given(removal);
      states.push(shown());
      const split = given({
        type: 'ChangeTransaction',
        id: idOf('T'),
        changes: { splits: splitsOf({ Rent: 50 }) },
      });
      states.push(shown());
      const removedAgain = given({ type: 'RemoveItem', month: '2026-01', itemId: idOf('Rent') });
      for (const command of [removedAgain, split, removed]) {
        undo(scenario, commands, command);
        assert.deepEqual(shown(), states.pop());
        assertAddsUp(scenario);
      }
      // Forth and back again, by undoing the undoings.
      const [undoneSplit, undoneRemoval] = [commands.length - 2, commands.length - 1];
      undo(scenario, commands, undoneRemoval);
      undo(scenario, commands, undoneSplit);
      const [redoneRemoval, redoneSplit] = [commands.length - 2, commands.length - 1];
      assertAddsUp(scenario);
      assert.deepEqual(scenario.transaction('T').splits, splitsOf({ Rent: 50 }));
      undo(scenario, commands, redoneSplit);
      undo(scenario, commands, redoneRemoval);
      assertAddsUp(scenario);
      assert.deepEqual(scenario.transaction('T').splits, splitsOf({ Bread: 30, Rent: 20 }));
    });
  }

  // What an item must be there for, and in what order it went and came back.
  for (const [what, command] of [
    [
      'a change of splits',
      { type: 'ChangeTransaction', id: idOf('T'), changes: { splits: splitsOf({ Food: 50 }) } },
    ],
    ['a deletion', { type: 'DeleteTransaction', id: idOf('T') }],
    ['a removal of another item', { type: 'RemoveItem', month: '2026-01', itemId: idOf('Food') }],
    ['a removal of another group', { type: 'RemoveGroup', month: '2026-01', groupId: idOf('Living') }],
  ] satisfies [string, Command][]) {
    it(`of ${what} asks that the item is there in the end, not that it was all the time`, () => {
      const scenario = new Scenario().given(
        firstMonth('2026-01', { Income: {}, Living: { Food: 0 }, Fun: { Books: 0 }, Trips: {} }),
        expense('T', { Food: 20, Books: 30 }),
      );
      const { commands, given } = eachByItself(scenario);
      const before = meaningOfTransactions(scenario);
      const toUndo = given(command);
      const item = { month: '2026-01', itemId: idOf('Books') };
      const place: Command = { type: 'PlaceItem', ...item, groupId: idOf('Trips'), planned: 7, note: null };
      for (const removal of [
        { type: 'RemoveItem', ...item },
        { type: 'RemoveGroup', month: '2026-01', groupId: idOf('Trips') },
      ] satisfies Command[]) {
        const removed = given(removal);
        assert.equal(blockedBy(scenario, commands, toUndo), commands[removed]![0]!.id);
        if (removal.type === 'RemoveGroup')
          given({ type: 'PlaceGroup', month: '2026-01', groupId: idOf('Trips') });
        given(place);
      }
      assert.equal(blockedBy(scenario, commands, toUndo), null);
      assert.deepEqual(meaningOfTransactions(scenario), before);
      assert.equal(scenario.item('2026-01', 'Books').spent, 30);
      assert.equal(scenario.item('2026-01', 'Books').planned, 7, 'as it was put in again');
      assertAddsUp(scenario);
    });
  }

  it('of a deletion asks that the item is there after its month was laid out anew', () => {
    const scenario = new Scenario().given(
      firstMonth('2025-12', { Income: {}, Living: { Food: 1 } }),
      { type: 'CreateMonth', month: '2026-01', newIds: [] },
      {
        type: 'AddItem',
        month: '2026-01',
        groupId: idOf('Living'),
        itemId: idOf('Books'),
        name: 'Books',
        planned: 0,
        note: null,
      },
      expense('Stays', { Food: 20 }),
      expense('Leaves', { Food: 5, Books: 7 }),
    );
    const { commands, given } = eachByItself(scenario);
    const stays = given({ type: 'DeleteTransaction', id: idOf('Stays') });
    const leaves = given({ type: 'DeleteTransaction', id: idOf('Leaves') });
    const reset = given({ type: 'ResetMonth', month: '2026-01', mode: 'replace', newIds: [] });
    assert.equal(blockedBy(scenario, commands, leaves), commands[reset]![0]!.id);
    assert.equal(blockedBy(scenario, commands, stays), null);
    assert.equal(scenario.item('2026-01', 'Food').spent, 20);
    undo(scenario, commands, commands.length - 1);
    assert.equal(blockedBy(scenario, commands, reset), null);
    assert.equal(blockedBy(scenario, commands, leaves), null, 'the reset that took its item away is undone');
    assert.deepEqual(scenario.transaction('Leaves').splits, splitsOf({ Food: 5, Books: 7 }));
    assertAddsUp(scenario);
  });

  it('of a change asks that the transaction is not deleted in the end, not that it never was', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: {}, Living: { Food: 0 } }),
      expense('T', { Food: 20 }),
      { type: 'ChangeTransaction', id: idOf('T'), changes: { note: 'changed' } },
    );
    const { commands, given } = eachByItself(scenario);
    for (const type of ['DeleteTransaction', 'RestoreTransaction'] as const) {
      given({ type, id: idOf('T') });
      const blocking = type === 'DeleteTransaction' ? commands.at(-1)![0]!.id : null;
      assert.equal(blockedBy(scenario, commands, 2), blocking);
    }
    assert.equal(scenario.transaction('T').note, null);
  });

  it('asks for an item on which what comes back cancels out', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: {}, Living: { Food: 0, Books: 0 } }),
      expense('T', { Food: 20, Books: 30 }),
      income('R', { Food: 5, Books: 30 }),
    );
    const { commands, given } = eachByItself(scenario);
    const item = { month: '2026-01', itemId: idOf('Books') };
    const foodRemoved = given({ type: 'RemoveItem', month: '2026-01', itemId: idOf('Food') });
    const removed = given({ type: 'RemoveItem', ...item });
    assert.equal(blockedBy(scenario, commands, foodRemoved), commands[removed]![0]!.id);
    const placed = given({ type: 'PlaceItem', ...item, groupId: idOf('Living'), planned: 0, note: null });
    assert.equal(blockedBy(scenario, commands, foodRemoved), null);
    assertAddsUp(scenario);
    assert.equal(blockedBy(scenario, commands, placed), commands.at(-1)![0]!.id, 'splits came back onto it');
    assertAddsUp(scenario);
  });

  it('of a removal of a group is blocked by whatever was done to an item of it', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: {}, Living: { Food: 0 }, Fun: { Books: 0 } }),
      { type: 'RemoveGroup', month: '2026-01', groupId: idOf('Living') },
      {
        type: 'PlaceItem',
        month: '2026-01',
        groupId: idOf('Fun'),
        itemId: idOf('Food'),
        planned: 0,
        note: null,
      },
    );
    const commands: Commands = scenario.events.map(event => [event]);
    assert.equal(blockedBy(scenario, commands, 1), commands[2]![0]!.id);
  });

  it('gives a deleted transaction its splits back, however often its restoration is undone and redone', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: {}, Living: { Food: 0, Books: 0 } }),
      expense('T', { Food: 20, Books: 30 }),
      { type: 'DeleteTransaction', id: idOf('T') },
      { type: 'RemoveItem', month: '2026-01', itemId: idOf('Books') },
    );
    const { commands, given } = eachByItself(scenario);
    const deleted = meaningOfTransactions(scenario);
    given({ type: 'RestoreTransaction', id: idOf('T') });
    const restored = meaningOfTransactions(scenario);
    assert.deepEqual(restored[0]!.splits, splitsOf({ Food: 20 }));
    for (let times = 1; times <= UNDONE_TIMES; times++) {
      for (const expected of [deleted, restored]) {
        undo(scenario, commands, commands.length - 1);
        assert.deepEqual(meaningOfTransactions(scenario), expected, `${times}`);
        assertAddsUp(scenario);
      }
    }
  });

  it('asks for room in the month to which a transaction comes back, and for none where it stays', () => {
    const budgetMonth = '2026-02';
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: {}, Living: { Food: 0 } }),
      { type: 'CreateMonth', month: budgetMonth, newIds: [] },
      expense('Deleted', { Food: 1 }, { budgetMonth }),
      expense('Moved', { Food: 2 }, { budgetMonth }),
      expense('Changed', { Food: 3 }, { budgetMonth }),
      { type: 'DeleteTransaction', id: idOf('Deleted') },
      { type: 'ChangeTransaction', id: idOf('Moved'), changes: { budgetMonth: '2026-01' } },
      { type: 'ChangeTransaction', id: idOf('Changed'), changes: { amount: 4 } },
    );
    const commands: Commands = scenario.events.map(event => [event]);
    const [deletion, move, change] = [5, 6, 7];
    scenario.household = withLive(scenario.household, budgetMonth, TRANSACTIONS_PER_MONTH_MAX);
    for (const command of [deletion, move]) {
      assert.throws(
        () => undo(scenario, commands, command),
        (error: unknown) => error instanceof Refusal && error.code === 'month_full',
      );
    }
    assert.equal(undone(scenario, commands, change), true);
  });

  it('brings nothing back for which a month has no room any more', () => {
    const month = '2026-01';
    const numbered = (name: string, count: number): Record<string, number> =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}`, 0]));
    const groups = Object.fromEntries(
      Object.keys(numbered('G', GROUPS_PER_MONTH_MAX - 2)).map(name => [name, {}]),
    );
    const note = (name: string, text: string | null): Command => {
      return { type: 'PlanItem', month, itemId: idOf(name), note: text };
    };
    const correct = (balance: number, name = 'I0'): Command => {
      return { type: 'UpdateFundBalance', month, itemId: idOf(name), balance };
    };
    const longest = 'x'.repeat(NOTES_LENGTH_PER_MONTH_MAX);
    const corrections = Array.from({ length: ADJUSTMENTS_PER_MONTH_MAX }, (_, n) => correct(n + 1));
    const [groupId, name] = [idOf('Living'), 'Another'];
    const cases: readonly (readonly [string, readonly Command[], Command, Command])[] = [
      [
        'items',
        [],
        { type: 'RemoveItem', month, itemId: idOf('I0') },
        { type: 'AddItem', month, groupId, itemId: idOf(name), name, planned: 0, note: null },
      ],
      [
        'groups',
        [],
        { type: 'RemoveGroup', month, groupId: idOf('G0') },
        { type: 'AddGroup', month, groupId: idOf(name), name },
      ],
      ['notes', [note('I0', longest)], note('I0', null), note('I1', 'x')],
      ['adjustments', corrections, { type: 'RemoveItem', month, itemId: idOf('I0') }, correct(5, 'I1')],
    ];
    for (const [limit, before, removal, instead] of cases) {
      const scenario = new Scenario().given(
        firstMonth(month, { Income: {}, Living: numbered('I', ITEMS_PER_MONTH_MAX), ...groups }),
        { type: 'OpenFund', month, itemId: idOf('I0'), openingBalance: 0 },
        { type: 'OpenFund', month, itemId: idOf('I1'), openingBalance: 0 },
        ...before,
      );
      const { commands, given } = eachByItself(scenario);
      const removed = given(removal);
      given(instead);
      assert.throws(
        () => undo(scenario, commands, removed),
        (error: unknown) =>
          error instanceof Refusal && error.code === 'month_full' && error.details['limit'] === limit,
        limit,
      );
      undo(scenario, commands, commands.length - 1);
      undo(scenario, commands, removed);
    }
  });

  it('does not bring back an amount to which splits that came back meanwhile do not add up', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: { Pay: 0 }, Living: { Food: 0, Books: 0 } }),
      expense('T', { Food: 50, Books: 50 }),
    );
    const { commands, given } = eachByItself(scenario);
    const undoing = (index: number): number => {
      undo(scenario, commands, index);
      return commands.length - 1;
    };
    const [month, itemId, id] = ['2026-01', idOf('Books'), idOf('T')];
    given({ type: 'DeleteTransaction', id });
    given({ type: 'RemoveItem', month, itemId });
    const restoration = given({ type: 'RestoreTransaction', id });
    const cheaper = given({ type: 'ChangeTransaction', id, changes: { amount: 50 } });
    const dearerAgain = undoing(cheaper);
    undoing(restoration);
    given({ type: 'PlaceItem', month, groupId: idOf('Living'), itemId, planned: 0, note: null });
    given({ type: 'RestoreTransaction', id });
    assert.deepEqual(scenario.transaction('T').splits, splitsOf({ Food: 50, Books: 50 }));
    assert.equal(undone(scenario, commands, dearerAgain), false);
    assertAddsUp(scenario);
  });

  it('is refused exactly while a later command that holds changed the same', () => {
    const scenario = new Scenario().given(
      firstMonth('2026-01', { Income: { Pay: 500 }, Food: { Bread: 100, Milk: 50 } }),
    );
    const commands: Commands = [[scenario.events[0]!]];
    const plan = (name: string, planned: number): void => {
      scenario.given({ type: 'PlanItem', month: '2026-01', itemId: idOf(name), planned });
      commands.push([scenario.events.at(-1)!]);
    };
    plan('Bread', 110);
    plan('Milk', 60);
    plan('Bread', 120);
    assert.equal(blockedBy(scenario, commands, 1), commands[3]![0]!.id);
    undo(scenario, commands, 3);
    assert.equal(scenario.item('2026-01', 'Bread').planned, 110);
    undo(scenario, commands, 1);
    assert.equal(scenario.item('2026-01', 'Bread').planned, 100);
    assert.equal(scenario.item('2026-01', 'Milk').planned, 60);
    const recorded = scenario.events.length;
    undo(scenario, commands, 1);
    assert.equal(scenario.events.length, recorded, 'undoing twice records nothing');
  });
});

function leavingCommand(what: Leaving, pick: number): Command {
  const month = '2026-01';
  const itemId = idOf('ABCDEFG'[pick % 7]!);
  switch (what) {
    case 'item':
      return { type: 'RemoveItem', month, itemId };
    case 'group':
      return { type: 'RemoveGroup', month, groupId: idOf(['One', 'Two', 'Three'][pick % 3]!) };
    case 'favorite':
      return { type: 'ChangeItem', itemId, favorite: false };
    case 'new': {
      const name = `N${pick}`;
      return {
        type: 'AddItem',
        month,
        groupId: idOf('One'),
        itemId: idOf(name),
        name,
        planned: 0,
        note: null,
      };
    }
  }
}

function favorite(name: string): Command {
  return { type: 'ChangeItem', itemId: idOf(name), favorite: true };
}

/** The groups of the month, the items of each, and the favourites, by name. */
function listsOf({ household }: Scenario, without?: RegExp): string[] {
  const [{ budget } = { budget: null }] = household.months;
  const named = (ids: readonly string[], of: ReadonlyMap<string, { readonly name: string }>): string =>
    ids
      .map(id => of.get(id)!.name)
      .filter(name => !without?.test(name))
      .join();
  const { groups, items } = household;
  const laid = budget!.groups;
  return [
    named(
      laid.map(({ groupId }) => groupId),
      groups,
    ),
    ...laid.map(({ itemIds }) => named(itemIds, items)),
    named(household.favorites, items),
  ];
}

/**
 * Undoes one command of a history and redoes it, some times over, which leads to the same two states each time; or
 * is told rightly what is in the way.
 */
function undoneAndRedone(history: readonly Wish[], pick: number): 'empty' | 'undone' | 'blocked' {
  const { scenario, steps } = live(history);
  const effective = steps.filter(({ events }) => events.length > 0);
  if (effective.length === 0) return 'empty';
  const commands = commandsOf(
    scenario,
    effective.map(({ events }) => events.length),
  );
  const index = pick % commands.length;
  const before = [meaning(scenario.household), meaningOfTransactions(scenario)];
  try {
    undo(scenario, commands, index);
  } catch (error) {
    assert.ok(error instanceof Refusal && ['undo_blocked', 'month_full'].includes(error.code), String(error));
    const later = commands.slice(index + 1).map(events => events[0]!.id);
    if (error.code === 'undo_blocked') assert.ok(later.includes(String(error.details['by_event_id'])));
    return 'blocked';
  }
  const after = [meaning(scenario.household), meaningOfTransactions(scenario)];
  for (let times = 1; times <= UNDONE_TIMES; times++) {
    undo(scenario, commands, commands.length - 1);
    assert.deepEqual([meaning(scenario.household), meaningOfTransactions(scenario)], before, `redo ${times}`);
    undo(scenario, commands, commands.length - 1);
    assert.deepEqual([meaning(scenario.household), meaningOfTransactions(scenario)], after, `undo ${times}`);
  }
  return 'undone';
}
