// The sentences that operators read when `ledger` finds no server and nothing that it could read.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ledger } from './cli/ledger-program.scenario.js';

const NOBODY = '01K00000000000000000000000';

describe('ledger, without a server', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'ledger-look-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('tells wrong usage before anything is done', async () => {
    const args = ['projections', 'rebuild', '--household', NOBODY];
    const { code, stdout, stderr } = await ledger(args, { directory });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^ledger: .*unknown option '--household'/);
    assert.deepEqual(readdirSync(directory), []);
  });

  const looks = [['households'], ['users'], ['projections', 'status'], ['events', NOBODY]];
  const changes = ['rebuild', 'give-up'].map(name => ['projections', name]);

  it('makes nothing where there is no data directory', async () => {
    const missing = join(directory, 'missing');
    for (const args of [...looks, ...changes]) {
      const { code, stderr } = await ledger(args, { directory, environment: { DATA_DIR: missing } });
      assert.equal(code, 1);
      assert.match(stderr, /^ledger: The data directory .*missing does not exist\. Set DATA_DIR .*\.\n$/);
    }
    const empty = join(directory, 'empty');
    mkdirSync(empty);
    for (const args of looks) {
      const { code, stderr } = await ledger(args, { directory, environment: { DATA_DIR: empty } });
      assert.equal(code, 1);
      assert.match(stderr, /^ledger: .*empty.*it does not exist\.\n$/);
    }
    for (const args of changes) {
      const { code, stderr } = await ledger(args, { directory, environment: { DATA_DIR: empty } });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^ledger: (The directory .*empty contains no ledger: |.*empty.*it does not exist).*\n$/,
      );
    }
    assert.deepEqual(readdirSync(directory), ['empty']);
    assert.deepEqual(readdirSync(empty), []);
    writeFileSync(join(empty, 'ledger.db'), '');
    const { code, stderr } = await ledger(['projections', 'rebuild'], {
      directory,
      environment: { DATA_DIR: empty },
    });
    assert.equal(code, 1);
    assert.match(stderr, /^ledger: The file .*ledger\.db cannot be used: it is empty\.\n$/);
    assert.deepEqual(readdirSync(empty), ['ledger.db']);
  });

  it('refuses a store that it cannot read with a sentence', async () => {
    const broken = join(directory, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'ledger.db'), 'x'.repeat(5_000));
    const { code, stderr } = await ledger(['users'], { directory, environment: { DATA_DIR: broken } });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^ledger: The file .*ledger\.db cannot be used: it is not a SQLite database; .*\.\n$/,
    );
  });

  it('names the variable that is wrong', async () => {
    const { code, stderr } = await ledger(['users'], { directory, environment: { LOG_LEVEL: 'loud' } });
    assert.equal(code, 1);
    assert.match(stderr, /^ledger: LOG_LEVEL must be one of .*\n$/);
  });
});
