import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ConfigurationError } from './configuration.js';
import { reasonOf, SECRET_KEY } from './data-files.js';

const KEY_BYTES = 32;
const KEY_LOST =
  'the secret key was missing; created a new one, so existing cursors, pending sign-ups and links in mails are invalid';

/**
 * The key of an installation on embedded stores, made once into `DATA_DIR/secret.key`, mode 0600. It is written
 * under another name, synced and then linked, so that a crash leaves a whole key or none. Where one is made beside
 * accounts that are there already, the former one is lost, which the log says.
 * @param directory locked by this process
 * @throws ConfigurationError when the file holds no key or cannot be made
 */
export function secretKeyIn(directory: string, hasAccounts: () => boolean, logger: Logger): Buffer {
  const file = join(directory, SECRET_KEY);
  if (existsSync(file)) return readKey(file);
  const isLost = hasAccounts();
  try {
    makeKey(file);
  } catch (error) {
    const code = reasonOf(error);
    const reason = code === 'ENOSPC' ? 'the disk is full' : `system error ${code}`;
    throw new ConfigurationError(`The secret key cannot be written to ${file}: ${reason}.`, { cause: error });
  }
  if (isLost) logger.warn({ file }, KEY_LOST);
  return readKey(file);
}

function makeKey(file: string): void {
  const draft = `${file}.draft`;
  // That of a process which died.
  rmSync(draft, { force: true });
  try {
    const text = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true });
    linkSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @throws ConfigurationError if the file holds no key or cannot be read */
export function readKey(file: string): Buffer {
  const key = bytesIn(file);
  if (key.length < KEY_BYTES) {
    throw new ConfigurationError(
      `The file ${file} contains no secret key, which is base64 of ${KEY_BYTES} bytes. Restore it. If you delete it instead, the server creates a new key, and existing cursors and links in mails become invalid.`,
    );
  }
  return key;
}

/** Whether a file that is there holds this key; it may hold no key. @throws ConfigurationError where it cannot be read */
export function holdsKey(file: string, key: Buffer): boolean {
  return bytesIn(file).equals(key);
}

function bytesIn(file: string): Buffer {
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  } catch (error) {
    throw new ConfigurationError(`The secret key in ${file} cannot be read.`, { cause: error });
  }
}
