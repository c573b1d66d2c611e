import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import {
  REDIS_PASSWORD,
  hasRedisServer,
  prepareRedis,
  startRedis,
  type RedisServer,
} from '#test-servers/redis-server';
import { gate, jobQueueContract, until, type JobQueueHarness } from '../jobs/job-queue.contract.js';
import { JobsUnavailable, PARKED_MS_MAX, type Job, type JobTrouble } from '../jobs/job-queue.js';
import { BullmqJobQueue, FORGET_PARKED_EVERY_MS, type BullmqJobQueueOptions } from './bullmq-job-queue.js';
import { StoreUrlError } from '../store-url-error.js';
import { PatientRedis, redisAddress } from './redis-connection.js';

const givenUrl = process.env['REDIS_URL'];
const canStart = hasRedisServer();
/** Longer than any stall of a busy machine, so that no lease ends by one. */
const LEASE_MS = 4_000;
/** Twice in each lease: more than one lease. */
const RENEWALS = 4;

class Store implements JobQueueHarness {
  private readonly prefix = `test-${randomUUID()}`;
  private readonly opened: BullmqJobQueue[] = [];

  constructor(private readonly url: string) {}

  readonly open = (options: Partial<BullmqJobQueueOptions> = {}): BullmqJobQueue => {
    const queue = new BullmqJobQueue({ url: this.url, prefix: this.prefix, ...options });
    this.opened.push(queue);
    return queue;
  };

  readonly close = async (): Promise<void> => {
    await Promise.all(this.opened.map(queue => queue.close()));
  };

  readonly dispose = async (): Promise<void> => {
    await this.close();
    await this.remove(`${this.prefix}:*`);
  };

  /** As if their time had come. */
  readonly forgetSchedules = (): Promise<void> => this.remove(`${this.prefix}:schedule:*`);

  /** How long the only job that runs is leased, in milliseconds. */
  readonly leftOfLease = async (): Promise<number> => {
    const redis = new Redis(this.url);
    const [lock] = await redis.keys(`${this.prefix}:*:lock`);
    const left = lock === undefined ? 0 : await redis.pttl(lock);
    redis.disconnect();
    return left;
  };

  private async remove(pattern: string): Promise<void> {
    const redis = new Redis(this.url);
    const keys = await redis.keys(pattern);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  }
}

/** The call fails, as unavailable, while Redis is still away: it does not wait for it. */
async function failsMeanwhile(call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, JobsUnavailable);
}

if (givenUrl !== undefined) {
  jobQueueContract('bullmq', async () => new Store(givenUrl));
} else if (canStart) {
  describe('bullmq with a Redis of its own', () => {
    let redis: RedisServer;
    before(async () => {
      redis = await startRedis();
    });
    after(() => redis.stop());
    jobQueueContract('bullmq', async () => new Store(redis.url));
  });
}

if (!canStart) {
  const skipped = givenUrl === undefined ? 'the BullMQ adapter' : 'the faults of the BullMQ adapter';
  console.log(
    `SKIPPED: ${skipped}: no redis-server on the PATH${givenUrl === undefined ? ', no REDIS_URL' : ''}`,
  );
}

