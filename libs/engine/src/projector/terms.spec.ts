import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { workplace, SILENT, type Workplace } from '../households/streams.scenario.js';
import { expenses, fragileStreams, recordAndDie, recordExpense } from './failing.scenario.js';
import { EVERY_PARTITION, type PartitionOwnership } from './partitions.js';
import { ProjectionHost } from './projection-host.js';
import { StoredFailures } from './failing-households.js';
import { until } from '../../../../test/until.js';

/** Every process takes itself for the owner of everything, as one does that sleeps past its lease. */
class LeaseOfAll implements PartitionOwnership {
  private static terms = 0;
  readonly shared = true;
  private readonly term = (LeaseOfAll.terms += 1);

  owned(): ReadonlySet<number> {
    return EVERY_PARTITION;
  }

  standsBy(): boolean {
    return false;
  }

  async beginTerm(): Promise<number> {
    return this.term;
  }

  start(): void {}

  async stop(): Promise<void> {}
}

describe('terms of projectors', () => {
  let place: Workplace;
  const hosts: ProjectionHost[] = [];

  beforeEach(async () => {
    place = await workplace();
    await place.documents.ensure([ProjectionHost.checkpoints, ProjectionHost.failures]);
  });
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.stop();
    await place.close();
  });

  async function projector(isBroken = false): Promise<ProjectionHost> {
    const streams = fragileStreams(place, () => isBroken);
    const host = new ProjectionHost(place.store, place.documents, streams, {
      log: SILENT,
      ownership: new LeaseOfAll(),
    });
    hosts.push(host);
    host.start();
    await until(() => host.isCaughtUp());
    return host;
  }

  it('an event that a former owner passes over, of a household mended since, is applied by the next', async () => {
    await recordExpense(place);
    const former = await projector(true);
    assert.equal(former.status().failing.length, 1);
    const successor = await projector();
    await until(async () => (await new StoredFailures(place.documents).first(1)).length === 0);
    await successor.stop();
    const passedOver = await recordAndDie(place);
    await until(() => former.status().position === passedOver);
    await former.stop();
    assert.equal(await expenses(place), 1);
    await projector();
    assert.equal(await expenses(place), 2);
  });
});
