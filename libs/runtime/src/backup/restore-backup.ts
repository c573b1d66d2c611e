import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import type { BrokenLink, ChainAudit } from '#engine/verify/chain-audit';
import { Erasures, type Erasure } from '#storage/documents/erasures';
import { copyLedger } from '#storage/sqlite/ledger-copy';
import { LEDGER_FILE, LedgerDatabase } from '#storage/sqlite/ledger-database';
import type { Database } from '#storage/sqlite/open-database';
import { checkDatabase, databaseFiles, removeDatabase } from '#storage/sqlite/snapshot-database';
import { DatabaseRefused, isDamage, refusalOf } from '#storage/sqlite/unavailable';
import { ConfigurationError, type Configuration } from '../configuration.js';
import { DataDirectoryLock } from '../data-directory-lock.js';
import {
  FORMER_EVENTS,
  FORMER_RECORDS,
  isMail,
  ledgerFilesIn,
  LOCK,
  makeDataDirectory,
  OUTBOX,
  requireEmbedded,
  SECRET_KEY,
  syncPath,
  unfinishedMark,
} from '../data-files.js';
import { convert, RECORDS } from '../former-files.js';
import { giveToOwner } from '../give-to-owner.js';
import { readKey } from '../secret-key-file.js';
import {
  extractFile,
  isChunked,
  namesIn,
  openBackup,
  readSummary,
  turnIntoLedger,
  type BackupSummary,
  type OnStep,
} from './backup-file.js';
import { auditEvents } from './make-backup.js';

/** Below the data directory, so that what was unpacked is on the same disk and only renamed into place. */
const UNPACKED = 'restoring';
/** What a backup of a former version may hold besides: the read models are made again, and so were jobs. */
const CHUNKED_DATABASES = [FORMER_EVENTS, FORMER_RECORDS, 'views.db', 'jobs.db'];
const READ_MODELS = 'read models';

interface RestoreOptions {
  /** Put what is there aside, and restore. */
  readonly replace: boolean;
  readonly onStep: OnStep;
}

export interface Restored extends BackupSummary {
  readonly directory: string;
  /** Where that is now which was there before; null where nothing was. */
  readonly replaced: string | null;
  /** How many deletions of households and users the next start repeats; null where those cannot be read. */
  readonly erased: number | null;
  readonly holdsSecretKey: boolean;
  /** Of the chains in the backup: it is put in place all the same, since it may be the only one. */
  readonly brokenLinks: readonly BrokenLink[];
  /** Names of what is damaged in the backup, and was left out. */
  readonly leftOut: readonly string[];
}

/**
 * Puts a backup into the data directory: unpacked beside what is there, checked, and then moved into its place. Events
 * and records must be whole; what can be made again is left out where it is damaged.
 * Until the moving begins everything stays as it is; a moving that is interrupted leaves a mark, on which no server
 * starts.
 * @throws ConfigurationError, DatabaseRefused with one sentence for the operator
 */
export async function restoreBackup(
  configuration: Configuration,
  name: string,
  { replace, onStep }: RestoreOptions,
): Promise<Restored> {
  const { dataDirectory: directory } = configuration;
  const file = resolve(name);
  requireEmbedded(configuration);
  if (!existsSync(file)) throw new ConfigurationError(`The file ${file} does not exist.`);
  const db = openBackup(file);
  try {
    const summary = readSummary(db, file);
    const names = checkedNames(db, file);
    makeDataDirectory(directory);
    const lock = DataDirectoryLock.take(directory);
    const unpacked = join(directory, UNPACKED);
    const removeUnpacked = (): void => rmSync(unpacked, { recursive: true, force: true });
    process.once('exit', removeUnpacked);
    try {
      refuseToOverwrite(directory, replace);
      removeUnpacked();
      mkdirSync(unpacked, { mode: 0o700 });
      const leftOut = await unpack({ db, file, names, unpacked, onStep });
      const holdsSecretKey = names.includes(SECRET_KEY);
      if (holdsSecretKey && configuration.secretKey === null) requireKey(unpacked, file);
      const { brokenLinks } = await audit(unpacked, file, summary, onStep);
      const erasures = await erasuresIn(directory);
      await carryErasures(erasures ?? [], unpacked);
      const replaced = putInPlace(directory);
      const made = [...names, LEDGER_FILE, OUTBOX, ...databaseFiles(LOCK)].map(name => join(directory, name));
      // The files that were moved aside keep their owner.
      giveToOwner(directory, replaced === null ? made : [...made, replaced]);
      const erased = erasures?.length ?? null;
      return { ...summary, directory, replaced, erased, holdsSecretKey, brokenLinks, leftOut };
    } finally {
      removeUnpacked();
      process.off('exit', removeUnpacked);
      lock.release();
    }
  } catch (error) {
    throw refusalOf(file, error);
  } finally {
    db.close();
  }
}

/**
 * The files of a backup that are restored. A backup from elsewhere must not write anywhere else than into a data
 * directory. Backups once took jobs and whatever was in the outbox, too: that is left out.
 */
function checkedNames(db: Database, backup: string): readonly string[] {
  const names = namesIn(db).filter(name => isMail(name) || !name.startsWith(`${OUTBOX}/`));
  const known = isChunked(db) ? [SECRET_KEY, ...CHUNKED_DATABASES] : [SECRET_KEY];
  if (names.some(name => !known.includes(name) && !isMail(name)))
    throw new DatabaseRefused(backup, 'it contains a file that is not part of a ledger');
  return names.filter(name => name === SECRET_KEY || isMail(name));
}

function refuseToOverwrite(directory: string, replace: boolean): void {
  const isUnfinished = existsSync(unfinishedMark(directory));
  if (replace || isUnfinished || ledgerFilesIn(directory).length === 0) return;
  throw new ConfigurationError(`${directory} already contains a ledger. Use --replace to move it aside.`);
}

