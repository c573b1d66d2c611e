// The suites of accounts and of the budget once more, on real servers of our own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'node:test';
import {
  canStartEventStoreDb,
  startEventStoreDb,
  type EventStoreDbServer,
} from '#test-servers/eventstoredb-server';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';

const TEST_SCRIPT = fileURLToPath(new URL('../../../scripts/test.mjs', import.meta.url));

async function passes(folder: string, servers: Readonly<Record<string, string>>): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const child = spawn(process.execPath, [TEST_SCRIPT, folder], {
    env: { ...environment, ...servers },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, output);
}

if (canStartMongod()) {
  describe('on MongoDB', () => {
    let mongod: MongodServer;
    before(async () => {
      mongod = (await startMongod({ replicaSet: true }))!;
    });
    after(() => mongod.stop());

    it('the suite of accounts passes', () => passes('test/identity/', { MONGODB_URL: mongod.url }));
  });
}

if (canStartEventStoreDb() && canStartMongod()) {
  describe('on EventStoreDB and MongoDB', () => {
    let eventStore: EventStoreDbServer;
    let mongod: MongodServer;
    before(async () => {
      eventStore = (await startEventStoreDb())!;
      mongod = (await startMongod({ replicaSet: true }))!;
    });
    after(() => Promise.all([eventStore.stop(), mongod.stop()]));

    // First: the households of other suites stand in the same log, and their records do not.
    it('a verification in the background shows what it finds', () =>
      passes('test/observed/verification', { EVENTSTORE_URL: eventStore.url, MONGODB_URL: mongod.url }));

    it('the suite of the budget passes', () =>
      passes('test/acceptance/', { EVENTSTORE_URL: eventStore.url, MONGODB_URL: mongod.url }));
  });
}
