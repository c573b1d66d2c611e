// The service while Redis is killed, frozen, or not there yet: nobody waits for it, and no mail is lost.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hasRedisServer, prepareRedis, type RedisServer } from '#test-servers/redis-server';
import { LedgerProcess } from '../ledger-process.js';
import { mailedToken } from '../mailed-token.js';
import { Budget, SHARED_ENVIRONMENT } from './budget.scenario.js';
import { failingChecks } from './event-store-away.scenario.js';

const PASSWORD = 'a-lighthouse-in-the-fog';
/** Duties that the queue does not know are looked for once a minute. */
const SWEEP_MS_MAX = 240_000;

function whileRedisIsAway(): void {
  const directory = mkdtempSync(join(tmpdir(), 'redis-away-'));
  const outbox = join(directory, 'outbox');
  let redis: RedisServer;
  let server: LedgerProcess;
  /** Who was owed a mail while Redis was away. */
  const owed: string[] = [];

  before(async () => {
    redis = await prepareRedis();
    const environment = { ...SHARED_ENVIRONMENT, REDIS_URL: redis.url };
    server = await LedgerProcess.start({ directory, environment });
  });
  after(async () => {
    await server.end('SIGKILL');
    await redis.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function signUp(): Promise<void> {
    const email = `person${owed.length}@example.org`;
    const body = { email, password: PASSWORD, name: 'Ann' };
    const { status } = await server.call('POST', '/auth/password/sign-up', { body });
    assert.equal(status, 202);
    owed.push(email);
  }

  it('a server that starts before it says what it waits for, and takes orders', async () => {
    assert.match((await failingChecks(server)).get('jobs') ?? '', /Redis|no answer/);
    await signUp();
    await redis.start();
    await server.ready();
  });

  it('killed or frozen: commands and queries go on', async () => {
    const budget = await Budget.begin(server, await server.signUp(directory));
    let spent = 0;
    for (const [takeAway, giveBack] of [
      [() => redis.kill(), () => redis.start()],
      [async () => redis.freeze(), async () => redis.thaw()],
    ] as const) {
      await takeAway();
      try {
        await signUp();
        spent += 1;
        const { status } = await budget.spend(server);
        assert.equal(status, 201);
        assert.equal(await budget.spentTransactions(server), spent);
        assert.match((await failingChecks(server)).get('jobs') ?? '', /Redis|no answer/);
      } finally {
        await giveBack();
      }
      await server.ready();
    }
  });

  it('every mail that was owed meanwhile goes out', async () => {
    assert.equal(owed.length, 3);
    for (const email of owed) assert.match(await mailedToken(outbox, email, 'verify', SWEEP_MS_MAX), /./);
  });
}

if (hasRedisServer()) describe('while Redis is away', whileRedisIsAway);
else console.log('SKIPPED: the service while Redis is away: redis-server is not on the PATH');
