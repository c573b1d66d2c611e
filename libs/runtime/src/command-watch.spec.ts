import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { REBUILD_PROGRESS } from '#background/rebuild/rebuild-lease';
import type { Documents } from '#documents/documents';
import { FIRST_POINTER, GENERATION_POINTER } from '#streams/generations/generation-pointer';
import { CommandWatch } from './command-watch.js';

const ID = 'rebuild-1';

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
    stored[GENERATION_POINTER.name] = { ...FIRST_POINTER, ...pointer };
  }

  it('sees when nobody is at it any more', async () => {
    const watch = new CommandWatch(documents, ID, () => now);
    for (const at of [0, 15_000]) {
      now = at;
      tell({ revision: at, state: 'running' });
      assert.equal(await watch.look(ignore), null);
    }
    now = 30_000;
    assert.equal(await watch.look(ignore), null);
    assert.equal(watch.standsStill(), false);
    now = 36_000;
    assert.equal(watch.standsStill(), true);
    watch.beginAnew();
    assert.equal(watch.standsStill(), false);
  });

  it('ends when the work is over and nobody is there to say so', async () => {
    const watch = new CommandWatch(documents, ID, () => now);
    point({});
    assert.equal(await watch.look(ignore), null);
    now = 60_000;
    const outcome = await watch.look(ignore);
    assert.equal(outcome?.state, 'failed');
    assert.match(outcome.message!, /ended without telling how/);
  });
});
