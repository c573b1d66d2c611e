import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { IDENTITY_COLLECTIONS } from '#identity/identity-services.module';
import { copyLedger } from '#storage/sqlite/ledger-copy';
import { LEDGER_FILE } from '#storage/sqlite/ledger-database';
import { removeDatabase } from '#storage/sqlite/snapshot-database';
import { ConfigurationError } from './configuration.js';
import { FORMER_EVENTS, FORMER_RECORDS, formerFilesIn, syncPath } from './data-files.js';

/** An unfinished ledger file; it gets its name when it is whole. */
const UNFINISHED = `${LEDGER_FILE}.unfinished`;

/** Collections that follow from nothing else. */
export const RECORDS = IDENTITY_COLLECTIONS.filter(({ durability }) => durability === 'durable');

/**
 * Makes the one file of a ledger from the databases of a former version, and puts these aside. What was interrupted is
 * begun again by the next start.
 * @param directory locked by this process
 * @throws ConfigurationError, DatabaseRefused, DamagedDocument; the files are then as they were
 */
export async function convertFormerFiles(directory: string, logger: Logger): Promise<void> {
  const ledger = join(directory, LEDGER_FILE);
  if (!existsSync(ledger)) {
    for (const name of [FORMER_EVENTS, FORMER_RECORDS]) {
      if (existsSync(join(directory, name))) continue;
      throw new ConfigurationError(
        `${join(directory, name)} is missing, without which a ledger of a former version is not whole. Restore it, or choose another DATA_DIR.`,
      );
    }
    logger.info({ data_dir: directory }, 'converting the files of a former version');
    const unfinished = join(directory, UNFINISHED);
    removeDatabase(unfinished);
    await convert(directory, unfinished);
    syncPath(unfinished);
    renameSync(unfinished, ledger);
    syncPath(directory);
  }
  const aside = join(directory, `former-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const name of formerFilesIn(directory)) renameSync(join(directory, name), join(aside, name));
  syncPath(directory);
  logger.info(
    { data_dir: directory, former: aside },
    'the former files are kept: delete them once the converted ledger is backed up, because they keep what is deleted later',
  );
}

/** Copies that a conversion or a restore has left in a data directory. */
const KEPT_COPY = /^(?:former|replaced)-\d{4}-/;

/** Warns, at most once, of copies in the data directory that keep what the service deletes. */
export function warningOfCopies(directory: string, logger: Logger): () => void {
  let hasWarned = false;
  return () => {
    if (hasWarned || !existsSync(directory)) return;
    const copies = readdirSync(directory).filter(name => KEPT_COPY.test(name));
    if (copies.length === 0) return;
    hasWarned = true;
    logger.warn({ data_dir: directory, copies }, 'these copies keep what was deleted: remove them');
  };
}

/** Makes a ledger's file from the databases of a former version. */
export async function convert(directory: string, target: string): Promise<void> {
  const [events, records] = [FORMER_EVENTS, FORMER_RECORDS].map(name => join(directory, name));
  await copyLedger({ events: events!, records: records! }, target, RECORDS);
}
