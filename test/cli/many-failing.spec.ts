// More households fail than an operator is to read.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { StoredFailures } from '#engine/projector/failing-households';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { LedgerProcess } from '../ledger-process.js';
import { ledger, ledgerJson } from './ledger-program.scenario.js';

const FAILING = 1_001;
const LISTED = 1_000;

describe('ledger, where very many households fail', () => {
  let directory: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ledger-failing-'));
    const server = await LedgerProcess.start({ directory });
    await server.end('SIGTERM');
    const { documents } = LedgerDatabase.open({ directory });
    await documents.ensure([StoredFailures.collection]);
    const failure = { revision: 1, error: 'no such event', since: '2026-01-15T12:00:00.000Z' };
    const failures = Array.from({ length: FAILING }, (_, at) => ({
      key: StoredFailures.keyOf(`01JZ${String(at).padStart(22, '0')}`),
      ...failure,
    }));
    await documents.put(StoredFailures.collection, failures);
    await documents.close();
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('says that there are more than it lists', async () => {
    const { stdout } = await ledger(['projections', 'status'], { directory });
    assert.match(stdout, /^Failing +1,000 households or more; the first are listed$/m);
    assert.equal(stdout.match(/no such event/g)?.length, LISTED);
    const status = await ledgerJson<{ failing: object[]; more_failing: boolean }>(['projections', 'status'], {
      directory,
    });
    assert.deepEqual([status.failing.length, status.more_failing], [LISTED, true]);
  });
});
