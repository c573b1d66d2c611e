import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { streamOf } from '../households/household-stream.js';
import {
  createMonth,
  damageEvents,
  envelope,
  expense,
  freshId,
  HOUSEHOLD,
  workplace,
  type Workplace,
} from '../households/streams.scenario.js';
import { EVERY_PARTITION, partitionKey, partitionOf } from './partitions.js';
import { ProjectionHost } from './projection-host.js';
import { StoredFailures } from './failing-households.js';
import { areBeyondLog, FAILING_LISTED_MAX, readStoredProgress } from './stored-progress.js';

describe('stored progress', () => {
  let place: Workplace;

  before(async () => {
    place = await workplace();
    await place.documents.ensure([ProjectionHost.checkpoints, ProjectionHost.failures]);
  });
  after(() => place.close());

  async function fail(count: number): Promise<void> {
    const failure = { revision: 1, error: 'no such event', since: '2026-01-15T12:00:00.000Z' };
    const failures = Array.from({ length: count }, () => ({
      key: StoredFailures.keyOf(freshId()),
      ...failure,
    }));
    await place.documents.put(StoredFailures.collection, failures);
  }

  it('says whether more households fail than it lists', async () => {
    for (const [more, listed, moreFail] of [
      [0, 0, false],
      [FAILING_LISTED_MAX, FAILING_LISTED_MAX, false],
      [1, FAILING_LISTED_MAX, true],
    ] as const) {
      await fail(more);
      const progress = await readStoredProgress(place.store, place.documents);
      assert.deepEqual([progress.failing.length, progress.moreFail], [listed, moreFail]);
    }
  });

  it('tells how old what waits is, as far as events tell when they were recorded', async () => {
    const streams = place.instance();
    const at = envelope().at;
    const lag = async (): Promise<[number, number | null]> => {
      const now = (): number => Date.parse(at) + 5_000;
      const { lagEvents, lagSeconds } = await readStoredProgress(place.store, place.documents, now);
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

  it('tells what each partition has not handled, the oldest first, and whether any is beyond the log', async () => {
    const household = freshId();
    const streams = place.instance();
    const [early, late] = ['2026-01-15T12:00:00.000Z', '2026-01-15T12:00:04.000Z'] as const;
    for (const at of [early, early, late]) {
      await streams.execute(household, expense(freshId()), envelope({ at }));
    }
    const positions: string[] = [];
    for await (const page of place.store.readStream(streamOf(household))) {
      positions.push(...page.map(({ position }) => position));
    }
    const [first, second, last] = positions as [string, string, string];
    let revision = 0;
    const progressAt = async (own: string, others: string) => {
      revision += 1;
      const checkpoints = [...EVERY_PARTITION].map(partition => ({
        key: partitionKey(partition),
        revision,
        position: partition === partitionOf(household) ? own : others,
      }));
      await place.documents.put(ProjectionHost.checkpoints, checkpoints);
      const now = (): number => Date.parse(early) + 10_000;
      const { lastPosition, position, lagEvents, lagSeconds } = await readStoredProgress(
        place.store,
        place.documents,
        now,
      );
      assert.equal(lastPosition, last);
      assert.equal(await areBeyondLog(place.store, place.documents), others > last);
      return [position, lagEvents, lagSeconds];
    };
    assert.deepEqual(await progressAt(first, last), [first, 2, 10]);
    assert.deepEqual(await progressAt(second, last), [second, 1, 6]);
    assert.deepEqual(await progressAt(last, second), [last, 0, 0]);
    await progressAt(last, `${last}0`);
  });
});
