import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrokenLink, ChainAudit, Head } from '#background/verify/chain-audit';
import type { Database } from '#sqlite/open-database';
import { checkDatabase, databaseFiles } from '#sqlite/snapshot-database';
import { DatabaseRefused } from '#sqlite/unavailable';
import { ConfigurationError, type Configuration } from '../configuration.js';
import { DataDirectoryLock } from '../data-directory-lock.js';
import {
  extractFile,
  filesIn,
  openBackup,
  readSummary,
  type BackedUpFile,
  type BackupSummary,
} from './backup-file.js';
import { giveToOwner } from '../give-to-owner.js';
import { carryErasures, erasuresIn } from './carried-erasures.js';
import type { OnStep } from './step.js';
import { syncPath } from './sync-path.js';
import { auditEvents } from './copied-events.js';
import { requireRecords } from '../lost-files.js';
import { requireDatabase } from '../required-database.js';
import { readKey } from '../secret-key-file.js';
import {
  DATABASES,
  EVENTS,
  FORMER_JOBS,
  isMail,
  ledgerFilesIn,
  LOCK,
  makeDataDirectory,
  OUTBOX,
  RECORDS,
  requireEmbedded,
  SECRET_KEY,
  unfinishedMark,
} from '../data-files.js';

/** Below the data directory, so that what was unpacked is on the same disk and only renamed into place. */
const UNPACKED = 'restoring';

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
}

/**
 * Puts a backup into the data directory: unpacked beside what is there, checked in full, and then moved into its place.
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
  const db = openBackup(file, 'read');
  try {
    const summary = readSummary(db, file);
    const files = checkedNames(filesIn(db), file);
    makeDataDirectory(directory);
    const lock = DataDirectoryLock.take(directory);
    const unpacked = join(directory, UNPACKED);
    const removeUnpacked = (): void => rmSync(unpacked, { recursive: true, force: true });
    process.once('exit', removeUnpacked);
    try {
      refuseToOverwrite(directory, replace);
      await unpack(db, files, unpacked, onStep);
      const holdsSecretKey = files.some(each => each.name === SECRET_KEY);
      if (holdsSecretKey && configuration.secretKey === null) requireKey(unpacked, file);
      const { brokenLinks } = await check(unpacked, file, summary, onStep);
      const erasures = await erasuresIn(directory);
      await carryErasures(erasures ?? [], unpacked);
      const replaced = putInPlace(directory);
      giveToOwner(directory, madeIn(directory, files, replaced));
      const erased = erasures?.length ?? null;
      return { ...summary, directory, replaced, erased, holdsSecretKey, brokenLinks };
    } finally {
      removeUnpacked();
      process.off('exit', removeUnpacked);
      lock.release();
    }
  } finally {
    db.close();
  }
}

/**
 * A backup from elsewhere must not write anywhere else than into a data directory. Backups once took jobs and whatever
 * was in the outbox, too: that is left out.
 */
function checkedNames(backedUp: readonly BackedUpFile[], backup: string): readonly BackedUpFile[] {
  const known: readonly string[] = [...DATABASES, SECRET_KEY];
  const files = backedUp.filter(
    ({ name }) => name !== FORMER_JOBS && (isMail(name) || !name.startsWith(`${OUTBOX}/`)),
  );
  const strange = files.find(({ name }) => !known.includes(name) && !isMail(name));
  if (strange) throw new DatabaseRefused(backup, 'it contains a file that is not part of a ledger');
  const lacking = [EVENTS, RECORDS].find(needed => !files.some(({ name }) => name === needed));
  if (lacking !== undefined) throw new DatabaseRefused(backup, `it contains no ${lacking}`);
  return files;
}

function refuseToOverwrite(directory: string, replace: boolean): void {
  const isUnfinished = existsSync(unfinishedMark(directory));
  if (replace || isUnfinished || ledgerFilesIn(directory).length === 0) return;
  throw new ConfigurationError(`${directory} already contains a ledger. Use --replace to move it aside.`);
}

async function unpack(
  db: Database,
  files: readonly BackedUpFile[],
  target: string,
  onStep: OnStep,
): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { mode: 0o700 });
  for (const [at, file] of files.entries()) {
    onStep({ label: 'Unpacking', unit: 'files', done: at, total: files.length });
    mkdirSync(dirname(join(target, file.name)), { recursive: true, mode: 0o700 });
    await extractFile(db, file, join(target, file.name));
  }
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

/** Refuses databases on which no server would start. @throws DatabaseRefused that names the file as one of the backup */
async function check(
  unpacked: string,
  backup: string,
  summary: BackupSummary,
  onStep: OnStep,
): Promise<ChainAudit> {
  const named = (name: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      throw error instanceof DatabaseRefused ? error.of(`${name} in ${backup}`) : error;
    }
  };
  for (const name of DATABASES) {
    const file = join(unpacked, name);
    if (!existsSync(file)) continue;
    named(name, () => {
      requireDatabase(name, file);
      checkDatabase(file);
    });
  }
  const audit = await auditEvents(join(unpacked, EVENTS), done => {
    onStep({ label: 'Checking hash chains', unit: 'events', done, total: summary.events });
  });
  if (!sameHeads(audit.heads(), summary.heads)) {
    throw new DatabaseRefused(EVENTS, 'the heads of the events differ from those in the backup');
  }
  if (audit.events > 0) named(RECORDS, () => requireRecords(unpacked));
  // The last moment at which a signal ends it with everything as it was.
  await nextTurn();
  return audit;
}

function sameHeads(a: readonly Head[], b: readonly Head[]): boolean {
  const text = (heads: readonly Head[]): string =>
    JSON.stringify(heads.map(({ householdId, revision, hash }) => [householdId, revision, hash]));
  return text(a) === text(b);
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

/** What a restore has made, by its paths; whoever owned what it put aside keeps that. */
function madeIn(directory: string, files: readonly BackedUpFile[], replaced: string | null): string[] {
  const names = [...files.map(({ name }) => name), OUTBOX, ...databaseFiles(LOCK)];
  return [...names.map(name => join(directory, name)), ...(replaced ? [replaced] : [])];
}

/** Not the logs of databases that were opened to check them: they are empty. */
function isPartOfLedger(name: string): boolean {
  const logs = DATABASES.flatMap(database => databaseFiles(database).slice(1));
  return !logs.includes(name);
}
