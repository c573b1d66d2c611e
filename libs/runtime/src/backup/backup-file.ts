import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { Head } from '#background/verify/chain-audit';
import { openDatabase, type Database } from '#sqlite/open-database';
import { DatabaseRefused } from '#sqlite/unavailable';
import { requestsFirst } from '#concurrency/requests-first';

/** "HLbk": by this our backups are known again. */
const APPLICATION_ID = 0x484c626b;
/** Of the layout below. A file with a greater one is refused. */
const VERSION = 1;

const CHUNK_BYTES = 1024 * 1024;

/**
 * One SQLite file: it is checked as a whole, can be looked into by SQL, and has no size at which it ends. The files of
 * the data directory are in chunks, with the SHA-256 of each.
 */
const SCHEMA = `
  CREATE TABLE backup (made_at TEXT NOT NULL, program TEXT NOT NULL, events INTEGER NOT NULL) STRICT;
  CREATE TABLE heads (household_id TEXT PRIMARY KEY, revision INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT;
  CREATE TABLE chunks (file INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (file, number)) STRICT;
`;

export interface BackupSummary {
  /** ISO timestamp at which the copying of the events began. */
  readonly madeAt: string;
  readonly events: number;
  readonly heads: readonly Head[];
}

/**
 * A backup in the making is given up as a whole when anything fails, and synced at its end: it needs no journal on the disk.
 * @throws DatabaseRefused
 */
export function openBackup(file: string, purpose: 'make' | 'read'): Database {
  const db = openDatabase({
    file,
    readOnly: purpose === 'read',
    applicationId: APPLICATION_ID,
    version: VERSION,
    synchronous: 'NORMAL',
    migrate: fresh => fresh.exec(SCHEMA),
  });
  // Out of WAL mode first: a file that is to be read anywhere must not need a log beside it.
  if (purpose === 'make') {
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  }
  return db;
}

/** Puts a file into a backup. @returns its size in bytes */
export function addFile(db: Database, name: string, path: string): number {
  const insert = db.prepare('INSERT INTO chunks (file, number, bytes) VALUES (?, ?, ?)');
  const [{ id }] = db.prepare('SELECT ifnull(max(id), 0) + 1 AS id FROM files').all() as [{ id: number }];
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const handle = openSync(path, 'r');
  let size = 0;
  try {
    for (let number = 0; ; number++) {
      const read = readSync(handle, chunk, 0, CHUNK_BYTES, null);
      if (read === 0) break;
      hash.update(chunk.subarray(0, read));
      insert.run(id, number, chunk.subarray(0, read));
      size += read;
    }
  } finally {
    closeSync(handle);
  }
  db.prepare('INSERT INTO files (id, name, size, sha256) VALUES (?, ?, ?, ?)').run(
    id,
    name,
    size,
    hash.digest('hex'),
  );
  return size;
}

export function writeSummary(db: Database, { madeAt, events, heads }: BackupSummary, program: string): void {
  db.prepare('INSERT INTO backup (made_at, program, events) VALUES (?, ?, ?)').run(madeAt, program, events);
  const insert = db.prepare('INSERT INTO heads (household_id, revision, hash) VALUES (?, ?, ?)');
  for (const { householdId, revision, hash } of heads) insert.run(householdId, revision, hash);
}

/** @throws DatabaseRefused where the backup was not finished */
export function readSummary(db: Database, file: string): BackupSummary {
  const row = db.prepare('SELECT made_at, events FROM backup').get() as
    { made_at: string; events: number } | undefined;
  if (!row) throw new DatabaseRefused(file, 'the backup is incomplete');
  const heads = db
    .prepare('SELECT household_id AS householdId, revision, hash FROM heads ORDER BY household_id')
    .all() as Head[];
  return { madeAt: row.made_at, events: row.events, heads: heads.map(head => ({ ...head })) };
}

export interface BackedUpFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export function filesIn(db: Database): BackedUpFile[] {
  return db.prepare('SELECT id, name, size, sha256 FROM files ORDER BY id').all() as BackedUpFile[];
}

/**
 * Writes a file of a backup out, mode 0600 and synced; between chunks signals are heard.
 * @throws DatabaseRefused when it is not what was put in; errors of the system, with the file as their path
 */
export async function extractFile(
  db: Database,
  { id, name, size, sha256 }: BackedUpFile,
  target: string,
): Promise<void> {
  const read = db.prepare('SELECT bytes FROM chunks WHERE file = ? AND number = ?');
  const hash = createHash('sha256');
  const handle = openSync(target, 'wx', 0o600);
  let written = 0;
  try {
    for (let number = 0; written < size; number++) {
      const row = read.get(id, number) as { bytes: Uint8Array } | undefined;
      if (!row || row.bytes.length === 0) break;
      hash.update(row.bytes);
      for (let at = 0; at < row.bytes.length;) at += writeSync(handle, row.bytes, at);
      written += row.bytes.length;
      await requestsFirst();
    }
    fsyncSync(handle);
  } catch (error) {
    // The system does not say which file a handle is of.
    throw error instanceof Error && 'syscall' in error ? Object.assign(error, { path: target }) : error;
  } finally {
    closeSync(handle);
  }
  if (written !== size || hash.digest('hex') !== sha256) {
    throw new DatabaseRefused(name, 'it is damaged in the backup');
  }
}

/** The heads that a backup carries. @throws DatabaseRefused */
export function headsOfBackup(file: string): readonly Head[] {
  const db = openBackup(file, 'read');
  try {
    return readSummary(db, file).heads;
  } finally {
    db.close();
  }
}
