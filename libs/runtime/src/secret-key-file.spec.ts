import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { secretKeyIn } from './secret-key-file.js';

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

  it('is made anew beside accounts that are there already, with a warning', () => {
    const key = secretKeyIn(directory, () => true, logger);
    assert.match(log, /"level":40.*"msg":"the secret key was missing, and a new one is made: links /);
    assert.ok(!log.includes(key.toString('base64')));
  });
});
