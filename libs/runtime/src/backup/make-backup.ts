import { existsSync, linkSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { STREAM_PREFIX } from '#engine/households/household-stream';
import { ChainAudit, type BrokenLink } from '#engine/verify/chain-audit';
import { DatabaseSync } from '@photostructure/sqlite';
import { LEDGER_FILE, LedgerDatabase } from '#storage/sqlite/ledger-database';
import { openLedgerFile } from '#storage/sqlite/ledger-file';
import { snapshotDatabase } from '#storage/sqlite/snapshot-database';
import { refusalOf } from '#storage/sqlite/unavailable';
import { ConfigurationError, type Configuration } from '../configuration.js';
import { turnIntoBackup, type BackupSummary, type OnStep } from './backup-file.js';
import { holdsKey, readKey } from '../secret-key-file.js';
import {
  isOwnFile,
  outboxFilesIn,
  refuseUnfinishedRestore,
  requireEmbedded,
  requireLedger,
  SECRET_KEY,
  syncPath,
} from '../data-files.js';

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
 * Copies the ledger into one file, mode 0600, also while a server works on them. The file gets its name when
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
  // Refuses a file that no server would take for a ledger's.
  openLedgerFile({ file: join(dataDirectory, LEDGER_FILE), readOnly: true }).close();
  // In a folder of its own: what still writes while the process ends cannot create a file again once the folder is
  // gone.
  const folder = mkdtempSync(`${file}.part-`);
  const removeParts = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: REMOVAL_TRIES });
  process.once('exit', removeParts);
  try {
    const part = join(folder, 'backup');
    const made = await fill(part, configuration, onStep);
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
  configuration: Configuration,
  onStep: OnStep,
): Promise<Omit<MadeBackup, 'file' | 'bytes'>> {
  const { dataDirectory: directory } = configuration;
  const secretKey = placeOfKey(configuration);
  const madeAt = new Date().toISOString();
  await snapshotDatabase({
    file: join(directory, LEDGER_FILE),
    target: part,
    progress: (done, total) => onStep({ label: `Copying ${LEDGER_FILE}`, unit: 'pages', done, total }),
  });
  const label = 'Checking hash chains';
  const audit = await auditEvents(part, done => onStep({ label, unit: 'events', done, total: null }));
  const summary = { madeAt, events: audit.events, heads: audit.heads() };
  const names = [...(secretKey === 'backup' ? [SECRET_KEY] : []), ...outboxFilesIn(directory)];
  const db = new DatabaseSync(part);
  try {
    turnIntoBackup(db, summary, new Map(names.map(name => [name, join(directory, name)])));
  } finally {
    db.close();
  }
  return { ...summary, brokenLinks: audit.brokenLinks, secretKey };
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

/** Follows the chains through the events of a copied ledger. @throws EventStoreUnavailable, DatabaseRefused */
export async function auditEvents(file: string, progress: (events: number) => void): Promise<ChainAudit> {
  const ledger = LedgerDatabase.openFile(file, { readOnly: true });
  const audit = new ChainAudit();
  try {
    for await (const page of ledger.eventStore.readAll({ prefix: STREAM_PREFIX })) {
      audit.add(page);
      progress(audit.events);
    }
  } finally {
    await ledger.close();
  }
  return audit;
}