describe('bullmq faults', { skip: !canStart }, () => {
  let redis: RedisServer;
  let store: Store;

  beforeEach(async () => {
    redis = await prepareRedis();
    store = new Store(redis.url);
  });
  afterEach(async () => {
    redis.thaw();
    await store.close();
    await redis.stop();
  });

  it('keeps one job an id when many processes queue it at once', async () => {
    await redis.start();
    const [one, other] = [store.open(), store.open()];
    await Promise.all([one.ping(), other.ping()]);
    const job = { queue: 'mail', id: 'same' };
    await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).enqueue(job)));
    assert.equal((await one.stats('mail')).pending, 1);
  });

  it('runs what was pending after a restart, and again what was cut off in the middle', async () => {
    await redis.start();
    const before = store.open({ closeMs: 20, leaseMs: 300 });
    const [started, never] = [gate(), gate()];
    const begin = async (): Promise<void> => {
      started.open();
      await never.opened;
    };
    before.process('mail', begin, { concurrency: 1 });
    await before.enqueue({ queue: 'mail', id: 'cut-off' });
    await started.opened;
    await before.enqueue({ queue: 'mail', id: 'pending' });
    await before.close();
    const after = store.open({ leaseMs: 300 });
    const runs: Job[] = [];
    after.process('mail', async job => void runs.push(job), { concurrency: 1 });
    await until(() => runs.length === 2, 'both runs');
    const byId = new Map(runs.map(run => [run.id, run]));
    assert.equal(byId.get('cut-off')?.attempt, 2);
    assert.deepEqual(byId.get('pending'), { id: 'pending', attempt: 1 });
    never.open();
  });

  it('renews the lease of a job that takes longer', async () => {
    await redis.start();
    const release = gate();
    let runs = 0;
    const handler = async (): Promise<void> => {
      runs += 1;
      await release.opened;
    };
    const [jobs, rival] = [store.open({ leaseMs: LEASE_MS }), store.open({ leaseMs: LEASE_MS })];
    jobs.process('mail', handler, { concurrency: 1 });
    rival.process('mail', handler, { concurrency: 1 });
    await jobs.ping();
    await jobs.enqueue({ queue: 'mail', id: 'long' });
    let [renewals, left] = [0, 0];
    const isRenewed = async (): Promise<boolean> => {
      const before = left;
      left = await store.leftOfLease();
      if (left > before) renewals += 1;
      return runs > 1 || renewals > RENEWALS;
    };
    await until(isRenewed, 'several leases');
    assert.equal(runs, 1);
    release.open();
  });

  it('fails where Redis cannot be reached, and does not show the password', async () => {
    // Nothing listens on the discard port.
    const jobs = store.open({ url: `redis://:${REDIS_PASSWORD}@127.0.0.1:9/0` });
    jobs.process('mail', async () => undefined, { concurrency: 1 });
    for (const call of [
      () => jobs.enqueue({ queue: 'mail', id: 'a' }),
      () => jobs.stats('mail'),
      () => jobs.ping(),
    ]) {
      await assert.rejects(call, (error: unknown) => {
        assert.ok(error instanceof JobsUnavailable);
        assert.equal(error.unavailable, true);
        assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), new RegExp(REDIS_PASSWORD));
        return true;
      });
    }
  });

  it('comes to life when Redis is started after it', { timeout: 60_000 }, async () => {
    const troubles: JobTrouble[] = [];
    const jobs = store.open({ report: trouble => troubles.push(trouble) });
    const runs: string[] = [];
    jobs.process('mail', async ({ id }) => void runs.push(id), { concurrency: 1 });
    await failsMeanwhile(jobs.enqueue({ queue: 'mail', id: 'lost' }));
    await failsMeanwhile(jobs.ping());
    assert.match(inspect(troubles), /ECONNREFUSED/);
    assert.doesNotMatch(inspect({ troubles, jobs }, { depth: 1 }), new RegExp(REDIS_PASSWORD));
    await redis.start();
    await until(() => answers(jobs), 'the connection');
    await until(() => takes(jobs, 'kept'), 'the job to be taken');
    await until(() => runs.length > 0, 'the run');
    assert.deepEqual(new Set(runs), new Set(['kept']));
  });

  it(
    'loses nothing that was queued when Redis is killed and started again',
    { timeout: 60_000 },
    async () => {
      await redis.start();
      const jobs = store.open({ retry: { attemptsMax: 2, firstDelayMs: 1_000, delayMsMax: 1_000 } });
      const runs = new Set<string>();
      const kept: string[] = [];
      const failOnce = async ({ id, attempt }: Job): Promise<void> => {
        if (id === 'delayed' && attempt === 1) throw new Error('greylisted');
        runs.add(id);
      };
      jobs.process('mail', failOnce, { concurrency: 2 });
      await jobs.enqueue({ queue: 'mail', id: 'before' });
      await until(() => runs.has('before'), 'the first run');
      await jobs.enqueue({ queue: 'mail', id: 'delayed' });
      kept.push('before', 'delayed');
      await redis.kill();
      for (const id of ['x', 'y', 'z']) await failsMeanwhile(jobs.enqueue({ queue: 'mail', id }));
      await failsMeanwhile(jobs.stats('mail'));
      await redis.start();
      await until(() => answers(jobs), 'the connection');
      await until(() => takes(jobs, 'after'), 'the job to be taken');
      kept.push('after');
      await until(() => kept.every(id => runs.has(id)), 'the runs');
    },
  );

  it('forgets jobs that were given up too long ago as soon as it works', async context => {
    await redis.start();
    const before = store.open({ retry: { attemptsMax: 1, firstDelayMs: 1, delayMsMax: 1 } });
    before.process('mail', () => Promise.reject(new Error('no')), { concurrency: 1 });
    await before.enqueue({ queue: 'mail', id: 'old' });
    await until(async () => (await before.stats('mail')).parked === 1, 'the job to be given up');
    await before.close();
    const later = Date.now() + PARKED_MS_MAX + FORGET_PARKED_EVERY_MS;
    context.mock.method(Date, 'now', () => later);
    await store.forgetSchedules();
    const jobs = store.open();
    jobs.process('mail', () => Promise.resolve(), { concurrency: 1 });
    await until(async () => (await jobs.stats('mail')).parked === 0, 'it to be forgotten');
  });

  it('records the end of a job that ended while Redis was away', { timeout: 60_000 }, async () => {
    await redis.start();
    const jobs = store.open();
    let release = (): void => undefined;
    const released = new Promise<void>(resolve => (release = resolve));
    let runs = 0;
    jobs.process(
      'mail',
      async () => {
        runs += 1;
        await released;
      },
      { concurrency: 1 },
    );
    await jobs.enqueue({ queue: 'mail', id: 'a' });
    await until(() => runs === 1, 'the run');
    await redis.kill();
    release();
    await redis.start();
    await until(async () => (await answers(jobs)) && (await jobs.stats('mail')).running === 0, 'the record');
    assert.deepEqual(await jobs.stats('mail'), { pending: 0, running: 0, parked: 0 });
    assert.equal(runs, 1);
  });

  it('does not hang while Redis is frozen, and goes on when it thaws', { timeout: 90_000 }, async () => {
    await redis.start();
    const jobs = store.open();
    const runs = new Set<string>();
    jobs.process('mail', async ({ id }) => void runs.add(id), { concurrency: 1 });
    await jobs.enqueue({ queue: 'mail', id: 'before' });
    await until(() => runs.has('before'), 'the first run');
    redis.freeze();
    for (const id of ['x', 'y', 'z']) await failsMeanwhile(jobs.enqueue({ queue: 'mail', id }));
    const late = store.open();
    late.process('mail', async ({ id }) => void runs.add(id), { concurrency: 1 });
    await failsMeanwhile(late.enqueue({ queue: 'mail', id: 'w' }));
    redis.thaw();
    await until(() => answers(jobs), 'the connection');
    await until(() => answers(late), 'the other connection');
    await until(() => takes(jobs, 'after'), 'the job to be taken');
    await until(() => runs.has('after'), 'the run');
  });

  it('opens a queue once Redis answers that could not be opened before', { timeout: 60_000 }, async () => {
    await redis.start();
    const jobs = store.open();
    await jobs.ping();
    redis.freeze();
    await failsMeanwhile(jobs.enqueue({ queue: 'mail', id: 'lost' }));
    redis.thaw();
    await until(() => answers(jobs), 'the connection');
    await until(() => takes(jobs, 'kept'), 'the job to be taken');
  });

  it('reports what is wrong once, however often it tries to connect', async () => {
    let connections = 0;
    const refusing = createServer(socket => {
      connections += 1;
      socket.on('data', () => socket.write('-ERR out of order\r\n')).on('error', () => undefined);
    });
    await once(refusing.listen(0, '127.0.0.1'), 'listening');
    const troubles: JobTrouble[] = [];
    const { port } = refusing.address() as AddressInfo;
    const jobs = store.open({ url: `redis://127.0.0.1:${port}`, report: trouble => troubles.push(trouble) });
    await until(() => connections > 3, 'several connections');
    await jobs.close();
    refusing.close();
    assert.deepEqual(troubles, [{ kind: 'store', reason: `Redis at 127.0.0.1:${port}: ERR out of order` }]);
  });

  it('closes while Redis is frozen, killed or never came', { timeout: 60_000 }, async () => {
    const never = store.open({ closeMs: 100 });
    never.process('mail', async () => undefined, { concurrency: 1 });
    await never.close();
    await redis.start();
    for (const fail of [async () => redis.freeze(), () => redis.kill()]) {
      const jobs = store.open({ closeMs: 100 });
      jobs.process('mail', async () => undefined, { concurrency: 1 });
      await jobs.ping();
      await fail();
      await jobs.close();
      redis.thaw();
    }
  });

  it('runs a job again whose process was killed, each time', { timeout: 60_000 }, async () => {
    await redis.start();
    const prefix = 'killed';
    for (let death = 0; death < 3; death += 1) {
      const child = fork(new URL('killed-worker.fixture.js', import.meta.url), [redis.url, prefix]);
      await once(child, 'message');
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const jobs = store.open({ prefix, leaseMs: 500 });
    const attempts: number[] = [];
    jobs.process('mail', async ({ attempt }) => void attempts.push(attempt), { concurrency: 1 });
    await until(() => attempts.length === 1, 'the run after them');
    assert.deepEqual(attempts, [4]);
  });

  it('says what is wrong when Redis refuses to write', { timeout: 60_000 }, async () => {
    await redis.start();
    const jobs = store.open();
    await jobs.enqueue({ queue: 'mail', id: 'a' });
    const admin = new Redis(redis.url);
    await admin.config('SET', 'maxmemory', '1');
    await assert.rejects(jobs.enqueue({ queue: 'mail', id: 'b' }), {
      name: 'JobsUnavailable',
      message: /maxmemory/,
    });
    await assert.rejects(jobs.ping(), { name: 'JobsUnavailable', message: /maxmemory/ });
    await admin.config('SET', 'maxmemory', '0');
    admin.disconnect();
    await jobs.ping();
    await jobs.enqueue({ queue: 'mail', id: 'b' });
    assert.equal((await jobs.stats('mail')).pending, 2);
  });

  it('leaves a server that has become a replica, of which there may be another now', async context => {
    await redis.start();
    const jobs = store.open();
    await jobs.ping();
    const admin = new Redis(redis.url);
    context.after(() => admin.disconnect());
    const connections = async (): Promise<string[]> =>
      String(await admin.client('LIST')).match(/(?<=\bid=)\d+/g) ?? [];
    const before = new Set(await connections());
    before.delete(String(await admin.client('ID')));
    await admin.replicaof('127.0.0.1', 9);
    await assert.rejects(jobs.ping(), { name: 'JobsUnavailable', message: /READONLY|replica/i });
    await until(async () => !(await connections()).some(id => before.has(id)), 'it to leave');
    await until(async () => (await connections()).length > 1, 'it to connect anew');
    await admin.replicaof('NO', 'ONE');
    await until(() => answers(jobs), 'the server to take writes again');
  });

  it('tries a job again where the clock was set back meanwhile, once it is queued again', async context => {
    await redis.start();
    const tomorrow = Date.now() + 24 * 3_600_000;
    const clock = context.mock.method(Date, 'now', () => tomorrow);
    const retry = { attemptsMax: 2, firstDelayMs: 60_000, delayMsMax: 60_000 };
    let isWaiting = false;
    const jobs = store.open({
      retry,
      report: () => {
        clock.mock.restore();
        isWaiting = true;
      },
    });
    const attempts: number[] = [];
    jobs.process(
      'mail',
      async ({ attempt }) => {
        attempts.push(attempt);
        if (attempt === 1) throw new Error('greylisted');
      },
      { concurrency: 1 },
    );
    const job = { queue: 'mail', id: 'a' };
    await jobs.enqueue(job);
    await until(async () => isWaiting && (await jobs.stats('mail')).pending === 1, 'the wait');
    await jobs.enqueue(job);
    await until(() => attempts.length === 2, 'the second attempt');
    assert.deepEqual(attempts, [1, 2]);
  });

  for (const database of ['', '/1']) {
    it(
      `never shows the password when it is wrong, and says so: …${database}`,
      { timeout: 60_000 },
      async () => {
        await redis.start();
        const troubles: JobTrouble[] = [];
        const jobs = store.open({
          url: `redis://:wrong-${REDIS_PASSWORD}@127.0.0.1:${redis.port}${database}`,
          report: trouble => troubles.push(trouble),
        });
        await assert.rejects(jobs.ping(), (error: unknown) => {
          assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), new RegExp(REDIS_PASSWORD));
          assert.match(String(error), /WRONGPASS/);
          return true;
        });
        assert.doesNotMatch(inspect(troubles), new RegExp(REDIS_PASSWORD));
      },
    );
  }

  it('uses no other database where Redis has none of that number', { timeout: 60_000 }, async () => {
    await redis.start();
    const troubles: JobTrouble[] = [];
    const jobs = store.open({ url: `${redis.url}/99`, report: trouble => troubles.push(trouble) });
    jobs.process('mail', async () => undefined, { concurrency: 1 });
    await assert.rejects(jobs.enqueue({ queue: 'mail', id: 'a' }), {
      name: 'JobsUnavailable',
      message: /DB index is out of range/,
    });
    await until(() => inspect(troubles).includes('DB index'), 'the report');
    // Nothing that only follows from it is told besides.
    assert.doesNotMatch(inspect(troubles), /writeable/);
    const patient = new PatientRedis(`${redis.url}/99`).on('error', () => undefined);
    const copy = patient.duplicate();
    let [failures, isReady] = [0, false];
    copy.on('error', () => failures++).on('ready', () => (isReady = true));
    await until(() => failures > 1, 'the copy to try again');
    assert.equal(isReady, false);
    patient.cut();
    const admin = new Redis(redis.url);
    assert.equal(await admin.dbsize(), 0);
    admin.disconnect();
  });

  it('makes a scheduled run on one of two processes', { timeout: 60_000 }, async () => {
    await redis.start();
    const runs: string[] = [];
    for (const name of ['one', 'two']) {
      const jobs = store.open();
      await jobs.ping();
      jobs.schedule('sweep', 3_600_000, async () => void runs.push(name));
    }
    await until(() => runs.length > 0, 'the run');
    const third = store.open();
    let claimed = false;
    await third.ping();
    third.schedule('sweep', 3_600_000, async () => void (claimed = true));
    third.schedule('another', 3_600_000, async () => void runs.push('another'));
    await until(() => runs.includes('another'), 'the other schedule');
    assert.equal(runs.length, 2);
    assert.equal(claimed, false);
  });
});

