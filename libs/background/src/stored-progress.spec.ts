import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createMonth,
  damageEvents,
  envelope,
  expense,
  freshId,
  HOUSEHOLD,
  workplace,
  type Workplace,
} from '#streams/streams.scenario';
import { ProjectionHost } from './projection-host.js';
import { StoredFailures } from './stored-failures.js';
import { FAILING_LISTED_MAX, readStoredProgress } from './stored-progress.js';

describe('stored progress', () => {
  let place: Workplace;

  before(async () => {
    place = await workplace();
    await place.documents.ensure([ProjectionHost.checkpoints, ProjectionHost.failures]);
  });
  after(() => place.close());

  async function fail(name: string, count: number): Promise<void> {
    const failure = { revision: 1, error: 'no such event', since: '2026-01-15T12:00:00.000Z' };
    const failures = Array.from({ length: count }, () => ({
      key: StoredFailures.keyOf(name, freshId()),
      ...failure,
    }));
    await place.documents.put(StoredFailures.collection, failures);
  }

  it('says whether more households fail than it lists', async () => {
    for (const [name, count, listed, moreFail] of [
      ['none', 0, 0, false],
      ['all', FAILING_LISTED_MAX, FAILING_LISTED_MAX, false],
      ['more', FAILING_LISTED_MAX + 1, FAILING_LISTED_MAX, true],
    ] as const) {
      await fail(name, count);
      const progress = await readStoredProgress(place.store, place.documents, name);
      assert.deepEqual([progress.failing.length, progress.moreFail], [listed, moreFail], name);
    }
  });

  it('tells how old what waits is, as far as events tell when they were recorded', async () => {
    const streams = place.instance();
    const at = envelope().at;
    const lag = async (): Promise<[number, number | null]> => {
      const now = (): number => Date.parse(at) + 5_000;
      const { lagEvents, lagSeconds } = await readStoredProgress(place.store, place.documents, 'new', now);
      return [lagEvents, lagSeconds];
    };
    assert.deepEqual(await lag(), [0, 0]);
    await streams.execute(HOUSEHOLD, createMonth('2026-01'), envelope());
    assert.deepEqual(await lag(), [1, 5]);
    damageEvents(place, 0);
    assert.deepEqual(await lag(), [1, null]);
    await streams.execute(HOUSEHOLD, expense(freshId()), envelope());
    assert.deepEqual(await lag(), [2, 5]);
  });
});
