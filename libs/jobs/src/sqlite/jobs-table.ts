import { openDatabase, type Database } from '#sqlite/open-database';
import {
  PARKED_JOBS_MAX,
  PARKED_MS_MAX,
  JOB_WAIT_MS_MAX,
  type Job,
  type JobData,
  type ParkedJob,
  type QueueStats,
} from '../job-queue.js';

/** "HLJB": by this number in the file's header we know our own files. */
const APPLICATION_ID = 0x484c4a42;
const SCHEMA_VERSION = 1;
const CACHE_BYTES = 2 * 1024 * 1024;

/** @throws DatabaseRefused */
export function openJobFile(file: string, readOnly: boolean): Database {
  return openDatabase({
    file,
    readOnly,
    applicationId: APPLICATION_ID,
    version: SCHEMA_VERSION,
    migrate,
    synchronous: 'NORMAL',
    cacheBytes: CACHE_BYTES,
    remedy: 'remove it and the files whose names start with it; pending mails are queued again',
  });
}

/**
 * `due` is when the job may run; while it runs, when its lease ends. `owner` is set while it runs, `parked_at`
 * once it was given up. Times are milliseconds since the epoch.
 */
function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE jobs (
      queue TEXT NOT NULL,
      id TEXT NOT NULL,
      data TEXT NOT NULL,
      due INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      owner TEXT,
      parked_at INTEGER,
      reason TEXT,
      PRIMARY KEY (queue, id)
    ) STRICT;
    CREATE INDEX jobs_by_due ON jobs (queue, due) WHERE parked_at IS NULL;
    CREATE INDEX jobs_by_owner ON jobs (owner) WHERE owner IS NOT NULL;
    CREATE INDEX jobs_by_parking ON jobs (queue, parked_at) WHERE parked_at IS NOT NULL;
  `);
}

/** A parked job of the same id starts anew; a pending or running one stays as it is. */
export function insertJob(
  db: Database,
  job: { readonly queue: string; readonly id: string; readonly data: string; readonly due: number },
): void {
  db.prepare(
    `INSERT INTO jobs (queue, id, data, due, attempts) VALUES (?, ?, ?, ?, 0)
     ON CONFLICT (queue, id) DO UPDATE
       SET data = excluded.data, due = excluded.due, attempts = 0, parked_at = NULL, reason = NULL
       WHERE parked_at IS NOT NULL`,
  ).run(job.queue, job.id, job.data, job.due);
}

interface Claim {
  readonly queue: string;
  readonly owner: string;
  readonly now: number;
  readonly leaseEnd: number;
  readonly limit: number;
  /** Ids that the owner is running: not to be taken again, even if their lease ran out. */
  readonly running: readonly string[];
}

/** Takes jobs that are due, the longest waiting first, also those whose owner let the lease run out. */
export function claimJobs(db: Database, claim: Claim): Job[] {
  const { queue, now, limit, running } = claim;
  // What is due later than a job may wait was put there before the clock was set back.
  const due = db
    .prepare(
      `SELECT rowid, due, id, data, attempts FROM jobs
       WHERE queue = ?1 AND parked_at IS NULL AND due <= ?2 AND id NOT IN (SELECT value FROM json_each(?3))
       UNION ALL
       SELECT rowid, due, id, data, attempts FROM jobs
       WHERE queue = ?1 AND parked_at IS NULL AND due > ?4 AND id NOT IN (SELECT value FROM json_each(?3))
         AND owner IS NULL
       ORDER BY due, rowid LIMIT ?5`,
    )
    .all(queue, now, JSON.stringify(running), now + JOB_WAIT_MS_MAX, limit) as {
    rowid: number;
    id: string;
    data: string;
    attempts: number;
  }[];
  const take = db.prepare('UPDATE jobs SET owner = ?, due = ?, attempts = attempts + 1 WHERE rowid = ?');
  for (const { rowid } of due) take.run(claim.owner, claim.leaseEnd, rowid);
  return due.map(({ id, data, attempts }) => ({ id, data: parsed(data), attempt: attempts + 1 }));
}

/** When the next job becomes due that is not among the running ones, or null for none. */
export function nextDue(db: Database, queue: string, running: readonly string[]): number | null {
  const row = db
    .prepare(
      `SELECT min(due) AS due FROM jobs
       WHERE queue = ? AND parked_at IS NULL AND id NOT IN (SELECT value FROM json_each(?))`,
    )
    .get(queue, JSON.stringify(running)) as { due: number | null } | undefined;
  return row?.due ?? null;
}

/** Which run of which job: only its owner may say how it ended. */
export interface Run {
  readonly queue: string;
  readonly id: string;
  readonly owner: string;
}

export function removeDone(db: Database, { queue, id, owner }: Run): void {
  db.prepare('DELETE FROM jobs WHERE queue = ? AND id = ? AND owner = ?').run(queue, id, owner);
}

export function postpone(db: Database, { queue, id, owner }: Run, due: number): void {
  db.prepare('UPDATE jobs SET owner = NULL, due = ? WHERE queue = ? AND id = ? AND owner = ?').run(
    due,
    queue,
    id,
    owner,
  );
}

/** Gives a job up, and forgets parked ones that are over the bounds. */
export function park(db: Database, { queue, id, owner }: Run, reason: string, now: number): void {
  db.prepare(
    'UPDATE jobs SET owner = NULL, parked_at = ?, reason = ? WHERE queue = ? AND id = ? AND owner = ?',
  ).run(now, reason, queue, id, owner);
  db.prepare(
    `DELETE FROM jobs WHERE queue = ?1 AND parked_at IS NOT NULL AND (parked_at < ?2 OR rowid IN
       (SELECT rowid FROM jobs WHERE queue = ?1 AND parked_at IS NOT NULL
        ORDER BY parked_at DESC, rowid DESC LIMIT -1 OFFSET ?3))`,
  ).run(queue, now - PARKED_MS_MAX, PARKED_JOBS_MAX);
}

/** Forgets the jobs of all queues that were given up too long ago. */
export function forgetParked(db: Database, now: number): void {
  db.prepare('DELETE FROM jobs WHERE parked_at < ?').run(now - PARKED_MS_MAX);
}

export function extendLease(db: Database, { queue, id, owner }: Run, leaseEnd: number): void {
  db.prepare('UPDATE jobs SET due = ? WHERE queue = ? AND id = ? AND owner = ?').run(
    leaseEnd,
    queue,
    id,
    owner,
  );
}

/** Makes the jobs of owners that died runnable at once. */
export function releaseDead(db: Database, isAlive: (owner: string) => boolean, now: number): void {
  const owners = db.prepare('SELECT DISTINCT owner FROM jobs WHERE owner IS NOT NULL').all() as {
    owner: string;
  }[];
  const release = db.prepare('UPDATE jobs SET owner = NULL, due = ? WHERE owner = ?');
  for (const { owner } of owners) if (!isAlive(owner)) release.run(now, owner);
}

export function countJobs(db: Database, queue: string): QueueStats {
  const row = db
    .prepare(
      `SELECT count(*) AS jobs, count(owner) AS running, count(parked_at) AS parked FROM jobs WHERE queue = ?`,
    )
    .get(queue) as { jobs: number; running: number; parked: number };
  return { pending: row.jobs - row.running - row.parked, running: row.running, parked: row.parked };
}

export function listParked(db: Database, queue: string, limit: number): ParkedJob[] {
  const rows = db
    .prepare(
      `SELECT id, data, reason, parked_at AS parkedAt FROM jobs WHERE queue = ? AND parked_at IS NOT NULL
       ORDER BY parked_at DESC, rowid DESC LIMIT ?`,
    )
    .all(queue, limit) as { id: string; data: string; reason: string; parkedAt: number }[];
  return rows.map(({ id, data, reason, parkedAt }) => ({ id, data: parsed(data), reason, parkedAt }));
}

function parsed(text: string): JobData {
  return JSON.parse(text) as JobData;
}
