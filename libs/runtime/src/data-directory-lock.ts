import { join } from 'node:path';
import { closeDatabase, openDatabase, type Database } from '#storage/sqlite/open-database';
import { isBusy } from '#storage/sqlite/unavailable';
import { ConfigurationError } from './configuration.js';
import { LOCK } from './data-files.js';

/** "HLlk": knows the lock's own file again. */
const LOCK_APPLICATION_ID = 0x484c6c6b;

/**
 * Makes sure that one server at a time works on a data directory: an open write transaction on a file of its
 * own. The operating system gives it up with the process, however that ends, so no stale lock is ever left.
 */
export class DataDirectoryLock {
  private constructor(private readonly database: Database) {}

  /** @throws ConfigurationError when another process holds the directory */
  static take(directory: string): DataDirectoryLock {
    const lock = DataDirectoryLock.takeIfFree(directory);
    if (lock) return lock;
    throw new ConfigurationError(
      `Another server or ledger command is using the data directory ${directory}. Stop it first, or set another DATA_DIR.`,
    );
  }

  /** @returns null while another process holds the directory: a server, or a `ledger` command that needs it for itself */
  static takeIfFree(directory: string): DataDirectoryLock | null {
    const database = openDatabase({
      file: join(directory, LOCK),
      applicationId: LOCK_APPLICATION_ID,
      version: 1,
      migrate: () => undefined,
    });
    try {
      database.exec('BEGIN IMMEDIATE');
      return new DataDirectoryLock(database);
    } catch (error) {
      closeDatabase(database);
      if (isBusy(error)) return null;
      throw error;
    }
  }

  release(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
    closeDatabase(this.database);
  }
}
