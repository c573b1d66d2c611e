import { closeSync, openSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from '@photostructure/sqlite';
import { damaged, readPragma } from './open-database.js';
import { readOnlyLocation } from './read-only-location.js';
import { DatabaseRefused, isFull, refusalOf } from './unavailable.js';

/** Pages that are copied between two calls of `progress`: four megabytes. */
const PAGES_AT_ONCE = 1_024;
const BUSY_TIMEOUT_MS = 5_000;

interface SnapshotOptions {
  readonly file: string;
  /** Must not exist; made with mode 0600. */
  readonly target: string;
  readonly progress?: (pages: number, pagesTotal: number) => void;
}

/**
 * Copies a database as it is at one moment, while others go on writing it: a read transaction is held meanwhile, so
 * that the copy neither sees what comes later nor has to start over. The copy is then checked.
 * @throws DatabaseRefused with one sentence; nothing is then left of the copy
 */
export async function snapshotDatabase({ file, target, progress }: SnapshotOptions): Promise<void> {
  closeSync(openSync(target, 'wx', 0o600));
  try {
    await copy(file, target, progress);
    leaveWalMode(target);
    checkDatabase(target);
  } catch (error) {
    removeDatabase(target);
    // What is wrong with the copy is wrong with the file.
    if (error instanceof DatabaseRefused) throw error.of(file);
    throw refusalOf(isFull(error) ? target : file, error);
  }
}

/** A file that is to be read anywhere must not need a log beside it. */
function leaveWalMode(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = DELETE');
  db.close();
}

/**
 * Reads the whole structure of a database that no process has open. @throws DatabaseRefused where it is damaged or
 * cannot be read
 */
export function checkDatabase(file: string): void {
  const db = new DatabaseSync(readOnlyLocation(file), { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    if (readPragma(db, 'quick_check(1)') !== 'ok') throw damaged(file);
  } catch (error) {
    throw refusalOf(file, error);
  } finally {
    db.close();
  }
}

/** Removes a database with what belongs to it. */
export function removeDatabase(file: string): void {
  for (const each of databaseFiles(file)) rmSync(each, { force: true });
}

/** A database's own file, its log, and the log's index. */
export function databaseFiles(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`];
}

async function copy(file: string, target: string, progress: SnapshotOptions['progress']): Promise<void> {
  const db = new DatabaseSync(readOnlyLocation(file), { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec('BEGIN');
    // The transaction begins with the first read.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await backup(db, target, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => progress?.(totalPages - remainingPages, totalPages),
    });
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}
