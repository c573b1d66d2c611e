// Ledgers as former versions left them.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { RECORDS } from '#runtime/former-files';
import { LEDGER_FILE } from '#storage/sqlite/ledger-database';
import type { Database } from '#storage/sqlite/open-database';
import { databaseFiles } from '#storage/sqlite/snapshot-database';

/** "LEv1" and "docs": by these former versions knew their events and their records. */
/** "HLbk" */
const BACKUP_APPLICATION_ID = 0x484c626b;
const EVENTS_APPLICATION_ID = 0x4c457631;
const RECORDS_APPLICATION_ID = 0x646f6373;

const EVENTS_SCHEMA = `
  CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE events (position INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL, revision INTEGER NOT NULL,
    id BLOB NOT NULL, type TEXT NOT NULL, size INTEGER NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
`;

/** Makes `events.db` and `records.db` of a stopped server's ledger, and removes that. */
export function leaveFormerFiles(directory: string): void {
  const ledger = join(directory, LEDGER_FILE);
  make(join(directory, 'events.db'), ledger, EVENTS_APPLICATION_ID, db =>
    db.exec(`${EVENTS_SCHEMA}
      INSERT INTO streams SELECT * FROM ledger.streams;
      INSERT INTO events SELECT * FROM ledger.events`),
  );
  make(join(directory, 'records.db'), ledger, RECORDS_APPLICATION_ID, db => {
    for (const { name } of RECORDS) {
      db.exec(`CREATE TABLE "documents:${name}" (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
          revision INTEGER NOT NULL, expires_at INTEGER, body TEXT NOT NULL);
        INSERT INTO "documents:${name}" SELECT id, key, revision, expires_at, body FROM ledger."documents:${name}"`);
    }
  });
  for (const file of databaseFiles(ledger)) rmSync(file, { force: true });
}

/** Makes a backup as former versions made it, of files in a directory. */
export function makeFormerBackup(
  file: string,
  directory: string,
  names: readonly string[],
  { madeAt, events, heads }: FormerSummary,
): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA application_id = ${BACKUP_APPLICATION_ID}; PRAGMA user_version = 1;
    CREATE TABLE backup (made_at TEXT NOT NULL, program TEXT NOT NULL, events INTEGER NOT NULL) STRICT;
    CREATE TABLE heads (household_id TEXT PRIMARY KEY, revision INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
    CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT;
    CREATE TABLE chunks (file INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (file, number)) STRICT`);
  db.prepare('INSERT INTO backup VALUES (?, ?, ?)').run(madeAt, 'household-ledger', events);
  for (const { household_id, revision, hash } of heads) {
    db.prepare('INSERT INTO heads VALUES (?, ?, ?)').run(household_id, revision, hash);
  }
  for (const [at, name] of names.entries()) {
    const path = join(directory, name);
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.from('of whatever form');
    const hash = createHash('sha256').update(bytes).digest('hex');
    db.prepare('INSERT INTO files VALUES (?, ?, ?, ?)').run(at + 1, name, bytes.length, hash);
    const half = Math.ceil(bytes.length / 2);
    for (const [number, part] of [bytes.subarray(0, half), bytes.subarray(half)].entries()) {
      db.prepare('INSERT INTO chunks VALUES (?, ?, ?)').run(at + 1, number, part);
    }
  }
  db.close();
}

export interface FormerSummary {
  readonly madeAt: string;
  readonly events: number;
  readonly heads: readonly {
    readonly household_id: string;
    readonly revision: number;
    readonly hash: string;
  }[];
}

function make(file: string, ledger: string, applicationId: number, fill: (db: Database) => void): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = 1; PRAGMA journal_mode = WAL`);
  db.prepare('ATTACH ? AS ledger').run(ledger);
  fill(db);
  db.exec('DETACH ledger; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}
