// Read models are replaced under several processes, one of which is frozen meanwhile.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';
import { hasRedisServer, startRedis, type RedisServer } from '#test-servers/redis-server';
import { ledgerProcess } from '../cli/ledger-program.scenario.js';
import { LedgerProcess } from '../ledger-process.js';
import { Budget, SHARED_ENVIRONMENT } from './budget.scenario.js';
import { startEventStore, type EventStoreServer } from './event-store-server.scenario.js';

const COMMANDS = 30;

function acrossProcesses(): void {
  const directory = mkdtempSync(join(tmpdir(), 'rebuild-processes-'));
  let eventStore: EventStoreServer;
  let mongod: MongodServer;
  let redis: RedisServer;
  let environment: Record<string, string>;
  let first: LedgerProcess;
  let second: LedgerProcess;
  let projector: LedgerProcess;
  let budget: Budget;

  before(async () => {
    eventStore = await startEventStore();
    mongod = (await startMongod({ replicaSet: true }))!;
    redis = await startRedis();
    environment = {
      ...SHARED_ENVIRONMENT,
      EVENTSTORE_URL: eventStore.url,
      MONGODB_URL: urlOfDatabase(mongod.url, drawDatabase()),
      REDIS_URL: redis.url,
    };
    const start = (app: 'api' | 'projector') => LedgerProcess.start({ directory, app, environment });
    [first, second, projector] = [await start('api'), await start('api'), await start('projector')];
    for (const process of [first, second, projector]) await process.ready();
    budget = await Budget.begin(first, await first.signUp(directory));
    for (let i = 0; i < COMMANDS; i++) await budget.spend(first);
  });
  after(async () => {
    for (const process of [first, second, projector]) await process?.end('SIGKILL');
    await redis?.stop();
    await mongod?.stop();
    await eventStore?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const run = (...args: string[]) => ledgerProcess(['projections', ...args], { directory, environment });

  it('every answered command is seen through the other process, all the time', async () => {
    const stopped = new AbortController();
    const stale: string[] = [];
    let answered = 0;
    const load = [first, second].map(async (writer, at) => {
      const reader = at === 0 ? second : first;
      while (!stopped.signal.aborted) {
        const written = await budget.spend(writer);
        const { id } = (written.body['transaction'] ?? {}) as { readonly id?: string };
        // Both write one household: a write that lost every race is told so, and has recorded nothing.
        if (written.status === 409) continue;
        if (written.status !== 201 || id === undefined) stale.push(`written: ${written.status}`);
        const { status } = await reader.call('GET', `/transactions/${id}`, { token: budget.token });
        if (status !== 200) stale.push(`${id}: ${status}`);
        answered++;
      }
    });
    for (let times = 0; times < 3; times++) {
      const { code, stderr } = await run('rebuild');
      assert.equal(code, 0, stderr);
    }
    stopped.abort();
    await Promise.all(load);
    assert.deepEqual(stale, []);
    assert.ok(answered > 20);
    const { code, stdout } = await run('verify');
    assert.equal(code, 0, stdout);
  });

  it('a process that was frozen meanwhile answers 503 before it answers anything stale', async () => {
    second.child.kill('SIGSTOP');
    const { code, stderr } = await run('rebuild');
    assert.equal(code, 0, stderr);
    const latest = await budget.spend(first);
    assert.equal(latest.status, 201);
    const { id } = latest.body['transaction'] as { readonly id: string };
    // They wait in the kernel until the process goes on.
    const waiting = Array.from({ length: 5 }, () =>
      second.call('GET', `/transactions/${id}`, { token: budget.token }),
    );
    second.child.kill('SIGCONT');
    for (const { status } of await Promise.all(waiting)) assert.ok(status === 503 || status === 200);
    const seen = async (): Promise<boolean> => {
      const { status } = await second.call('GET', `/transactions/${id}`, { token: budget.token });
      assert.ok(status === 503 || status === 200, String(status));
      return status === 200;
    };
    await second.until(seen, 'to act by the new read models');
    const { code: verified, stdout } = await run('verify');
    assert.equal(verified, 0, stdout);
  });
}

if (!hasRedisServer()) {
  console.log('SKIPPED: read models replaced under several processes: redis-server is not on the PATH');
} else if (canStartMongod()) {
  describe('replacing read models under several processes', acrossProcesses);
}
