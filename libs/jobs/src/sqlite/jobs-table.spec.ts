import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { JOB_WAIT_MS_MAX, PARKED_MS_MAX } from '../job-queue.js';
import * as table from './jobs-table.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const LEASE_MS = 1_000;

describe('the table of jobs', () => {
  let directory: string;
  let db: ReturnType<typeof table.openJobFile>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'jobs-table-'));
    db = table.openJobFile(join(directory, 'jobs.db'), false);
  });
  afterEach(() => {
    db.close();
    rmSync(directory, { recursive: true });
  });

  const queue = 'mail';
  const insert = (id: string, due = NOW): void => table.insertJob(db, { queue, id, data: '{}', due });
  /** The ids of the jobs that somebody takes, with their attempts. */
  const claim = (owner: string, now: number, limit = 9, running: readonly string[] = []): unknown[] =>
    table
      .claimJobs(db, { queue, owner, now, leaseEnd: now + LEASE_MS, limit, running })
      .map(({ id, attempt }) => [id, attempt]);

  it('gives the jobs that have waited longest first', () => {
    for (const [id, due] of [
      ['late', NOW - 1],
      ['first', NOW - 3],
      ['second', NOW - 2],
      ['not yet', NOW + 1],
    ] as const) {
      insert(id, due);
    }
    assert.deepEqual(claim('one', NOW, 2), [
      ['first', 1],
      ['second', 1],
    ]);
    assert.deepEqual(claim('one', NOW), [['late', 1]]);
  });

  it('gives a running job to nobody before its lease is over, also where the clock is set back', () => {
    insert('a');
    assert.deepEqual(claim('one', NOW), [['a', 1]]);
    for (const now of [NOW, NOW + LEASE_MS - 1, NOW - 2 * JOB_WAIT_MS_MAX]) {
      assert.deepEqual(claim('other', now), [], String(now - NOW));
    }
    assert.deepEqual(claim('one', NOW + LEASE_MS, 9, ['a']), []);
    assert.deepEqual(claim('other', NOW + LEASE_MS), [['a', 2]]);
  });

  it('lets nobody but its owner say how a job ended', () => {
    insert('a');
    claim('former', NOW);
    claim('owner', NOW + LEASE_MS);
    const former = { queue, id: 'a', owner: 'former' };
    table.removeDone(db, former);
    table.postpone(db, former, NOW);
    table.park(db, former, 'lost', NOW);
    table.extendLease(db, former, NOW + 9 * LEASE_MS);
    assert.deepEqual(table.countJobs(db, queue), { pending: 0, running: 1, parked: 0 });
    assert.deepEqual(claim('next', NOW + 2 * LEASE_MS), [['a', 3]]);
    table.removeDone(db, { queue, id: 'a', owner: 'next' });
    assert.deepEqual(table.countJobs(db, queue), { pending: 0, running: 0, parked: 0 });
  });

  it('forgets what was given up too long ago when another job is given up', () => {
    for (const [id, at] of [
      ['old', NOW],
      ['kept', NOW + 1],
      ['new', NOW + PARKED_MS_MAX + 1],
    ] as const) {
      insert(id, at);
      claim('one', at);
      table.park(db, { queue, id, owner: 'one' }, 'failed', at);
    }
    assert.deepEqual(
      table.listParked(db, queue, 9).map(({ id }) => id),
      ['new', 'kept'],
    );
  });

  it('makes the jobs of the dead runnable at once, and of nobody else', () => {
    for (const id of ['a', 'b']) insert(id);
    claim('dead', NOW, 1);
    claim('living', NOW, 1);
    table.releaseDead(db, owner => owner === 'living', NOW + 1);
    assert.deepEqual(claim('next', NOW + 1), [['a', 2]]);
  });
});
