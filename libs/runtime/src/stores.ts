import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { SqliteDocuments } from '#documents/sqlite/sqlite-documents';
import type { Documents } from '#documents/documents';
import type { EventStore } from '#event-store/event-store';
import { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store';
import type { JobQueue, JobTrouble } from '#jobs/job-queue';
import { SqliteJobQueue } from '#jobs/sqlite/sqlite-job-queue';
import { parseMailbox, type Mailbox, type Mailer } from '#mail/mailer';
import { OutboxMailer } from '#mail/outbox/outbox-mailer';
import { SmtpMailer } from '#mail/smtp/smtp-mailer';
import { ConfigurationError, type Configuration } from './configuration.js';
import { DataDirectoryLock } from './data-directory-lock.js';
import { secretKeyIn } from './secret-key-file.js';

/** Every store that the service works on, whichever adapters were chosen. */
export interface Stores {
  readonly eventStore: EventStore;
  readonly documents: Documents;
  readonly jobs: JobQueue;
  readonly mailer: Mailer;
  readonly secretKey: Buffer;
  /** Closes all of them, and gives the data directory free. */
  close(): Promise<void>;
}

/** Where messages become files while there is no SMTP server. */
export function outboxIn(dataDirectory: string): string {
  return join(dataDirectory, 'outbox');
}

/**
 * Opens the stores that the configuration names: a server where a URL is set, an embedded one elsewhere.
 * @throws ConfigurationError, DatabaseRefused with one sentence for the operator
 */
export async function openStores(configuration: Configuration, logger: Logger): Promise<Stores> {
  const { dataDirectory } = configuration;
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const closers: (() => Promise<void> | void)[] = [];
  const closing = <T extends { close(): Promise<void> }>(store: T): T => {
    closers.unshift(() => store.close());
    return store;
  };
  try {
    const lock = DataDirectoryLock.take(dataDirectory);
    closers.push(() => lock.release());
    const secretKey = configuration.secretKey ?? secretKeyIn(dataDirectory);
    const eventStore = closing(openEventStore(configuration));
    const documents = closing(openDocuments(configuration));
    const jobs = closing(openJobs(configuration, logger));
    const mailer = closing(openMailer(configuration));
    return { eventStore, documents, jobs, mailer, secretKey, close: () => closeAll(closers) };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

function openEventStore({ dataDirectory }: Configuration): EventStore {
  return SqliteEventStore.open({ file: join(dataDirectory, 'events.db') });
}

function openDocuments({ dataDirectory }: Configuration): Documents {
  return SqliteDocuments.open({ directory: dataDirectory });
}

function openJobs({ dataDirectory }: Configuration, logger: Logger): JobQueue {
  const report = (trouble: JobTrouble): void => logger.warn({ job: trouble }, 'job trouble');
  return new SqliteJobQueue({ file: join(dataDirectory, 'jobs.db'), report });
}

function openMailer({ dataDirectory, smtpUrl, mailFrom }: Configuration): Mailer {
  const from = sender(mailFrom);
  if (smtpUrl === null) return new OutboxMailer({ directory: outboxIn(dataDirectory), from });
  try {
    return new SmtpMailer({ url: smtpUrl, from });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigurationError(`SMTP_URL cannot be used: ${error.message}.`);
  }
}

function sender(mailFrom: string): Mailbox {
  try {
    return parseMailbox(mailFrom);
  } catch {
    throw new ConfigurationError('MAIL_FROM must be an address, or a name with one: Name <address>.');
  }
}

async function closeAll(closers: readonly (() => Promise<void> | void)[]): Promise<void> {
  for (const close of closers) await close();
}
