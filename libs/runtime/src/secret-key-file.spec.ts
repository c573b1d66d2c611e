import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { readKey, secretKeyIn } from './secret-key-file.js';

describe('the file of the secret key', () => {
  let directory: string;
  let log: string;
  const logger = pino({}, { write: line => (log += line) });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'secret-key-'));
    log = '';
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is made once', () => {
    const key = secretKeyIn(directory, () => false, logger);
    assert.deepEqual(
      secretKeyIn(directory, () => true, logger),
      key,
    );
    assert.equal(log, '');
  });

  it('is made where a process died before it was whole', () => {
    for (const name of ['secret.key.draft', `secret.key.${process.pid}`])
      writeFileSync(join(directory, name), '');
    const key = secretKeyIn(directory, () => false, logger);
    assert.deepEqual(readKey(join(directory, 'secret.key')), key);
    assert.ok(!existsSync(join(directory, 'secret.key.draft')));
  });

  it('is not made, and nothing of it is left, where it cannot be', () => {
    symlinkSync(join(directory, 'nowhere'), join(directory, 'secret.key'));
    assert.throws(
      () => secretKeyIn(directory, () => false, logger),
      /^ConfigurationError: The secret key cannot be written to .*secret\.key: system error EEXIST\.$/,
    );
    assert.deepEqual(readdirSync(directory), ['secret.key']);
  });

  it('is made anew beside accounts that are there already, with a warning', () => {
    const key = secretKeyIn(directory, () => true, logger);
    assert.match(log, /"level":40.*"msg":"the secret key was missing; created a new one, /);
    assert.ok(!log.includes(key.toString('base64')));
  });
});
