import { createHash, type Hash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { requestsFirst } from '#concurrency/turns';
import type { Head } from '#engine/verify/chain-audit';
import { identifyLedger } from '#storage/sqlite/ledger-file';
import { openDatabase, readPragma, type Database } from '#storage/sqlite/open-database';
import { DatabaseRefused } from '#storage/sqlite/unavailable';

/** "HLbk": by this our backups are known again. */
const APPLICATION_ID = 0x484c626b;
/** A backup with a greater one is refused. Those of `CHUNKED_VERSION` have the files of a data directory in chunks. */
const VERSION = 2;
const CHUNKED_VERSION = 1;
/** What made it, for people. */
const PROGRAM = 'household-ledger';

/**
 * A backup is the ledger's own file, with these tables besides: what was copied when, the heads, and the files that
 * belong to it, each with its SHA-256.
 */
const SCHEMA = `
  CREATE TABLE backup (made_at TEXT NOT NULL, program TEXT NOT NULL, events INTEGER NOT NULL) STRICT;
  CREATE TABLE heads (household_id TEXT PRIMARY KEY, revision INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL, bytes BLOB NOT NULL) STRICT;
`;
const REMOVAL = 'DROP TABLE backup; DROP TABLE heads; DROP TABLE files';

/** What is being done, and how much of it. */
export interface Step {
  readonly label: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  readonly done: number;
  /** Null if the amount is unknown. */
  readonly total: number | null;
}

export type OnStep = (step: Step) => void;

export interface BackupSummary {
  /** ISO timestamp at which the copying of the events began. */
  readonly madeAt: string;
  readonly events: number;
  readonly heads: readonly Head[];
}

/** Makes a backup of a copied ledger. @param files paths by their names in the backup */
export function turnIntoBackup(
  db: Database,
  { madeAt, events, heads }: BackupSummary,
  files: ReadonlyMap<string, string>,
): void {
  db.exec(`BEGIN; ${SCHEMA}`);
  db.prepare('INSERT INTO backup (made_at, program, events) VALUES (?, ?, ?)').run(madeAt, PROGRAM, events);
  const head = db.prepare('INSERT INTO heads (household_id, revision, hash) VALUES (?, ?, ?)');
  for (const { householdId, revision, hash } of heads) head.run(householdId, revision, hash);
  const file = db.prepare('INSERT INTO files (name, sha256, bytes) VALUES (?, ?, ?)');
  for (const [name, path] of files) {
    const bytes = readFileSync(path);
    file.run(name, sha256(bytes), bytes);
  }
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}; COMMIT`);
}

/** Makes a ledger of a copied backup. Mails name people: nothing of them stays in free pages. */
export function turnIntoLedger(db: Database): void {
  db.exec(`PRAGMA secure_delete = ON; BEGIN; ${REMOVAL}`);
  identifyLedger(db);
  db.exec('COMMIT');
}

export function openBackup(file: string): Database {
  return openDatabase({
    file,
    readOnly: true,
    applicationId: APPLICATION_ID,
    version: VERSION,
    oldestVersion: CHUNKED_VERSION,
    migrate: () => undefined,
  });
}

export function isChunked(db: Database): boolean {
  return readPragma(db, 'user_version') === CHUNKED_VERSION;
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

export function namesIn(db: Database): readonly string[] {
  const rows = db.prepare('SELECT name FROM files ORDER BY id').all() as { readonly name: string }[];
  return rows.map(({ name }) => name);
}

/**
 * Writes a file of a backup out, mode 0600.
 * @returns whether it is there and undamaged
 * @throws errors of SQLite and of the system
 */
export async function extractFile(db: Database, name: string, target: string): Promise<boolean> {
  if (isChunked(db)) return extractChunked(db, name, target);
  const row = db.prepare('SELECT sha256, bytes FROM files WHERE name = ?').get(name) as
    { sha256: string; bytes: Uint8Array } | undefined;
  if (!row || sha256(row.bytes) !== row.sha256) return false;
  writeFileSync(target, row.bytes, { mode: 0o600 });
  return true;
}

interface ChunkedFile {
  readonly id: number;
  readonly size: number;
  readonly sha256: string;
}

/** Hears signals between the chunks. */
async function extractChunked(db: Database, name: string, target: string): Promise<boolean> {
  const file = db.prepare('SELECT id, size, sha256 FROM files WHERE name = ?').get(name) as
    ChunkedFile | undefined;
  if (file === undefined) return false;
  const hash = createHash('sha256');
  try {
    await writeFile(target, chunksOf(db, file, hash), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // The system does not say which file could not be written on.
    throw error instanceof Error && 'syscall' in error ? Object.assign(error, { path: target }) : error;
  }
  return statSync(target).size === file.size && hash.digest('hex') === file.sha256;
}

async function* chunksOf(db: Database, { id, size }: ChunkedFile, hash: Hash): AsyncGenerator<Uint8Array> {
  const read = db.prepare('SELECT bytes FROM chunks WHERE file = ? AND number = ?');
  for (let number = 0, taken = 0; taken < size; number++) {
    const row = read.get(id, number) as { bytes: Uint8Array } | undefined;
    if (!row || row.bytes.length === 0) return;
    hash.update(row.bytes);
    yield row.bytes;
    taken += row.bytes.length;
    await requestsFirst();
  }
}

/** The heads that a backup carries. @throws DatabaseRefused */
export function headsOfBackup(file: string): readonly Head[] {
  const db = openBackup(file);
  try {
    return readSummary(db, file).heads;
  } finally {
    db.close();
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
