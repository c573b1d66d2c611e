import { DatabaseSync } from '@photostructure/sqlite';
import { readPragma } from './open-database.js';

const BUSY_TIMEOUT_MS = 2_000;

/**
 * Copies the log of a file into it and empties the log, so that nothing is left in it that was removed from the file.
 * @returns false where a reader is at work: then it is to be tried again
 * @throws SQLite's errors
 */
export function truncateLog(file: string): boolean {
  const db = new DatabaseSync(file);
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA secure_delete = ON`);
    return readPragma(db, 'wal_checkpoint(TRUNCATE)') === 0;
  } finally {
    db.close();
  }
}
