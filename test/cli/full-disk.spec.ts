// The results go to a disk that takes no more.
import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { ledger } from './ledger-program.scenario.js';

const FULL = '/dev/full';

describe('ledger, onto a full disk', { skip: !existsSync(FULL) }, () => {
  it('says so in a sentence and ends with 1', async t => {
    const output = openSync(FULL, 'w');
    t.after(() => closeSync(output));
    const { code, stderr } = await ledger(['--help'], { directory: tmpdir(), output });
    assert.equal(stderr, 'ledger: The output cannot be written (ENOSPC).\n');
    assert.equal(code, 1);
  });
});
