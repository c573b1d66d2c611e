import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { UnknownEvent } from '#ledger/event-codec';
import { Snapshots } from './snapshots.js';
import { PastHouseholds } from './past-households.js';
import {
  createMonth,
  damageEvents,
  envelope,
  expense,
  freshId,
  HOUSEHOLD,
  workplace,
  type Workplace,
} from './streams.scenario.js';

const minute = (n: number): string => `2026-01-15T12:${String(n).padStart(2, '0')}:00.000Z`;

describe('past households', () => {
  let place: Workplace;
  before(async () => {
    place = await workplace();
  });
  after(() => place.close());

  it('stand as they stood, with snapshots and without', async () => {
    const streams = place.instance();
    const states = [
      (await streams.execute(HOUSEHOLD, createMonth('2026-01'), envelope({ at: minute(1) }))).household,
    ];
    for (let n = 2; n <= 9; n++) {
      const { household } = await streams.execute(HOUSEHOLD, expense(freshId()), envelope({ at: minute(n) }));
      states.push(household);
    }
    const past = new PastHouseholds(place.store, place.documents);
    const check = async (): Promise<void> => {
      assert.equal((await past.at(HOUSEHOLD, minute(0))).revision, -1);
      for (const [index, state] of states.entries()) {
        assert.deepEqual(await past.at(HOUSEHOLD, minute(index + 1)), state);
        assert.deepEqual(await past.at(HOUSEHOLD, minute(index + 1).replace(':00.000', ':59.999')), state);
      }
      assert.deepEqual(await past.at(HOUSEHOLD, '9999-12-31T23:59:59.999Z'), states.at(-1));
    };
    await check();
    await new Snapshots(place.documents).save(HOUSEHOLD, states[4]!, { hash: 'hash', at: minute(5) }, null);
    await check();
  });

  it('take a place where clocks agreed, when they did not everywhere', async () => {
    const streams = place.instance();
    const home = '01JHQUSEH0LD00000000000001';
    for (const n of [1, 8, 2, 20])
      await streams.execute(home, expense(freshId()), envelope({ at: minute(n) }));
    const past = new PastHouseholds(place.store, place.documents);
    assert.equal(await past.revisionAt(home, minute(10)), 2);
    assert.equal(await past.revisionAt(home, minute(1)), 0);
    assert.ok([0, 2].includes(await past.revisionAt(home, minute(2))));
  });

  it('are not those before a damaged event where a moment is after it', async () => {
    const damaged = await workplace();
    try {
      const streams = damaged.instance();
      for (const n of [1, 2, 3, 4, 5])
        await streams.execute(HOUSEHOLD, expense(freshId()), envelope({ at: minute(n) }));
      const past = new PastHouseholds(damaged.store, damaged.documents);
      // The one in the middle, which a search reads first, and the last one.
      for (const revision of [2, 4]) {
        damageEvents(damaged, revision);
        assert.equal(await past.revisionAt(HOUSEHOLD, minute(1)), 0);
        await assert.rejects(past.at(HOUSEHOLD, minute(4)), UnknownEvent);
        await assert.rejects(past.at(HOUSEHOLD, minute(6)), UnknownEvent);
      }
    } finally {
      await damaged.close();
    }
  });

  it('are empty where nothing ever happened', async () => {
    const past = new PastHouseholds(place.store, place.documents);
    assert.equal((await past.at('01JHQUSEH0LD00000000000002', minute(1))).revision, -1);
  });
});
