import type { Logger } from 'pino';
import type { Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { ACCOUNTS } from '#identity/accounts/account-records';
import { HOUSEHOLDS } from '#identity/households/household-records';
import type { JobQueue, JobTrouble } from '#storage/jobs/job-queue';
import { StoreUrlError } from '#storage/store-url-error';
import { InProcessJobQueue } from '#storage/in-process/in-process-job-queue';
import { parseMailbox, type Mailbox, type Mailer } from '#mail/mailer';
import { OutboxMailer } from '#mail/outbox/outbox-mailer';
import { SmtpMailer, SmtpUrlError } from '#mail/smtp/smtp-mailer';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { closeAll, closeAllAfterFailure, type Closing } from './closing.js';
import { ConfigurationError, type Configuration } from './configuration.js';
import { DataDirectoryLock } from './data-directory-lock.js';
import { formerFilesIn, makeDataDirectory, outboxIn, refuseUnfinishedRestore } from './data-files.js';
import { secretKeyIn } from './secret-key-file.js';

/** Every store that the service works on, whichever adapters were chosen. */
export interface Stores extends LedgerStores {
  readonly jobs: JobQueue;
  readonly mailer: Mailer;
  readonly secretKey: Buffer;
}

/** Where a ledger's events and documents are. */
export interface LedgerStores {
  readonly eventStore: EventStore;
  readonly documents: Documents;
  /** Holds both, or the one that is on no server; null where both are. */
  readonly database: LedgerDatabase | null;
  /** Closes all of them; `Stores` give the data directory free then. */
  close(): Promise<void>;
}

/** Whether one of the stores lives in the data directory, which then belongs to one process alone. */
export function hasEmbeddedStore({ eventStoreUrl, mongodbUrl, redisUrl }: Configuration): boolean {
  return eventStoreUrl === null || mongodbUrl === null || redisUrl === null;
}

/** The documents are in a file that belongs to this process alone. */
export function isSoleWriter({ mongodbUrl }: Configuration): boolean {
  return mongodbUrl === null;
}

/**
 * Opens the stores that the configuration names: a server where a URL is set, an embedded one elsewhere. Servers
 * need not be there yet.
 * @throws ConfigurationError, DatabaseRefused with one sentence for the operator
 */
export async function openStores(configuration: Configuration, logger: Logger): Promise<Stores> {
  const { dataDirectory } = configuration;
  const closers: Closing[] = [];
  const closing = <T extends { close(): Promise<void> }>(store: T): T => {
    closers.unshift(() => store.close());
    return store;
  };
  try {
    if (hasEmbeddedStore(configuration)) {
      makeDataDirectory(dataDirectory);
      const lock = DataDirectoryLock.take(dataDirectory);
      closers.push(() => lock.release());
      refuseUnfinishedRestore(dataDirectory);
    }
    if (hasDatabase(configuration) && formerFilesIn(dataDirectory).length > 0) {
      // Knows the records of every feature, which hardly a start needs.
      const { convertFormerFiles } = await import('./former-files.js');
      await convertFormerFiles(dataDirectory, logger);
    }
    const ledger = closing(await openLedgerStores(configuration, logger));
    const hasAccounts = (): boolean => ledger.database?.holds([ACCOUNTS, HOUSEHOLDS]) ?? false;
    const secretKey = configuration.secretKey ?? secretKeyIn(dataDirectory, hasAccounts, logger);
    // Closed after the jobs, which would take what waits in the queue to a mailer that sends no more.
    const mailer = closing(openMailer(configuration));
    const jobs = closing(await openJobs(configuration, logger));
    return { ...ledger, jobs, mailer, secretKey, close: () => closeAll(closers) };
  } catch (error) {
    await closeAllAfterFailure(closers, logger);
    throw error;
  }
}

/** Whether a store is worked on, or only looked at beside a process that works on it. */
type Purpose = 'work' | 'read';

/** Whether events or documents are in the data directory. */
export function hasDatabase({ eventStoreUrl, mongodbUrl }: Configuration): boolean {
  return eventStoreUrl === null || mongodbUrl === null;
}

/** @throws ConfigurationError, DatabaseRefused */
export async function openLedgerStores(
  configuration: Configuration,
  logger: Logger,
  purpose: Purpose = 'work',
): Promise<LedgerStores> {
  const { dataDirectory: directory } = configuration;
  const readOnly = purpose === 'read';
  const onPurgeFailure = (error: unknown): void =>
    logger.error({ err: error }, 'expired documents could not be removed');
  const database = hasDatabase(configuration)
    ? LedgerDatabase.open({ directory, readOnly, onPurgeFailure })
    : null;
  try {
    const eventStore = (await eventStoreOnServer(configuration, logger)) ?? database!.eventStore;
    const documents = (await documentsOnServer(configuration, readOnly)) ?? database!.documents;
    const close = (): Promise<void> => closeAll([() => documents.close(), () => eventStore.close()]);
    return { eventStore, documents, database, close };
  } catch (error) {
    await database?.close();
    throw error;
  }
}

/** Clients of servers are half of what a program has to load: only where one is named. @throws ConfigurationError */
async function eventStoreOnServer(
  { eventStoreUrl }: Configuration,
  logger: Logger,
): Promise<EventStore | null> {
  if (eventStoreUrl === null) return null;
  const { EventStoreDbEventStore } = await import('#storage/eventstoredb/eventstoredb-event-store');
  return refusing(() => EventStoreDbEventStore.open({ url: eventStoreUrl, log: logger }));
}

/** @throws ConfigurationError */
async function documentsOnServer(
  { mongodbUrl }: Configuration,
  readOnly: boolean,
): Promise<Documents | null> {
  if (mongodbUrl === null) return null;
  const { MongoDocuments } = await import('#storage/mongodb/mongo-documents');
  return refusing(() => MongoDocuments.open({ url: mongodbUrl, readOnly }));
}

async function openJobs({ redisUrl }: Configuration, logger: Logger): Promise<JobQueue> {
  const report = (trouble: JobTrouble): void => logger.warn({ job: trouble }, 'job trouble');
  if (redisUrl === null) return new InProcessJobQueue({ report });
  const { BullmqJobQueue } = await import('#storage/bullmq/bullmq-job-queue');
  return refusing(() => new BullmqJobQueue({ url: redisUrl, report }));
}

function openMailer({ dataDirectory, smtpUrl, mailFrom }: Configuration): Mailer {
  const from = sender(mailFrom);
  if (smtpUrl === null) return new OutboxMailer({ directory: outboxIn(dataDirectory), from });
  return refusing(() => new SmtpMailer({ url: smtpUrl, from }));
}

function sender(mailFrom: string): Mailbox {
  try {
    return parseMailbox(mailFrom);
  } catch {
    throw new ConfigurationError('MAIL_FROM must be an address, or Name <address>.');
  }
}

/** What an adapter says of its URL; every adapter names the variable and leaves out the password. */
function refusing<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    const isRefused = error instanceof StoreUrlError || error instanceof SmtpUrlError;
    throw isRefused ? new ConfigurationError(error.message, { cause: error }) : error;
  }
}
