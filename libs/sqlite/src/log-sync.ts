import { open, type FileHandle } from 'node:fs/promises';

/**
 * Syncs the write-ahead log of a database on a thread of libuv's pool, while the thread that commits goes on.
 *
 * A commit in WAL mode with `synchronous=NORMAL` has written its frames to the log and left them to the system's
 * cache; syncing the log makes it durable (https://sqlite.org/pragma.html#pragma_synchronous). The log is the same
 * file for as long as a connection is open. It carries none of SQLite's locks, so a handle of its own is harmless.
 */
export class LogSync {
  /** The log, opened or being opened. */
  private opened: Promise<FileHandle> | null = null;

  /** @param file the database's */
  constructor(private readonly file: string) {}

  /** Resolves when everything that was committed before the call is durable. @throws the system's error */
  async sync(): Promise<void> {
    const handle = await (this.opened ??= this.open());
    await handle.datasync();
  }

  /** To be called when the connection was closed: its successor may have another log. A sync under way ends first. */
  async forget(): Promise<void> {
    const { opened } = this;
    this.opened = null;
    await opened?.then(handle => handle.close()).catch(() => undefined);
  }

  private open(): Promise<FileHandle> {
    const opening = open(`${this.file}-wal`, 'r+');
    // The next call tries again.
    opening.catch(() => {
      if (this.opened === opening) this.opened = null;
    });
    return opening;
  }
}
