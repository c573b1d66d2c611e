// An API process and a projector that start while none of their servers is there.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { startMongod, type MongodServer } from '#test-servers/mongod-server';
import { prepareRedis, type RedisServer } from '#test-servers/redis-server';
import { LedgerProcess } from '../ledger-process.js';
import { assertUnavailable, Budget, SHARED_ENVIRONMENT } from './budget.scenario.js';
import { canStartServers } from './cluster.scenario.js';
import { failingChecks } from './event-store-away.scenario.js';
import { startEventStore, type EventStoreServer } from './event-store-server.scenario.js';

function startedEarly(): void {
  const directory = mkdtempSync(join(tmpdir(), 'started-early-'));
  const processes: LedgerProcess[] = [];
  let eventStore: EventStoreServer;
  let mongod: MongodServer;
  let redis: RedisServer;

  before(async () => {
    eventStore = await startEventStore();
    const started = await startMongod({ replicaSet: true });
    assert.ok(started);
    mongod = started;
    redis = await prepareRedis();
    await Promise.all([eventStore.kill(), mongod.kill()]);
    const environment = {
      ...SHARED_ENVIRONMENT,
      EVENTSTORE_URL: eventStore.url,
      MONGODB_URL: urlOfDatabase(mongod.url, drawDatabase()),
      REDIS_URL: redis.url,
    };
    for (const app of ['api', 'projector'] as const) {
      processes.push(await LedgerProcess.start({ directory, app, environment }));
    }
  });
  after(async () => {
    await Promise.all(processes.map(process => process.end('SIGKILL')));
    await Promise.all([eventStore.stop(), mongod.stop(), redis.stop()]);
    rmSync(directory, { recursive: true, force: true });
  });

  it('say what they wait for', async () => {
    for (const process of processes) {
      await process.until(async () => /waiting for a server/.test(process.said), 'to say what it waits for');
      const checks = await failingChecks(process);
      assert.match(checks.get('preparation') ?? '', /MongoDB/);
      assert.match(checks.get('event store') ?? '', /EventStoreDB|no answer/);
      assert.match(checks.get('jobs') ?? '', /Redis|no answer/);
    }
    const [api] = processes as [LedgerProcess];
    assertUnavailable(await api.call('POST', '/households', { token: 'any', body: { name: 'Elm' } }));
  });

  it('serve when the servers come, one after the other', async () => {
    const [api, projector] = processes as [LedgerProcess, LedgerProcess];
    await redis.start();
    await eventStore.restart();
    await mongod.restart();
    await Promise.all([api.ready(), projector.ready()]);
    const budget = await Budget.begin(api, await api.signUp(directory));
    assert.equal((await budget.spend(api)).status, 201);
    assert.equal(await budget.spentTransactions(api), 1);
    for (const process of processes) {
      assert.equal(await process.end('SIGTERM'), 0);
      // What is done in the background began once there was something to do it on.
      assert.doesNotMatch(process.said, /was not ensured/);
    }
  });
}

if (canStartServers() && !process.env['MONGODB_URL'] && !process.env['REDIS_URL']) {
  describe('processes that start before their servers', startedEarly);
}
