import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NO_HOUSEHOLD } from '#ledger/household';
import { DueSnapshots, StateCache } from './known-households.js';
import { Snapshots } from './snapshots.js';
import { HOUSEHOLD, workplace, type Workplace } from './streams.scenario.js';

describe('due snapshots', () => {
  const household = { ...NO_HOUSEHOLD, revision: 1_500 };
  const state = { household, end: { hash: 'hash', at: '2026-01-15T12:00:00.000Z' } };
  let place: Workplace;
  before(async () => {
    place = await workplace();
  });
  after(() => place.close());

  /** Of a household in memory. */
  function due() {
    const snapshots = new Snapshots(place.documents);
    const cache = new StateCache();
    cache.set(HOUSEHOLD, { ...state, snapshot: null, headRevision: -1 });
    const failures: unknown[] = [];
    const made = new DueSnapshots(snapshots, cache, (...failure) => failures.push(failure));
    const make = (): Promise<void> => {
      made.makeWhenDue(HOUSEHOLD, [state]);
      return made.ended(HOUSEHOLD);
    };
    return { snapshots, cache, failures, make };
  }

  it('are made the next time where they could not be made, which is told', async context => {
    const { snapshots, cache, failures, make } = due();
    const away = new Error('away');
    const { mock } = context.mock.method(snapshots, 'save', () => Promise.reject(away));
    await make();
    assert.deepEqual(failures, [[HOUSEHOLD, away]]);
    assert.equal(cache.peek(HOUSEHOLD)?.snapshot, null);
    mock.restore();
    await make();
    assert.equal(failures.length, 1);
    assert.equal(cache.peek(HOUSEHOLD)?.snapshot?.household, household);
  });

  it('bring nothing back that has left the memory meanwhile', async context => {
    const { snapshots, cache, failures, make } = due();
    const save = snapshots.save.bind(snapshots);
    context.mock.method(snapshots, 'save', (...given: Parameters<typeof save>) => {
      cache.delete(HOUSEHOLD);
      return save(...given);
    });
    await make();
    assert.deepEqual([cache.peek(HOUSEHOLD), failures], [undefined, []]);
  });
});
