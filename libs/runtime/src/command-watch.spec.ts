import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { REBUILD_PROGRESS } from '#engine/rebuild/rebuild';
import type { Documents } from '#storage/documents/documents';
import { ACTIVE_VERSION, FIRST_ACTIVE_VERSION } from '#engine/versions/active-version';
import { CommandWatch } from './projections-operator.js';

const ID = 'rebuild-1';
const REBUILD = 'rebuild';

describe('the watch on a command that another process does', () => {
  let stored: Record<string, object>;
  let now: number;
  const ignore = (): void => undefined;
  const documents = {
    get: async ({ name }: { name: string }) => stored[name] ?? null,
  } as unknown as Documents;

  beforeEach(() => {
    now = 0;
    stored = {};
    tell({ revision: 3, state: 'running' });
    point({ rebuild: { id: ID } });
  });

  function tell(progress: object): void {
    stored[REBUILD_PROGRESS.name] = { id: ID, message: null, ...progress };
  }

  function point(pointer: object): void {
    stored[ACTIVE_VERSION.name] = { ...FIRST_ACTIVE_VERSION, ...pointer };
  }

  it('ends when the work is over and nobody is there to say so', async () => {
    const watch = new CommandWatch(documents, ID, REBUILD, () => now);
    point({});
    assert.equal(await watch.look(ignore), null);
    now = 60_000;
    const outcome = await watch.look(ignore);
    assert.equal(outcome?.state, 'failed');
    assert.match(outcome.message!, /ended without reporting a result/);
  });

  it('tells the end that the read models tell, where the progress is already that of something else', async () => {
    const endOf = async (ended: object) => {
      point({ ended });
      return new CommandWatch(documents, ID, REBUILD, () => now).look(ignore);
    };
    tell({ id: 'drop-7', revision: 9, state: 'done' });
    const failed = await endOf({ id: ID, failure: 'It was cancelled.' });
    assert.deepEqual([failed?.state, failed?.message], ['failed', 'It was cancelled.']);
    const done = await endOf({ id: ID, failure: null });
    assert.deepEqual([done?.state, done?.message], ['done', null]);
    const unknown = await endOf({ id: 'another', failure: null });
    assert.equal(unknown?.state, 'failed');
    assert.match(unknown.message!, /ended without reporting a result/);
  });

  it('waits for what is left to drop', async () => {
    tell({ id: 'drop-7', revision: 9, state: 'running' });
    const ended = { id: ID, failure: null };
    point({ ended, dropping: ['months_g2'] });
    const watch = new CommandWatch(documents, ID, REBUILD, () => now);
    assert.equal(await watch.look(ignore), null);
    point({ ended });
    assert.equal((await watch.look(ignore))?.state, 'done');
  });
});
