import { existsSync, linkSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { BrokenLink } from '#background/verify/chain-audit';
import { closeDatabase, type Database } from '#sqlite/open-database';
import { removeDatabase, snapshotDatabase } from '#sqlite/snapshot-database';
import { refusalOf } from '#sqlite/unavailable';
import { ConfigurationError, type Configuration } from '../configuration.js';
import { addFile, openBackup, writeSummary, type BackupSummary } from './backup-file.js';
import { holdsKey, readKey } from '../secret-key-file.js';
import type { OnStep } from './step.js';
import { syncPath } from './sync-path.js';
import { auditEvents } from './copied-events.js';
import { requireRecords } from '../lost-files.js';
import { requireDatabase } from '../required-database.js';
import {
  DATABASES,
  EVENTS,
  isOwnFile,
  outboxFilesIn,
  refuseUnfinishedRestore,
  requireEmbedded,
  requireLedger,
  SECRET_KEY,
} from '../data-files.js';

/** The version of the backup's contents is that of each store; this is for people. */
const PROGRAM = 'household-ledger';

/** How often a folder is tried again into which a file was put while it was being emptied. */
const REMOVAL_TRIES = 5;

interface BackupOptions {
  /** Take the place of a file that is there. */
  readonly overwrite: boolean;
  readonly onStep: OnStep;
}

/** `environment`: `SECRET_KEY` is set by that, and so must be kept besides. `nowhere`: DATA_DIR holds none either. */
type KeyPlace = 'backup' | 'environment' | 'nowhere';

export interface MadeBackup extends BackupSummary {
  readonly file: string;
  readonly bytes: number;
  readonly secretKey: KeyPlace;
  readonly brokenLinks: readonly BrokenLink[];
}

/**
 * Copies the embedded stores into one file, mode 0600, also while a server works on them. The file gets its name when
 * it is whole and on the disk; whatever happens before leaves none of that name.
 * @throws ConfigurationError, DatabaseRefused with one sentence for the operator
 */
export async function makeBackup(
  configuration: Configuration,
  name: string,
  { overwrite, onStep }: BackupOptions,
): Promise<MadeBackup> {
  const { dataDirectory } = configuration;
  const file = resolve(name);
  requireEmbedded(configuration);
  refuseUnfinishedRestore(dataDirectory);
  requireLedger(configuration);
  if (!existsSync(dirname(file)))
    throw new ConfigurationError(`The directory ${dirname(file)} does not exist.`);
  if (isOwnFile(dataDirectory, file)) {
    throw new ConfigurationError(`${file} belongs to DATA_DIR. Choose another name for the backup.`);
  }
  if (existsSync(file) && !overwrite) throw thereAlready(file);
  // In a folder of its own: what still writes while the process ends cannot make a file anew once that is gone.
  const folder = mkdtempSync(`${file}.part-`);
  const removeParts = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: REMOVAL_TRIES });
  process.once('exit', removeParts);
  try {
    const part = join(folder, 'backup');
    const made = await fill(part, join(folder, 'copy'), configuration, onStep);
    syncPath(part);
    nameFile(part, file, overwrite);
    syncPath(dirname(file));
    return { ...made, file, bytes: statSync(file).size };
  } catch (error) {
    throw refusalOf(file, error);
  } finally {
    removeParts();
    process.off('exit', removeParts);
  }
}

/** Another backup may have got the name meanwhile: a link takes the place of none. */
function nameFile(part: string, file: string, overwrite: boolean): void {
  if (overwrite) return renameSync(part, file);
  try {
    linkSync(part, file);
  } catch {
    // It is there, or the file system has no links.
    if (existsSync(file)) throw thereAlready(file);
    renameSync(part, file);
  }
}

function thereAlready(file: string): ConfigurationError {
  return new ConfigurationError(`${file} already exists. Use --overwrite to replace it.`);
}

async function fill(
  part: string,
  copy: string,
  configuration: Configuration,
  onStep: OnStep,
): Promise<Omit<MadeBackup, 'file' | 'bytes'>> {
  const { dataDirectory: directory } = configuration;
  const db = openBackup(part, 'make');
  try {
    let audited: Pick<MadeBackup, 'madeAt' | 'events' | 'heads' | 'brokenLinks'> | null = null;
    const names = DATABASES.filter(name => existsSync(join(directory, name)));
    for (const name of names) requireDatabase(name, join(directory, name));
    const secretKey = placeOfKey(configuration);
    for (const name of names) {
      const source = join(directory, name);
      const madeAt = new Date().toISOString();
      await snapshotDatabase({
        file: source,
        target: copy,
        progress: (done, total) => onStep({ label: `Copying ${name}`, unit: 'pages', done, total }),
      });
      if (name === EVENTS) {
        const label = 'Checking hash chains';
        const audit = await auditEvents(copy, done => onStep({ label, unit: 'events', done, total: null }));
        const { events, brokenLinks } = audit;
        audited = { madeAt, events, heads: audit.heads(), brokenLinks };
        if (events > 0) requireRecords(directory);
      }
      inOne(db, () => addFile(db, name, copy));
      removeDatabase(copy);
    }
    const mails = outboxFilesIn(directory);
    inOne(db, () => {
      for (const name of [...(secretKey === 'backup' ? [SECRET_KEY] : []), ...mails]) {
        addFile(db, name, join(directory, name));
      }
      writeSummary(db, audited!, PROGRAM);
    });
    return { ...audited!, secretKey };
  } finally {
    closeDatabase(db);
  }
}

/**
 * The file of the key is backed up where that is the one in use: `SECRET_KEY` of the environment stands before it.
 * @throws ConfigurationError where a server would read the file, and it holds no key
 */
function placeOfKey({ dataDirectory, secretKey }: Configuration): KeyPlace {
  const file = join(dataDirectory, SECRET_KEY);
  const isThere = existsSync(file);
  if (secretKey !== null) return isThere && holdsKey(file, secretKey) ? 'backup' : 'environment';
  if (!isThere) return 'nowhere';
  readKey(file);
  return 'backup';
}

function inOne(db: Database, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  work();
  db.exec('COMMIT');
}
