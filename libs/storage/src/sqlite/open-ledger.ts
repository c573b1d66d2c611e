import type { LedgerHandle } from './connection.js';
import type { Job } from './storage-jobs.js';
import type { Written } from './storage-thread.js';

/** A ledger's file that is open, as its documents and its events see it. */
export interface OpenLedger {
  readonly reader: LedgerHandle;
  /** Every write is refused. */
  readonly readOnly: boolean;
  /** Resolves when the job is on the disk. @throws as `StorageThread.run` */
  write(job: Job): Promise<Written>;
  /** @throws SqliteUnavailable, DatabaseRefused */
  requireHealth(): void;
  close(): Promise<void>;
}
