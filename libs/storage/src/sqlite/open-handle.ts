import { statSync } from 'node:fs';
import { closeDatabase, type Database } from './open-database.js';
import { SqliteUnavailable, breaksHandle } from './unavailable.js';

interface OpenHandleOptions {
  readonly file: string;
  /** Called at once, and again when the handle is broken or the file was replaced. */
  readonly open: () => Database;
}

/** One connection to a database file, replaced where it breaks. */
export class OpenHandle {
  private handle: Database;
  private identity: string;
  private broken = false;
  private closed = false;

  /** @throws DatabaseRefused */
  constructor(private readonly options: OpenHandleOptions) {
    this.handle = options.open();
    this.identity = fileIdentity(options.file);
  }

  /** @throws SqliteUnavailable when it is broken or closed and the file cannot be opened again; DatabaseRefused */
  get(): Database {
    if (this.closed) throw new SqliteUnavailable('the database is closed');
    if (this.broken || !this.handle.isOpen) this.reopen();
    return this.handle;
  }

  /** Notes an error of SQLite, so that a broken handle is replaced. */
  note(error: unknown): void {
    if (breaksHandle(error)) this.broken = true;
  }

  /** @throws SqliteUnavailable when the file is gone, was replaced by one that cannot be opened, or is not readable */
  requireFile(): void {
    if (fileIdentity(this.options.file) !== this.identity) this.broken = true;
    this.get();
  }

  close(): void {
    this.closed = true;
    closeDatabase(this.handle);
  }

  private reopen(): void {
    const identity = fileIdentity(this.options.file);
    if (this.handle.isOpen) this.handle.close();
    this.handle = this.options.open();
    this.identity = identity;
    this.broken = false;
  }
}

/**
 * Which file the name stands for. A removed or replaced file would take writes without complaint and lose them.
 * @throws SqliteUnavailable
 */
function fileIdentity(file: string): string {
  try {
    const found = statSync(file);
    if (found.size > 0) return `${found.dev}:${found.ino}`;
  } catch (error) {
    throw new SqliteUnavailable('the database file was removed', { cause: error });
  }
  throw new SqliteUnavailable('the database file was emptied');
}
