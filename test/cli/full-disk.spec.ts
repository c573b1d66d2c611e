// The results go to a disk that takes no more.
import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { LedgerProcess } from '../ledger-process.js';
import { ledgerProcess } from './ledger-program.scenario.js';

const FULL = '/dev/full';

describe('ledger, onto a full disk', { skip: !existsSync(FULL) }, () => {
  it('says so in a sentence and ends with 1', async t => {
    const output = openSync(FULL, 'w');
    t.after(() => closeSync(output));
    const { code, stderr } = await ledgerProcess(['--help'], { directory: tmpdir(), output });
    assert.equal(stderr, 'ledger: Cannot write the output (ENOSPC).\n');
    assert.equal(code, 1);
  });

  it('does its work and ends where only the log cannot be written', { timeout: 120_000 }, async t => {
    const directory = mkdtempSync(join(tmpdir(), 'ledger-full-'));
    const errorOutput = openSync(FULL, 'w');
    t.after(() => {
      closeSync(errorOutput);
      rmSync(directory, { recursive: true, force: true });
    });
    const server = await LedgerProcess.start({ directory });
    await server.end('SIGTERM');
    const environment = { LOG_LEVEL: 'info' };
    const { code, stdout } = await ledgerProcess(['projections', 'rebuild'], {
      directory,
      environment,
      errorOutput,
    });
    assert.match(stdout, /rebuilt|live/i);
    assert.equal(code, 0);
  });
});
