import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { hasDamagedPage } from './page-check.js';
import { readOnlyLocation } from './read-only-location.js';
import { DatabaseRefused, isDamage, isNoDatabase, refusalOf } from './unavailable.js';

/** An open connection. */
export type Database = DatabaseSyncInstance;

export interface DatabaseOptions {
  readonly file: string;
  /** Positive 32-bit number in the file's header by which we know our own files again. */
  readonly applicationId: number;
  /** Of the schema, from 1. A file with a greater one is refused. */
  readonly version: number;
  /** Brings the schema from `fromVersion` (0: a new file) to `version`; runs in one transaction. */
  readonly migrate: (db: Database, fromVersion: number) => void;
  /** Never writes; the file must exist with the present version, or one from `oldestVersion` on. */
  readonly readOnly?: boolean;
  readonly oldestVersion?: number;
  /** Another thread of this process has the file open, and has looked for damage. */
  readonly openInOtherThread?: boolean;
  /** How much of the file is kept in memory. */
  readonly cacheBytes?: number;
}

/**
 * The log is copied into the file whenever it has this many bytes of pages: often enough to stay short, seldom enough
 * that pages which change with every commit are copied once for many.
 */
export const CHECKPOINT_BYTES = 24 * 1024 * 1024;
/** How long a statement waits inside SQLite, blocking the process. Writes wait longer outside. */
export const BUSY_TIMEOUT_MS = 20;
/** The same while opening, when another process may be recovering or migrating the file. */
const OPEN_BUSY_TIMEOUT_MS = 2_000;
const CACHE_BYTES = 16 * 1024 * 1024;
/** The write-ahead log is cut back to this size once it has been copied into the file. */
const WAL_BYTES_MAX = 64 * 1024 * 1024;

/** https://sqlite.org/fileformat2.html#the_database_header */
const HEADER_BYTES = 100;

/** What an operator can do about a file that is none of ours. */
const MOVE_AWAY = 'move it away and restore the right file';
const EMPTY = 'it is empty';

/**
 * Opens a database file in WAL mode, made with its directory where it is missing (0600 in 0700).
 * While it is open, nothing in this process may open the file in another way than this.
 * @throws DatabaseRefused for a file that is not ours, newer than this program, damaged or not accessible;
 *   its bytes are then unchanged
 */
export function openDatabase(options: DatabaseOptions): Database {
  try {
    const hasLog = examine(options);
    return connect(options, hasLog);
  } catch (error) {
    if (isDamage(error)) throw damaged(options.file, error);
    if (isSystemError(error)) throw inaccessible(options.file, error);
    throw refusalOf(options.file, error);
  }
}

/**
 * Copies the log into the file and closes the connection. The binding cannot finalize statements, so that without
 * the copy the log would stay until they are collected, and the next start would take this end for a crash.
 */
export function closeDatabase(db: Database): void {
  if (!db.isOpen) return;
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The log stays and is as good: a reader of another process is at it, or the disk is full.
  }
  db.close();
}

/** One column of the one row that a pragma answers. */
export function readPragma(db: Database, pragma: string): unknown {
  const row: unknown = db.prepare(`PRAGMA ${pragma}`).get();
  return typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined;
}

/**
 * Decides without writing a byte whether the file may be opened, and makes it where it is missing.
 * @returns whether the log of an earlier connection is still there: it died, or it is at work now
 */
function examine(options: DatabaseOptions): boolean {
  const { file } = options;
  const hasLog = sizeOf(`${file}-wal`) > 0;
  const size = sizeOf(file);
  if (size === 0) {
    if (options.readOnly === true)
      throw new DatabaseRefused(file, existsSync(file) ? EMPTY : 'it does not exist');
    if (hasLog)
      throw new DatabaseRefused(
        file,
        'it is missing, but its write-ahead log exists; restore both files, or a backup',
      );
    createFile(file);
    return false;
  }
  refuseForeign(options);
  return hasLog;
}

/**
 * By a connection that neither writes nor makes files beside a foreign one. Never past SQLite, whose locks on a file are
 * lost as soon as the process closes any other handle on it (https://sqlite.org/howtocorrupt.html, 2.2).
 */
