import { statfsSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { EVERY_KEY } from '#storage/documents/declared';
import type { Documents } from '#storage/documents/documents';
import { ACCOUNTS } from '#identity/accounts/account-records';
import { HOUSEHOLDS } from '#identity/households/household-records';
import type { Configuration } from './configuration.js';
import type { RunningServer } from './serve.js';
import { hasEmbeddedStore } from './stores.js';

/** Warns, once each, of settings that work and that an operator hardly wants; of some when the documents are there. */
export function warnOfSettings({ runtime, url }: RunningServer, logger: Logger): void {
  const { configuration, role, preparation, stores } = runtime;
  if (role.answersApi) warnOfAccess(configuration, logger);
  else if (configuration.appUrl === null) {
    logger.warn({ url }, 'APP_URL is not set: links in mails point to this projector');
  }
  if (hasEmbeddedStore(configuration)) warnOfFileSystem(configuration, logger);
  if (!role.projects || configuration.smtpUrl !== null) return;
  preparation.done
    .then(() => warnOfOutbox(stores.documents, logger))
    .catch((error: unknown) => logger.warn({ err: error }, 'it could not be looked up who gets mails'));
}

function warnOfAccess({ allowedEmails, host, appUrl, trustProxy }: Configuration, logger: Logger): void {
  if (allowedEmails.includes('*') && !isLoopback(host)) {
    logger.warn({ host }, 'anyone who reaches this address can open an account: set ALLOWED_EMAILS');
  }
  if (appUrl?.startsWith('https:') === true && trustProxy === false) {
    logger.warn(
      { app_url: appUrl },
      'APP_URL is https and TRUST_PROXY is not set: cookies lack Secure, and limits count all clients of the proxy as one',
    );
  }
}

/** Mails in files are not delivered. An operator who is alone finds their own there. */
async function warnOfOutbox(documents: Documents, logger: Logger): Promise<void> {
  const [inviting, accounts] = await Promise.all([
    documents.query(HOUSEHOLDS, { index: 'invite_end', equals: { inviting: true }, limit: 1 }),
    documents.range(ACCOUNTS, { ...EVERY_KEY, limit: 2 }),
  ]);
  if (inviting.length === 0 && accounts.length < 2) return;
  logger.warn(
    'invites and links for other users become files in DATA_DIR/outbox and are not sent: set SMTP_URL',
  );
}

/**
 * File systems of other machines by the number that Linux has for them (statfs(2)). SQLite's write-ahead log needs memory
 * that all its users share, and locks that hold: https://sqlite.org/wal.html
 */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x73757245, 'Coda'],
]);

/** @param typeOf the number of the file system that a directory is on */
export function warnOfFileSystem(
  { dataDirectory }: Pick<Configuration, 'dataDirectory'>,
  logger: Pick<Logger, 'warn'>,
  typeOf: (directory: string) => number = typeOfFileSystem,
): void {
  const name = NETWORK_FILE_SYSTEMS.get(typeOf(dataDirectory) >>> 0);
  if (name === undefined) return;
  logger.warn(
    { data_dir: dataDirectory, file_system: name },
    'DATA_DIR is on a file system that may be on the network, where SQLite can damage its files: use a local disk',
  );
}

/** 0 where the system does not tell; other systems number theirs otherwise. */
function typeOfFileSystem(directory: string): number {
  if (process.platform !== 'linux') return 0;
  try {
    return statfsSync(directory).type;
  } catch {
    return 0;
  }
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  const address = host.toLowerCase();
  return address === 'localhost' || address === '::1' || address.startsWith('::ffff:127.');
}
