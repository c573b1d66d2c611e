import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CommandLog, type RecordedCommandEvents } from './command-log.js';
import {
  createMonth,
  envelope,
  expense,
  freshId,
  workplace,
  type Workplace,
} from '../households/streams.scenario.js';

const MONTH = '2026-01';

describe('the log of commands', () => {
  const household = freshId();
  let place: Workplace;
  let log: CommandLog;
  /** What every command recorded, the first one first. */
  let recorded: readonly (readonly string[])[];

  before(async () => {
    place = await workplace();
    log = new CommandLog(place.store);
    const streams = place.instance();
    const { household: made } = await streams.execute(household, createMonth(MONTH), envelope());
    const itemId = [...made.items.values()].find(({ kind }) => kind === 'expense')!.id;
    // Two events each, but for the expenses.
    for (const planned of [100, 200]) {
      const plan = { type: 'PlanItem', month: MONTH, itemId, planned, note: `for ${planned}` } as const;
      await streams.execute(household, plan, envelope());
      await streams.execute(household, expense(freshId()), envelope());
    }
    recorded = await idsOf(log.forwards(household, 0));
    assert.deepEqual(
      recorded.map(events => events.length),
      [1, 2, 1, 2, 1],
    );
  });
  after(() => place.close());

  const idsOfOne = (events: RecordedCommandEvents): readonly string[] => events.map(({ id }) => id);

  async function idsOf(commands: AsyncIterable<RecordedCommandEvents>): Promise<(readonly string[])[]> {
    const found: (readonly string[])[] = [];
    for await (const events of commands) found.push(idsOfOne(events));
    return found;
  }

  it('goes back to the first one, each whole, however many are read at once', async () => {
    for (let expected = 1; expected <= recorded.flat().length + 1; expected++) {
      const backwards = await idsOf(log.backwards(household, null, expected));
      assert.deepEqual(backwards.reverse(), recorded, `${expected} at once`);
    }
  });

  it('begins before a revision', async () => {
    for (let first = 0, place = 0; place < recorded.length; first += recorded[place++]!.length) {
      const backwards = await idsOf(log.backwards(household, first, 100));
      assert.deepEqual(backwards.reverse(), recorded.slice(0, place));
      assert.deepEqual(await idsOf(log.forwards(household, first)), recorded.slice(place));
    }
  });

  it('finds the command of each of its events, whole', async () => {
    for (const [revision, id] of recorded.flat().entries()) {
      const command = recorded.find(events => events.includes(id));
      assert.deepEqual(idsOfOne((await log.commandOf(household, id))!), command);
      assert.deepEqual(idsOfOne((await log.commandAt(household, revision))!), command);
    }
    assert.equal(await log.commandAt(household, recorded.flat().length), null);
    assert.equal(await log.commandOf(household, 'no such event'), null);
  });
});