function refuseForeign({ file, applicationId, version }: DatabaseOptions): void {
  accessSync(file, constants.R_OK);
  // SQLite takes a file of one byte for an empty one.
  if (sizeOf(file) < HEADER_BYTES) throw noDatabase(file);
  const location = readOnlyLocation(file, () => false);
  const db = new DatabaseSync(location, { readOnly: true, timeout: OPEN_BUSY_TIMEOUT_MS });
  try {
    // Leaves no statement behind, which would keep open what is not a database.
    db.exec('PRAGMA application_id');
    const found = readPragma(db, 'application_id');
    // The first transaction may have been cut short, or still be in the log.
    if (found !== applicationId && (found !== 0 || hasSchema(db))) throw foreign(file);
    const foundVersion = Number(readPragma(db, 'user_version'));
    if (foundVersion > version) throw newer(file, foundVersion, version);
  } catch (error) {
    throw isNoDatabase(error) ? noDatabase(file) : error;
  } finally {
    db.close();
  }
}

function createFile(file: string): void {
  const directory = dirname(file);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  syncDirectory(directory);
}

/** Without this a power cut may take the new file's name. Windows cannot open directories and needs no such call. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function connect(options: DatabaseOptions, hasLog: boolean): Database {
  const { file, readOnly = false } = options;
  const location = readOnly ? readOnlyLocation(file) : file;
  const db = new DatabaseSync(location, { readOnly, timeout: OPEN_BUSY_TIMEOUT_MS });
  try {
    configure(db, options);
    const version = readPragma(db, 'user_version');
    // Who only looks, or comes second, checks a file that was left by a crash alone.
    const isFirst = !readOnly && options.openInOtherThread !== true;
    if ((isFirst || hasLog) && hasDamagedPage(db, sizeOf(file))) throw damaged(file);
    const isReadable = readOnly && Number(version) >= (options.oldestVersion ?? options.version);
    if (version !== options.version && !isReadable) migrate(db, options);
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function configure(db: Database, { readOnly, cacheBytes = CACHE_BYTES, file }: DatabaseOptions): void {
  db.exec(`PRAGMA cache_size = -${Math.ceil(cacheBytes / 1024)}; PRAGMA temp_store = MEMORY`);
  if (readOnly === true) return;
  if (readPragma(db, 'journal_mode = WAL') !== 'wal')
    throw new DatabaseRefused(file, 'its file system does not support WAL mode');
  // What is deleted is overwritten. A commit survives a power cut: https://sqlite.org/pragma.html#pragma_synchronous
  db.exec('PRAGMA secure_delete = ON; PRAGMA synchronous = FULL');
  db.exec(`PRAGMA journal_size_limit = ${WAL_BYTES_MAX}`);
  const pages = CHECKPOINT_BYTES / Number(readPragma(db, 'page_size'));
  db.exec(`PRAGMA wal_autocheckpoint = ${Math.round(pages)}`);
  // Elsewhere fsync reaches the medium; on macOS it stops at the drive's cache.
  if (process.platform === 'darwin') db.exec('PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1');
}

function hasSchema(db: Database): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}

function migrate(db: Database, options: DatabaseOptions): void {
  if (options.readOnly === true) throw unmigrated(db, options);
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated the file while this one waited for the lock.
    const fromVersion = Number(readPragma(db, 'user_version'));
    if (fromVersion > options.version) throw newer(options.file, fromVersion, options.version);
    if (fromVersion === 0 && hasSchema(db)) throw damaged(options.file);
    if (fromVersion < options.version) {
      options.migrate(db, fromVersion);
      db.exec(`PRAGMA application_id = ${options.applicationId}; PRAGMA user_version = ${options.version}`);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Why a file of an older version cannot be read yet. A schema is made in one transaction with its version. */
function unmigrated(db: Database, options: DatabaseOptions): DatabaseRefused {
  const { file } = options;
  if (!hasSchema(db)) return new DatabaseRefused(file, EMPTY);
  if (readPragma(db, 'user_version') === 0) return damaged(file);
  return new DatabaseRefused(file, 'it has an older schema; start the server once to upgrade it');
}

/** 0 for a file that does not exist. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The refusal of a file that has lost what makes it a database. */
export function damaged(file: string, cause?: unknown): DatabaseRefused {
  return new DatabaseRefused(file, 'it is damaged; restore a backup', { cause });
}

function noDatabase(file: string): DatabaseRefused {
  return new DatabaseRefused(file, `it is not a SQLite database; ${MOVE_AWAY}`);
}

function foreign(file: string): DatabaseRefused {
  return new DatabaseRefused(file, `it belongs to another program; ${MOVE_AWAY}`);
}

function newer(file: string, found: number, supported: number): DatabaseRefused {
  return new DatabaseRefused(
    file,
    `it has schema version ${found}, but this version supports only ${supported}; run a newer version`,
  );
}

function inaccessible(file: string, { code }: NodeJS.ErrnoException): DatabaseRefused {
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  const advice = isForbidden ? '; the user that runs this program must be able to read and write it' : '';
  return new DatabaseRefused(file, `it cannot be accessed (${code})${advice}`);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
