// The program on an event store of its own beside the server's other stores: the same look, and what it refuses.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { canStartEventStoreDb, startEventStoreDb } from '#test-servers/eventstoredb-server';
import { LedgerProcess } from '../ledger-process.js';
import { SHARED_ENVIRONMENT } from '../processes/budget.scenario.js';
import { FakeEventStore, type EventStoreServer } from '../processes/event-store-server.scenario.js';
import { ledger, ledgerJson, RunningLedger, type LedgerOptions } from './ledger-program.scenario.js';

function onEventStore(start: () => Promise<EventStoreServer | null>): void {
  let store: EventStoreServer;
  let server: LedgerProcess;
  let token: string;
  let household: string;
  let options: LedgerOptions;

  before(async () => {
    const started = await start();
    assert.ok(started);
    store = started;
    const directory = mkdtempSync(join(tmpdir(), 'ledger-servers-'));
    options = { directory, environment: { ...SHARED_ENVIRONMENT, EVENTSTORE_URL: store.url } };
    server = await LedgerProcess.start(options);
    token = await server.signUp(directory);
    household = String((await server.call('GET', '/me', { token })).body['default_household_id']);
    await server.call('POST', '/months/2026-01', { token });
    await server.call('POST', '/months/2026-02', { token });
  });
  after(async () => {
    await server.end('SIGTERM');
    await store.stop();
    rmSync(options.directory, { recursive: true, force: true });
  });

  it('lists, prints, follows and verifies', async () => {
    const { households } = await ledgerJson<{ households: { events: number }[] }>(['households'], options);
    assert.equal(households[0]!.events, 2);
    const following = new RunningLedger(['events', household, '--follow'], options);
    await following.until(() => following.stdout.includes('created 2026-02'));
    await server.call('POST', '/months/2026-03', { token });
    await following.until(() => following.stdout.includes('created 2026-03'));
    following.child.kill('SIGTERM');
    assert.equal((await following.ended()).code, 0);
    const report = await ledgerJson<{ ok: boolean; events: number }>(['projections', 'verify'], options);
    assert.deepEqual([report.ok, report.events], [true, 3]);
    await server.until(async () => {
      const status = await ledgerJson<Record<string, unknown>>(['projections', 'status'], options);
      return status['lag_events'] === 0;
    }, 'to keep up');
  });

  it('does not back half of a ledger up', async () => {
    const { code, stderr } = await ledger(['backup', join(options.directory, 'x.backup')], options);
    assert.equal(code, 1);
    assert.match(stderr, / only embedded stores, but EVENTSTORE_URL names a server\. .*\n$/);
  });

  it('says in a sentence that the store is away', async () => {
    await store.kill();
    const { code, stdout, stderr } = await ledger(['events', household], options);
    await store.restart();
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^ledger: .*\n$/);
    assert.match(stderr, /refuses connections/);
  });
}

describe('ledger on the fake of an event store', () => onEventStore(() => FakeEventStore.start()));

if (canStartEventStoreDb()) describe('ledger on EventStoreDB', () => onEventStore(startEventStoreDb));
