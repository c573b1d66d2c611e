// Data directories that a former version left, with three databases.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ledgerJson } from '../cli/ledger-program.scenario.js';
import { leaveFormerFiles } from '../former-ledger.js';
import { LedgerProcess, PASSWORD } from '../ledger-process.js';
import { Budget } from '../processes/budget.scenario.js';

describe('a data directory of a former version', () => {
  let directory: string;
  let token: string;
  let month: unknown;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'former-'));
    const server = await LedgerProcess.start({ directory });
    token = await server.signUp(directory);
    const budget = await Budget.begin(server, token);
    for (let i = 0; i < 5; i++) assert.equal((await budget.spend(server)).status, 201);
    month = (await server.call('GET', '/months/2026-01', { token })).body;
    assert.equal(await server.end('SIGTERM'), 0);
    leaveFormerFiles(directory);
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  async function isWhole(): Promise<void> {
    const server = await LedgerProcess.start({ directory });
    await server.ready();
    assert.deepEqual((await server.call('GET', '/months/2026-01', { token })).body, month);
    assert.equal((await server.call('POST', '/months/2026-02', { token })).status, 201);
    assert.equal(await server.end('SIGTERM'), 0);
    const { ok } = await ledgerJson<{ ok: boolean }>(['projections', 'verify'], { directory });
    assert.equal(ok, true);
  }

  it('is converted by the first start, which keeps a copy', async () => {
    await isWhole();
    const [aside] = readdirSync(directory).filter(name => name.startsWith('former-'));
    const kept = readdirSync(join(directory, aside!)).filter(name => name.endsWith('.db'));
    assert.deepEqual(kept.sort(), ['events.db', 'records.db']);
    assert.ok(!existsSync(join(directory, 'events.db')));
  });

  it('keeps a copy of what is deleted later, of which the log warns', async () => {
    let server = await LedgerProcess.start({ directory });
    const deleted = await server.call('DELETE', '/me', { token, body: { password: PASSWORD } });
    assert.equal(deleted.status, 204);
    const warnings = (): number => server.said.split('these copies keep what was deleted').length - 1;
    await server.until(async () => warnings() === 1, 'to warn');
    assert.equal(await server.end('SIGTERM'), 0);
    server = await LedgerProcess.start({ directory });
    await server.until(async () => warnings() === 1, 'to warn again');
    assert.equal(await server.end('SIGTERM'), 0);
  });

  it('is converted after an interruption', async () => {
    writeFileSync(join(directory, 'ledger.db.unfinished'), 'half of a file');
    await isWhole();
  });

  it('is refused where one of its files is gone', async () => {
    rmSync(join(directory, 'records.db'));
    for (let start = 0; start < 2; start++) {
      const { code, output } = await LedgerProcess.ending({ directory });
      assert.equal(code, 1);
      assert.match(output, /^Cannot start: [^\n]*records\.db is missing, [^\n]*\n$/);
    }
    assert.ok(existsSync(join(directory, 'events.db')));
    assert.ok(!existsSync(join(directory, 'ledger.db')));
  });
});
