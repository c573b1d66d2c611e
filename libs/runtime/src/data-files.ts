import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LEDGER_FILE } from '#storage/sqlite/ledger-database';
import { databaseFiles } from '#storage/sqlite/snapshot-database';
import { DatabaseRefused } from '#storage/sqlite/unavailable';
import { ConfigurationError, type Configuration } from './configuration.js';

/** Three databases were one ledger once: the events, the records that follow from none, and the read models. */
export const FORMER_EVENTS = 'events.db';
export const FORMER_RECORDS = 'records.db';
const FORMER_DATABASES = [FORMER_EVENTS, FORMER_RECORDS, 'views.db'];
export const SECRET_KEY = 'secret.key';
export const OUTBOX = 'outbox';
/** By which one server at a time works on the directory; no part of a ledger. */
export const LOCK = 'lock.db';
/** On which a server listens for the `ledger` command; no part of a ledger. */
export const SOCKET = 'ledger.sock';

/** A restore that was interrupted: what is in the directory belongs to two ledgers. */
const UNFINISHED = 'restore-unfinished';

/** Makes the data directory, with those above it. @throws ConfigurationError where there can be none */
export function makeDataDirectory(directory: string): void {
  try {
    makeWithParents(directory);
  } catch (error) {
    const reason = reasonOf(error);
    throw new ConfigurationError(`DATA_DIR must be a directory; ${directory} cannot be created (${reason}).`);
  }
}

/** The code of an error of the system; the text of any other. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Node's `recursive` tries for ever where a file system that has the parent takes no directory in it, as `/proc`. */
function makeWithParents(directory: string): void {
  if (isDirectory(directory)) return;
  makeWithParents(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another program may have made it meanwhile.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** @throws ConfigurationError where the data directory is not there */
export function requireDataDirectory({ dataDirectory }: Configuration): void {
  if (existsSync(dataDirectory)) return;
  throw new ConfigurationError(
    `The data directory ${dataDirectory} does not exist. Set DATA_DIR to the directory of a server that has run.`,
  );
}

/** Refuses a data directory without the ledger that belongs in it. @throws ConfigurationError, DatabaseRefused */
export function requireLedger(configuration: Configuration): void {
  requireDataDirectory(configuration);
  const { dataDirectory, eventStoreUrl, mongodbUrl } = configuration;
  if (eventStoreUrl !== null && mongodbUrl !== null) return;
  const file = join(dataDirectory, LEDGER_FILE);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === 0) throw new DatabaseRefused(file, 'it is empty');
  if (size !== undefined) return;
  refuseUnfinishedRestore(dataDirectory);
  if (formerFilesIn(dataDirectory).length > 0) {
    throw new ConfigurationError(
      `The directory ${dataDirectory} contains the files of a former version. Start the server once to convert them.`,
    );
  }
  throw new ConfigurationError(
    `The directory ${dataDirectory} contains no ledger: ${LEDGER_FILE} is missing. Set DATA_DIR to the directory of a server that has run.`,
  );
}

/** @throws ConfigurationError where events or documents are not in the data directory */
export function requireEmbedded({ eventStoreUrl, mongodbUrl }: Configuration): void {
  if (eventStoreUrl === null && mongodbUrl === null) return;
  const names = [eventStoreUrl && 'EVENTSTORE_URL', mongodbUrl && 'MONGODB_URL'].filter(Boolean);
  const servers = names.length === 1 ? 'names a server' : 'name servers';
  throw new ConfigurationError(
    `This command copies only embedded stores, but ${names.join(' and ')} ${servers}. docs/operations.md describes how to back up servers.`,
  );
}

/** The names in a data directory that are a ledger's. */
const LEDGER_FILES = [
  ...[LEDGER_FILE, ...FORMER_DATABASES].flatMap(name => databaseFiles(name)),
  SECRET_KEY,
  OUTBOX,
];

/** The databases of a former version that are there, with what belongs to them. */
export function formerFilesIn(directory: string): string[] {
  const names = FORMER_DATABASES.flatMap(name => databaseFiles(name));
  return names.filter(name => existsSync(join(directory, name)));
}

/** Of these, those that are there. */
export function ledgerFilesIn(directory: string): string[] {
  return LEDGER_FILES.filter(name => existsSync(join(directory, name)));
}

/** Whether a file, which need not be there yet, is one that the service has in a data directory, by whatever path. */
export function isOwnFile(directory: string, file: string): boolean {
  const path = realPathOf(file);
  return [...LEDGER_FILES, ...databaseFiles(LOCK), SOCKET].some(
    name => realPathOf(join(directory, name)) === path,
  );
}

function realPathOf(file: string): string {
  if (existsSync(file)) return realpathSync.native(file);
  return join(realpathSync.native(dirname(file)), basename(file));
}

/** Where messages become files while there is no SMTP server. */
export function outboxIn(directory: string): string {
  return join(directory, OUTBOX);
}

/** Names of mails as the service gives them, with nothing in them that leads elsewhere. */
const MAIL = /^outbox\/[\w.-]+\.eml$/;

/** Whether a name in a backup, `outbox/NAME`, is that of a mail of the service. */
export function isMail(name: string): boolean {
  return MAIL.test(name);
}

/** The mails of the service in the outbox, as `outbox/NAME`; what somebody else put there is none of the ledger. */
export function outboxFilesIn(directory: string): string[] {
  const outbox = outboxIn(directory);
  if (!existsSync(outbox)) return [];
  const files = readdirSync(outbox, { withFileTypes: true }).filter(entry => entry.isFile());
  const names = files.map(({ name }) => `${OUTBOX}/${name}`);
  return names.filter(isMail).sort();
}

export function unfinishedMark(directory: string): string {
  return join(directory, UNFINISHED);
}

/** @throws ConfigurationError where a restore was interrupted, so that no server works on half of it */
export function refuseUnfinishedRestore(directory: string): void {
  if (!existsSync(unfinishedMark(directory))) return;
  throw new ConfigurationError(
    `A restore into ${directory} was interrupted. Run \`ledger restore\` again first.`,
  );
}

/**
 * Brings a file to the medium, or a directory: without that a power cut may take the names in it. Windows cannot open
 * directories, and needs no such call.
 */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
