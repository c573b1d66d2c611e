// Makes one backup and restores it into a temporary directory. A process of its own, so that the server keeps answering
// meanwhile and may end it at any time: a thread in the middle of a call of SQLite takes its process with it.
import { setPriority } from 'node:os';
import { DatabaseRefused } from '#storage/sqlite/unavailable';
import { ConfigurationError, type Configuration } from '../configuration.js';
import { makeBackup } from './make-backup.js';
import { restoreBackup } from './restore-backup.js';

export interface BackupTask {
  readonly configuration: Configuration;
  readonly file: string;
  /** A directory that does not exist yet, for the restore. */
  readonly restored: string;
}

export type BackupOutcome =
  | { readonly bytes: number; readonly events: number; readonly brokenChains: number }
  /** A sentence for the operator. */
  | { readonly refused: string };

const onStep = (): void => undefined;

async function run({ configuration, file, restored }: BackupTask): Promise<BackupOutcome> {
  try {
    const { bytes, events, brokenLinks } = await makeBackup(configuration, file, {
      overwrite: false,
      onStep,
    });
    await restoreBackup({ ...configuration, dataDirectory: restored }, file, { replace: false, onStep });
    return { bytes, events, brokenChains: brokenLinks.length };
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof DatabaseRefused)
      return { refused: error.message };
    throw error;
  }
}

const NICE = 10;

process.once('disconnect', () => process.exit(1));
process.once('message', (task: BackupTask) => {
  setPriority(NICE);
  void run(task).then(outcome => process.send!(outcome, () => process.disconnect()));
});
