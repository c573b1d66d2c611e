import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DocumentsUnavailable, type Documents } from '#documents/documents';
import { readPointer } from '#streams/generations/generation-pointer';
import { HouseholdStreams } from '#streams/household-streams';
import { readModelsOf } from '#streams/read-models';
import { createMonth, envelope, expense, freshId, SILENT, CommandStreams } from '#streams/streams.scenario';
import { doubled } from '../failing.scenario.js';
import { PROJECTION_NAME } from '../projection-host.js';
import { ProgressWatch, RebuildLease } from './rebuild-lease.js';
import { RebuildRefused } from './rebuild-request.js';
import { announce, workOff, type WorkOutcome } from './rebuild-work.js';
import { REBUILD_ALL, RebuildPlace } from './rebuild.scenario.js';
import { REBUILD_CHECKPOINTS } from './replay.js';

describe('working off what was announced', () => {
  let place: RebuildPlace;
  before(async () => {
    place = await RebuildPlace.open();
  });
  after(() => place.close());

  /** A process that began on the read models which are live now. */
  async function living(): Promise<CommandStreams> {
    const models = await place.liveModels();
    await place.documents.ensure(HouseholdStreams.collections(models));
    return new CommandStreams(place.store, place.documents, models);
  }

  /** A household of a month and an expense. @returns its id and the expense's */
  async function household(): Promise<readonly [string, string]> {
    const [id, transaction] = [freshId(), freshId()];
    const streams = await living();
    await streams.execute(id, createMonth('2026-01'), envelope());
    await streams.execute(id, expense(transaction), envelope());
    return [id, transaction];
  }

  /** As a process that is alone, and goes on with what failed only where it is asked to. */
  function tried(
    documents: Documents = place.documents,
    retryFailed = false,
    confirm: (revision: number) => Promise<void> = async () => undefined,
  ): Promise<WorkOutcome> {
    const alone = {
      store: place.store,
      documents,
      shared: false,
      confirm,
      projectionName: PROJECTION_NAME,
      log: SILENT,
    };
    const { signal } = new AbortController();
    return workOff(alone, { owner: 'worker', watch: new ProgressWatch(() => 0), signal, retryFailed });
  }

  /** Documents of which nothing can be listed. */
  const failing = (how: Error): Documents =>
    doubled(place.documents, (method, real) => (method === 'range' ? Promise.reject(how) : real()));

  it('makes one household as of a moment, and no other', async () => {
    const [id, transaction] = await household();
    const [other] = await household();
    const late = freshId();
    await (await living()).execute(id, expense(late), envelope({ at: '2026-01-17T00:00:00.000Z' }));
    const to = '2026-01-16T00:00:00.000Z';
    assert.deepEqual(await place.carryOut({ ...REBUILD_ALL, household: id, to }), { kind: 'done' });
    const { inspected } = await readPointer(place.documents);
    const { transactions, heads } = readModelsOf(inspected!.generations);
    await place.documents.ensure([transactions, heads]);
    assert.ok(await place.documents.get(transactions, `${id}|${transaction}`));
    assert.equal(await place.documents.get(transactions, `${id}|${late}`), null);
    assert.deepEqual(await place.documents.get(heads, id), { key: id, revision: 1 });
    assert.equal(await place.documents.get(heads, other), null);
    await place.carryOut({ command: 'drop' });
  });

  it('has nothing to do for a household that is not there', async () => {
    const id = freshId();
    assert.deepEqual(await place.carryOut({ ...REBUILD_ALL, household: id }), { kind: 'done' });
    assert.equal(await place.documents.get((await place.liveModels()).heads, id), null);
  });

  it('waits in every phase until what others do agrees with it', async () => {
    const [id] = await household();
    const phases = { whole: ['joining', 'settling'], one: ['joining', 'mending', 'returning'] };
    for (const [of, expected] of [
      [null, phases.whole],
      [id, phases.one],
    ] as const) {
      await announce(place.documents, { ...REBUILD_ALL, household: of });
      const waited: string[] = [];
      const confirm = async (revision: number): Promise<void> => {
        const { rebuild } = await readPointer(place.documents);
        // Nothing waits for these: they may begin to write beside.
        if (rebuild?.phase === 'replaying') return;
        // Whoever did not wait would have come further by then.
        for (let turns = 0; turns < 20; turns++) await nextTurn();
        const pointer = await readPointer(place.documents);
        if (pointer.revision === revision) waited.push(rebuild?.phase ?? 'dropping');
      };
      assert.deepEqual(await tried(place.documents, false, confirm), { kind: 'done' });
      assert.deepEqual(waited, [...expected, 'dropping']);
    }
  });

  it('has in the new read models what was recorded until all others write them, too', async () => {
    const [id] = await household();
    for (const of of [null, id]) {
      await announce(place.documents, { ...REBUILD_ALL, household: of });
      const late = freshId();
      let found: unknown = null;
      const confirm = async (): Promise<void> => {
        const { rebuild, live, diverted } = await readPointer(place.documents);
        if (rebuild?.phase === 'joining') await (await living()).execute(id, expense(late), envelope());
        if (rebuild?.phase !== 'settling' && rebuild?.phase !== 'mending') return;
        const { transactions } = readModelsOf(diverted?.generations ?? live);
        found = await place.documents.get(transactions, `${id}|${late}`);
      };
      assert.deepEqual(await tried(place.documents, false, confirm), { kind: 'done' });
      assert.ok(found, `of ${of ?? 'all'}`);
    }
  });

  it('leaves alone what another process is at', async () => {
    const id = await announce(place.documents, REBUILD_ALL);
    const { rebuild } = await readPointer(place.documents);
    const lease = await RebuildLease.take(place.documents, await place.progress(), rebuild!, 'another');
    await lease!.stop();
    assert.deepEqual(await tried(), { kind: 'held' });
    assert.equal((await place.progress())?.owner, 'another');
    assert.deepEqual(await place.workOff(), { kind: 'done' });
    assert.equal((await place.progress())?.id, id);
  });

  it('goes back once where that is asked for twice, and leaves no checkpoint', async () => {
    await household();
    await place.carryOut(REBUILD_ALL);
    const id = await announce(place.documents, { command: 'roll-back' });
    assert.equal(await announce(place.documents, { command: 'roll-back' }), id);
    await assert.rejects(announce(place.documents, { command: 'drop' }), RebuildRefused);
    assert.deepEqual(await place.workOff(), { kind: 'done' });
    assert.equal(await place.documents.get(REBUILD_CHECKPOINTS, id), null);
    await place.carryOut({ command: 'roll-back' });
  });

  it('is to be gone on with where a store was down', async () => {
    await household();
    const id = await announce(place.documents, REBUILD_ALL);
    await assert.rejects(tried(failing(new DocumentsUnavailable('down'))), DocumentsUnavailable);
    const progress = await place.progress();
    assert.deepEqual([progress?.id, progress?.state], [id, 'running']);
    assert.deepEqual(await tried(), { kind: 'done' });
  });

  it('goes on with what failed only where a person asks for it', async () => {
    await household();
    await announce(place.documents, REBUILD_ALL);
    const broken = await tried(failing(new TypeError('no such thing')));
    assert.deepEqual(broken, { kind: 'failed', message: 'no such thing' });
    assert.equal((await place.progress())?.state, 'failed');
    assert.deepEqual(await tried(), { kind: 'nothing' });
    assert.deepEqual(await tried(place.documents, true), { kind: 'done' });
  });
});
