import { openDatabase, type Database, type DatabaseOptions } from './open-database.js';

/** "HLdb": by this a ledger's file is known again. */
const APPLICATION_ID = 0x484c6462;
const SCHEMA_VERSION = 1;

/**
 * Stream names are stored once. `size` is the length of both texts in UTF-16 units, which bounds pages. Positions are never given twice, even if events were cut off by hand.
 */
const SCHEMA = `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    id BLOB NOT NULL,
    type TEXT NOT NULL,
    size INTEGER NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE TABLE collections (name TEXT NOT NULL PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID;
`;

/** Marks a database as a ledger's file. */
export function identifyLedger(db: Database): void {
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/** Holds an index of 200,000 entries, so that searching through it does not read the file each time. */
const CACHE_BYTES = 48 * 1024 * 1024;

export type LedgerFileOptions = Pick<
  DatabaseOptions,
  'file' | 'readOnly' | 'openInOtherThread' | 'cacheBytes'
>;

/**
 * Opens a ledger: events, records and read models in one file, of which every commit survives a power cut. What is
 * deleted is overwritten.
 * @throws DatabaseRefused
 */
export function openLedgerFile(options: LedgerFileOptions): Database {
  return openDatabase({
    cacheBytes: CACHE_BYTES,
    ...options,
    applicationId: APPLICATION_ID,
    version: SCHEMA_VERSION,
    migrate: fresh => fresh.exec(SCHEMA),
  });
}