interface Unpacking {
  readonly db: Database;
  readonly file: string;
  readonly names: readonly string[];
  readonly unpacked: string;
  readonly onStep: OnStep;
}

/** @returns what was left out because it is damaged, and can be made again or is sent already */
async function unpack(unpacking: Unpacking): Promise<readonly string[]> {
  const { db, file, names, unpacked, onStep } = unpacking;
  const leftOut: string[] = [];
  for (const [at, name] of names.entries()) {
    onStep({ label: 'Unpacking', unit: 'files', done: at, total: names.length });
    const target = join(unpacked, name);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    if (await extractFile(db, name, target)) continue;
    if (!isMail(name)) throw new DatabaseRefused(`${name} in ${file}`, 'it is damaged');
    rmSync(target, { force: true });
    leftOut.push(name);
  }
  const ledger = join(unpacked, LEDGER_FILE);
  if (isChunked(db)) await unpackChunkedLedger(unpacking, ledger);
  else if (!(await unpackLedger(file, ledger))) leftOut.unshift(READ_MODELS);
  for (const name of readdirSync(unpacked)) if (isPartOfLedger(name)) syncPath(join(unpacked, name));
  return leftOut;
}

/** @returns whether the whole of it was restored, or only what cannot be made again */
async function unpackLedger(backup: string, target: string): Promise<boolean> {
  try {
    copyFileSync(backup, target);
    const db = new DatabaseSync(target);
    try {
      turnIntoLedger(db);
    } finally {
      db.close();
    }
    checkDatabase(target);
    return true;
  } catch (error) {
    if (!isDamage(error) && !(error instanceof DatabaseRefused)) throw error;
    removeDatabase(target);
    await copyLedger({ events: backup, records: backup }, target, RECORDS);
    checkDatabase(target);
    return false;
  }
}

async function unpackChunkedLedger({ db, file, unpacked }: Unpacking, target: string): Promise<void> {
  const former = join(unpacked, 'former');
  mkdirSync(former, { mode: 0o700 });
  for (const name of [FORMER_EVENTS, FORMER_RECORDS]) {
    if (await extractFile(db, name, join(former, name))) continue;
    throw new DatabaseRefused(`${name} in ${file}`, 'it is missing or damaged');
  }
  await convert(former, target);
  rmSync(former, { recursive: true });
}

/** Reads the key as the server will, which takes that of the environment before. @throws DatabaseRefused */
function requireKey(unpacked: string, backup: string): void {
  try {
    readKey(join(unpacked, SECRET_KEY));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const reason = 'it contains no secret key; set SECRET_KEY to restore the rest';
    throw new DatabaseRefused(`${SECRET_KEY} in ${backup}`, reason, { cause: error });
  }
}

/** @throws DatabaseRefused where the events are not those of the backup */
async function audit(
  unpacked: string,
  backup: string,
  summary: BackupSummary,
  onStep: OnStep,
): Promise<ChainAudit> {
  const found = await auditEvents(join(unpacked, LEDGER_FILE), done => {
    onStep({ label: 'Checking hash chains', unit: 'events', done, total: summary.events });
  });
  if (!isDeepStrictEqual(found.heads(), summary.heads)) {
    throw new DatabaseRefused(backup, 'the heads of the events differ from those that it names');
  }
  // The last moment at which a signal ends it with everything as it was.
  await nextTurn();
  return found;
}

/** Renames only, so that it takes no time. @returns where the former files are */
function putInPlace(directory: string): string | null {
  const mark = unfinishedMark(directory);
  const former = ledgerFilesIn(directory);
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const replaced = former.length > 0 ? join(directory, `replaced-${stamp}`) : null;
  const wasUnfinished = existsSync(mark);
  try {
    writeFileSync(mark, 'ledger restore was interrupted: run it again.\n', { mode: 0o600 });
    if (replaced) mkdirSync(replaced, { mode: 0o700 });
    syncPath(directory);
  } catch (error) {
    // Nothing was moved, so that no server need refuse to start, unless it had to before.
    if (!wasUnfinished) rmSync(mark, { force: true });
    throw error;
  }
  for (const name of former) renameSync(join(directory, name), join(replaced!, name));
  const unpacked = join(directory, UNPACKED);
  for (const name of readdirSync(unpacked)) {
    if (isPartOfLedger(name)) renameSync(join(unpacked, name), join(directory, name));
  }
  syncPath(directory);
  rmSync(mark);
  return replaced;
}

/** Not the log of the database that was opened to check it: it is empty. */
function isPartOfLedger(name: string): boolean {
  return !databaseFiles(LEDGER_FILE).slice(1).includes(name);
}

/** What was erased in a data directory without a server; null where its ledger cannot be read any more. */
async function erasuresIn(directory: string): Promise<readonly Erasure[] | null> {
  if (!existsSync(join(directory, LEDGER_FILE))) return [];
  try {
    const { documents } = LedgerDatabase.open({ directory, readOnly: true });
    try {
      await documents.ensure([Erasures.collection]);
      return [...(await new Erasures(documents).all()).values()];
    } finally {
      await documents.close();
    }
  } catch {
    return null;
  }
}

/** Records erasures in a data directory as not finished, so that the next start makes them there as well. */
async function carryErasures(erasures: readonly Erasure[], directory: string): Promise<void> {
  if (erasures.length === 0) return;
  const { documents } = LedgerDatabase.open({ directory });
  try {
    await documents.ensure([Erasures.collection]);
    const records = erasures.map(erasure => ({
      ...erasure,
      finished: false,
      revision: erasure.revision + 1,
    }));
    await documents.put(Erasures.collection, records);
  } finally {
    await documents.close();
  }
}
