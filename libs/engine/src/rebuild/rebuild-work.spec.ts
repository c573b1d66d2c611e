import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DocumentsUnavailable, type Documents } from '#storage/documents/documents';
import { readActiveVersion } from '../versions/active-version.js';
import { HouseholdStreams } from '../households/household-streams.js';
import { readModelsOf } from '../households/read-models.js';
import {
  createMonth,
  envelope,
  expense,
  freshId,
  SILENT,
  CommandStreams,
} from '../households/streams.scenario.js';
import { doubled } from '../projector/failing.scenario.js';
import { StandingDocuments, TAKEN_OVER_MS } from '../households/standing-documents.js';
import { takeRebuild } from './rebuild.js';
import { announce, workOff, type WorkOutcome } from './rebuild-work.js';
import { RebuildPlace } from './rebuild.scenario.js';

describe('working off what was announced', () => {
  let place: RebuildPlace;
  before(async () => {
    place = await RebuildPlace.open();
  });
  after(() => place.close());

  /** A process that began on the active version. */
  async function living(): Promise<CommandStreams> {
    const models = await place.activeModels();
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
      log: SILENT,
    };
    const { signal } = new AbortController();
    const standing = new StandingDocuments(TAKEN_OVER_MS, () => 0);
    return workOff(alone, { owner: 'worker', standing, signal, retryFailed });
  }

  /** Documents of which nothing can be listed. */
  const failing = (how: Error): Documents =>
    doubled(place.documents, (method, real) => (method === 'range' ? Promise.reject(how) : real()));

  it('waits in every phase until what others do agrees with it', async () => {
    await household();
    await announce(place.documents, 'rebuild');
    const waited: string[] = [];
    const confirm = async (revision: number): Promise<void> => {
      const { rebuild } = await readActiveVersion(place.documents);
      // Nothing waits for these: they may begin to write beside.
      if (rebuild?.phase === 'replaying') return;
      // A process that did not wait would have come further by then.
      for (let turns = 0; turns < 20; turns++) await nextTurn();
      const version = await readActiveVersion(place.documents);
      if (version.revision === revision) waited.push(rebuild?.phase ?? 'dropping');
    };
    assert.equal(await tried(place.documents, false, confirm), 'done');
    assert.deepEqual(waited, ['joining', 'settling', 'dropping']);
  });

  it('has in the new version what was recorded until all others write it, too', async () => {
    const [id] = await household();
    await announce(place.documents, 'rebuild');
    const late = freshId();
    let found: unknown = null;
    const confirm = async (): Promise<void> => {
      const { rebuild, active } = await readActiveVersion(place.documents);
      if (rebuild?.phase === 'joining') await (await living()).execute(id, expense(late), envelope());
      if (rebuild?.phase !== 'settling') return;
      found = await place.documents.get(readModelsOf(active).transactions, `${id}|${late}`);
    };
    assert.equal(await tried(place.documents, false, confirm), 'done');
    assert.ok(found);
  });

  it('leaves alone what another process is at', async () => {
    const id = await announce(place.documents, 'rebuild');
    const { rebuild } = await readActiveVersion(place.documents);
    const lease = await takeRebuild(place.documents, await place.progress(), rebuild!, 'another');
    await lease!.stop();
    assert.equal(await tried(), 'held');
    assert.equal((await place.progress())?.owner, 'another');
    assert.equal(await place.workOff(), 'done');
    assert.equal((await place.progress())?.id, id);
  });

  it('is to be gone on with where a store was down', async () => {
    await household();
    const id = await announce(place.documents, 'rebuild');
    await assert.rejects(tried(failing(new DocumentsUnavailable('down'))), DocumentsUnavailable);
    const progress = await place.progress();
    assert.deepEqual([progress?.id, progress?.state], [id, 'running']);
    assert.equal(await tried(), 'done');
  });

  it('goes on with what failed only where a person asks for it', async () => {
    await household();
    await announce(place.documents, 'rebuild');
    const broken = await tried(failing(new TypeError('no such thing')));
    assert.equal(broken, 'failed');
    const { state, message } = (await place.progress())!;
    assert.deepEqual([state, message], ['failed', 'no such thing']);
    assert.equal(await tried(), 'nothing');
    assert.equal(await tried(place.documents, true), 'done');
  });
});
