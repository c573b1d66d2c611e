// Files of a data directory that are gone, or that are older than the others.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ledgerProcess } from '../cli/ledger-program.scenario.js';
import { LedgerProcess } from '../ledger-process.js';

interface Started {
  readonly server: LedgerProcess;
  readonly token: string;
}

describe('a data directory that lost something', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'lost-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** A household with one month. */
  async function started(): Promise<Started> {
    const server = await LedgerProcess.start({ directory });
    const token = await server.signUp(directory);
    assert.equal((await server.call('POST', '/months/2026-01', { token })).status, 201);
    return { server, token };
  }

  /** Ends a server once its projections have stored how far they have come, which the next one does at its start. */
  async function left(server: LedgerProcess): Promise<void> {
    assert.equal(await server.end('SIGTERM'), 0);
    const next = await LedgerProcess.start({ directory });
    await next.ready();
    assert.equal(await next.end('SIGTERM'), 0);
  }

  function remove(name: string): void {
    for (const file of readdirSync(directory).filter(each => each.startsWith(name)))
      rmSync(join(directory, file));
  }

  async function refused(): Promise<string> {
    const { code, output } = await LedgerProcess.ending({ directory });
    assert.equal(code, 1);
    assert.match(output, /^Cannot start: [^\n]*\n$/);
    return output;
  }

  it('is refused without its events, and goes on without them where an empty file says so', async () => {
    const { server, token } = await started();
    await left(server);
    remove('events.db');
    for (let start = 0; start < 2; start++) assert.match(await refused(), /events\.db is missing/);
    writeFileSync(join(directory, 'events.db'), '');
    assert.match(await refused(), /events\.db ends before the read models: /);
    assert.match(await refused(), /Restore the latest copy, or remove views\.db and/);
    remove('views.db');
    const again = await LedgerProcess.start({ directory });
    await again.ready();
    assert.equal((await again.call('GET', '/months/2026-01', { token })).status, 404);
    assert.equal((await again.call('POST', '/months/2026-01', { token })).status, 201);
    assert.equal(await again.end('SIGTERM'), 0);
  });

  it('is refused without its events and all that was made of them', async () => {
    const { server, token } = await started();
    assert.equal(await server.end('SIGTERM'), 0);
    copyFileSync(join(directory, 'events.db'), join(directory, 'kept'));
    for (const name of ['events.db', 'views.db']) remove(name);
    for (let start = 0; start < 2; start++) assert.match(await refused(), /events\.db is missing/);
    copyFileSync(join(directory, 'kept'), join(directory, 'events.db'));
    const again = await LedgerProcess.start({ directory });
    await again.ready();
    assert.equal((await again.call('GET', '/months/2026-01', { token })).status, 200);
    assert.equal(await again.end('SIGTERM'), 0);
  });

  it('is refused with older events, and goes on with these where the read models are given up', async () => {
    const { server, token } = await started();
    const first = await server.call('GET', '/months/2026-01', { token });
    assert.equal(await server.end('SIGTERM'), 0);
    copyFileSync(join(directory, 'events.db'), join(directory, 'older'));
    const later = await LedgerProcess.start({ directory });
    for (const month of ['2026-02', '2026-03']) {
      assert.equal((await later.call('POST', `/months/${month}`, { token })).status, 201);
    }
    await left(later);
    remove('events.db');
    copyFileSync(join(directory, 'older'), join(directory, 'events.db'));
    assert.match(await refused(), /it was lost or replaced by an older copy/);
    const status = await ledgerProcess(['projections', 'status'], { directory });
    assert.equal(status.code, 1);
    assert.match(status.stderr, /it was lost or replaced by an older copy/);
    remove('views.db');
    const again = await LedgerProcess.start({ directory });
    await again.ready();
    assert.deepEqual((await again.call('GET', '/months/2026-01', { token })).body, first.body);
    assert.equal((await again.call('GET', '/months/2026-02', { token })).status, 404);
    assert.equal((await again.call('POST', '/months/2026-02', { token })).status, 201);
    assert.equal(await again.end('SIGTERM'), 0);
  });

  it('is refused without the records of accounts, and takes nothing for these', async () => {
    const { server, token } = await started();
    assert.equal(await server.end('SIGTERM'), 0);
    copyFileSync(join(directory, 'records.db'), join(directory, 'kept'));
    remove('records.db');
    for (let start = 0; start < 2; start++) assert.match(await refused(), /records\.db is missing/);
    copyFileSync(join(directory, 'kept'), join(directory, 'records.db'));
    const again = await LedgerProcess.start({ directory });
    assert.equal((await again.call('GET', '/months/2026-01', { token })).status, 200);
    assert.equal(await again.end('SIGTERM'), 0);
  });

  it('is refused with the records of a ledger that has no accounts yet', async () => {
    const { server } = await started();
    assert.equal(await server.end('SIGTERM'), 0);
    const unused = join(directory, 'unused');
    mkdirSync(unused);
    assert.equal(await (await LedgerProcess.start({ directory: unused })).end('SIGTERM'), 0);
    remove('records.db');
    copyFileSync(join(unused, 'records.db'), join(directory, 'records.db'));
    assert.match(
      await refused(),
      /records\.db cannot be used: it holds none of the accounts and households /,
    );
  });
});
