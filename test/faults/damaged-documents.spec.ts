// Documents of which the disk changed the text: what needs them answers 503, all the rest is served.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { ledgerProcess } from '../cli/ledger-program.scenario.js';
import { LedgerProcess, type Answer } from '../ledger-process.js';
import { assertUnavailable, retried } from '../processes/budget.scenario.js';

describe('a data directory with damaged documents', () => {
  let directory: string;
  let token: string;
  let started: LedgerProcess[];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'damaged-'));
    started = [];
    const server = await start();
    token = await server.signUp(directory);
    for (const month of ['2026-01', '2026-02']) {
      assert.equal((await server.call('POST', `/months/${month}`, { token })).status, 201);
    }
    assert.equal(await server.end('SIGTERM'), 0);
  });
  afterEach(async () => {
    for (const server of started) await server.end('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(): Promise<LedgerProcess> {
    const server = await LedgerProcess.start({ directory });
    started.push(server);
    return server;
  }

  /** Cuts the texts of some documents of the read models short. */
  function damage(collection: string, keys = '*'): void {
    const database = new DatabaseSync(join(directory, 'ledger.db'));
    const sql = `UPDATE "documents:${collection}" SET body = substr(body, 1, 20) WHERE key GLOB ?`;
    const { changes } = database.prepare(sql).run(keys);
    database.close();
    assert.ok(changes > 0, `nothing of ${collection} is there`);
  }

  const monthOf = (server: LedgerProcess, month: string): Promise<Answer> =>
    server.call('GET', `/months/${month}`, { token });

  it('answers 503 for the one of which the document is damaged, and shows it again once it is written', async () => {
    damage('months_g1', '*2026-02');
    const server = await start();
    assertUnavailable(await monthOf(server, '2026-02'));
    assert.equal((await monthOf(server, '2026-01')).status, 200);
    const logged = async (): Promise<boolean> =>
      /a stored document of months_g1 is damaged/.test(server.said);
    await server.until(logged, 'to name the read model');
    const body = { name: 'Garden', color: '#00aa00' };
    const changed = await server.call('POST', '/months/2026-02/groups', { token, body });
    assert.equal(changed.status, 201);
    // What was put is compared with the stored text until it has taken its place.
    const shown = await retried(server, () => monthOf(server, '2026-02'));
    assert.equal(shown.status, 200);
    assert.match(JSON.stringify(shown.body), /Garden/);
    assert.equal(await server.end('SIGTERM'), 0);
  });

  it('decides no command on a damaged head, and goes on after a rebuild', async () => {
    damage('heads_g1');
    const server = await start();
    assertUnavailable(await server.call('POST', '/months/2026-03', { token }));
    assert.equal((await ledgerProcess(['projections', 'rebuild'], { directory })).code, 0);
    assert.equal((await server.call('POST', '/months/2026-03', { token })).status, 201);
    assert.equal(await server.end('SIGTERM'), 0);
  });

  it('projects the log again where a checkpoint is damaged', async () => {
    damage('projection_checkpoints');
    const server = await start();
    await server.ready();
    for (const month of ['2026-01', '2026-02']) assert.equal((await monthOf(server, month)).status, 200);
    assert.equal(await server.end('SIGTERM'), 0);
  });
});