describe('redis address', () => {
  it('shows where an address points to, never its credentials', () => {
    assert.equal(redisAddress('redis://localhost'), 'localhost:6379');
    assert.equal(redisAddress('rediss://user:p%40ss@redis.example:6380/2'), 'redis.example:6380');
    for (const url of ['', 'localhost:6379', 'http://user:s3cret@host', 'redis://']) {
      assert.throws(
        () => redisAddress(url),
        (error: unknown) => error instanceof StoreUrlError && !error.message.includes('s3cret'),
      );
    }
    for (const url of [
      'redis://:s3cret@host/abc',
      'redis://host/1/2',
      'redis://host/-1',
      'redis://host?db=x',
    ]) {
      assert.throws(
        () => redisAddress(url),
        (error: unknown) =>
          error instanceof StoreUrlError && error.message.startsWith('REDIS_URL must name its database'),
      );
    }
    assert.equal(redisAddress('redis://host/?family=6&db=3'), 'host:6379');
    for (const url of ['redis://:s3cret%b@host', 'redis://u%:s3cret@host', 'redis://:s3cret%ff@host']) {
      assert.throws(
        () => redisAddress(url),
        (error: unknown) => error instanceof StoreUrlError && /^REDIS_URL has [^\n]*\.$/.test(error.message),
      );
    }
  });
});

async function answers(jobs: BullmqJobQueue): Promise<boolean> {
  try {
    await jobs.ping();
    return true;
  } catch {
    return false;
  }
}

/** Whether a job is queued; one that is not answered in time may be queued all the same. */
async function takes(jobs: BullmqJobQueue, id: string): Promise<boolean> {
  try {
    await jobs.enqueue({ queue: 'mail', id });
    return true;
  } catch (error) {
    assert.ok(error instanceof JobsUnavailable);
    return false;
  }
}
