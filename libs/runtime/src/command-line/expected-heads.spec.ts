import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readExpectedHeads } from './expected-heads.js';
import { CommandFailed } from './failures.js';

describe('heads that were noted earlier', () => {
  const head = { household_id: 'H', revision: 7, hash: 'a'.repeat(64) };
  const expected = [{ householdId: 'H', revision: 7, hash: head.hash }];
  const text = JSON.stringify({ households: [head] });
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'heads-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('are read from a file', async () => {
    const file = join(directory, 'heads.json');
    writeFileSync(file, text);
    assert.deepEqual(await readExpectedHeads(file), expected);
  });

  it('are read through a pipe', { skip: process.platform === 'win32' }, async () => {
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', 'printf %s "$1" > "$2"', 'sh', text, pipe], { stdio: 'ignore' });
    try {
      assert.deepEqual(await readExpectedHeads(pipe), expected);
    } finally {
      writer.kill();
    }
  });

  it('are told apart from what is none, or is not there', async () => {
    const file = join(directory, 'none');
    for (const content of ['no JSON', '{}', '{"households":[{}]}']) {
      writeFileSync(file, content);
      await assert.rejects(readExpectedHeads(file), CommandFailed);
    }
    await assert.rejects(readExpectedHeads(join(directory, 'missing')), CommandFailed);
  });
});
