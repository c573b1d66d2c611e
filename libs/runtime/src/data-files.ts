import { existsSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { databaseFiles } from '#sqlite/snapshot-database';
import { DatabaseRefused } from '#sqlite/unavailable';
import { ConfigurationError, type Configuration } from './configuration.js';

/** Read models, and what else can be made of the events again. */
export const VIEWS = 'views.db';
export const EVENTS = 'events.db';
/** Accounts, households and whatever else is no function of events. */
export const RECORDS = 'records.db';
export const SECRET_KEY = 'secret.key';
export const OUTBOX = 'outbox';
/** By which one server at a time works on the directory; no part of a ledger. */
export const LOCK = 'lock.db';
/** On which a server listens for the `ledger` command; no part of a ledger. */
export const SOCKET = 'ledger.sock';

/**
 * The databases of a data directory, in the order in which they are copied: what is copied later knows all that is
 * copied earlier. So documents are never ahead of the events that they are made of, and events never of users or
 * households that the records do not know.
 */
export const DATABASES = [VIEWS, EVENTS, RECORDS] as const;
export type DatabaseName = (typeof DATABASES)[number];
/** Held queued mails once. A server leaves it as it is, and a restore leaves it out. */
export const FORMER_JOBS = 'jobs.db';

/** A restore that was interrupted: what is in the directory belongs to two ledgers. */
const UNFINISHED = 'restore-unfinished';

/** Makes the data directory, with those above it. @throws ConfigurationError where there can be none */
export function makeDataDirectory(directory: string): void {
  try {
    makeWithParents(directory);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigurationError(`DATA_DIR must be a directory; ${directory} cannot be created (${reason}).`);
  }
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

/**
 * Refuses a data directory without the files that cannot be made again, as far as these are not on servers: new ones would
 * be made in their place.
 * @throws ConfigurationError, DatabaseRefused
 */
export function requireLedger(configuration: Configuration): void {
  requireDataDirectory(configuration);
  const { dataDirectory, eventStoreUrl, mongodbUrl } = configuration;
  const needed = [...(eventStoreUrl === null ? [EVENTS] : []), ...(mongodbUrl === null ? [RECORDS] : [])];
  for (const name of needed) {
    const file = join(dataDirectory, name);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === 0) throw new DatabaseRefused(file, 'it is empty');
    if (size !== undefined) continue;
    refuseUnfinishedRestore(dataDirectory);
    throw new ConfigurationError(
      `The directory ${dataDirectory} contains no ledger: ${name} is missing. Set DATA_DIR to the directory of a server that has run.`,
    );
  }
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
const LEDGER_FILES = [...DATABASES.flatMap(name => databaseFiles(name)), SECRET_KEY, OUTBOX];

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
