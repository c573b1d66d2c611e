import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { keysUnder } from '#storage/documents/declared';
import { DocumentsUnavailable, type Documents } from '#storage/documents/documents';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { SILENT } from '../households/streams.scenario.js';
import { doubled } from './failing.scenario.js';
import { LEASE_MS, LeasedPartitions, RENEW_MS } from './leased-partitions.js';
import { PARTITIONS, PROJECTION_NAME } from './partitions.js';

const HOUR_MS = 3_600_000;
/** Promised in operations.md: a dead projector's work is taken over within this time. */
const TAKE_OVER_MS_MAX = 10_000;

/** A process that shares the partitions: the test lets its time pass and takes its turns for it. */
class Worker {
  changes = 0;
  complaints = 0;
  storeIsAway = false;
  readonly ownership: LeasedPartitions;

  constructor(documents: Documents, owner: string, now: () => number) {
    const store = new Proxy(documents, {
      get: (target, method) => {
        const value: unknown = Reflect.get(target, method, target);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown =>
          this.storeIsAway
            ? Promise.reject(new DocumentsUnavailable('frozen'))
            : Reflect.apply(value, target, args);
      },
    });
    const log = { info: () => void (this.changes += 1), error: () => void (this.complaints += 1) };
    this.ownership = new LeasedPartitions(store, owner, log, now);
  }

  get partitions(): number[] {
    return [...this.ownership.owned()].sort((a, b) => a - b);
  }
}

describe(LeasedPartitions.name, () => {
  let directory: string;
  let documents: Documents;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ledger-leases-'));
    documents = LedgerDatabase.open({ directory }).documents;
    await documents.ensure([LeasedPartitions.leases, LeasedPartitions.workers]);
  });
  after(async () => {
    await documents.close();
    await rm(directory, { recursive: true, force: true });
  });

  beforeEach(async () => {
    for (const collection of [LeasedPartitions.leases, LeasedPartitions.workers])
      await documents.removePrefix(collection, '');
  });

  /** Some processes, whose clocks are hours apart. */
  function group(size: number): {
    workers: Worker[];
    turns(who: readonly Worker[], ms: number): Promise<void>;
  } {
    let at = 0;
    const workers = Array.from(
      { length: size },
      (_, index) => new Worker(documents, `w${index}`, () => at + index * HOUR_MS),
    );
    const turns = async (who: readonly Worker[], ms: number): Promise<void> => {
      for (const end = at + ms; at < end;) {
        at += RENEW_MS;
        for (const worker of who) await worker.ownership.turn();
        assertNobodyShares(who);
      }
    };
    return { workers, turns };
  }

  function assertNobodyShares(workers: readonly Worker[]): void {
    const partitions = workers.flatMap(worker => worker.partitions);
    assert.equal(new Set(partitions).size, partitions.length, 'a partition has two owners');
  }

  function assertAllWorkedOn(workers: readonly Worker[]): void {
    assertNobodyShares(workers);
    assert.equal(workers.flatMap(worker => worker.partitions).length, PARTITIONS);
  }

  it('one process takes every partition at once', async () => {
    const { workers, turns } = group(1);
    await turns(workers, RENEW_MS);
    assertAllWorkedOn(workers);
    assert.equal(workers[0]!.changes, 1);
    await turns(workers, LEASE_MS * 3);
    assert.equal(workers[0]!.changes, 1, 'and keeps it');
  });

  it('processes share the partitions evenly, also when they come later', async () => {
    const { workers, turns } = group(3);
    await turns(workers.slice(0, 1), RENEW_MS);
    await turns(workers, RENEW_MS * 3);
    assertAllWorkedOn(workers);
    for (const { partitions } of workers)
      assert.ok(partitions.length >= 4 && partitions.length <= 6, `${partitions.length}`);
  });

  it('processes that start at the same moment never own one partition together', async () => {
    const { workers, turns } = group(4);
    await Promise.all(workers.map(({ ownership }) => ownership.turn()));
    assertNobodyShares(workers);
    await turns(workers, RENEW_MS * 3);
    assertAllWorkedOn(workers);
  });

  it('beyond one process a partition, some wait', async () => {
    const { workers, turns } = group(PARTITIONS + 3);
    await turns(workers, RENEW_MS * 3);
    assertAllWorkedOn(workers);
    assert.equal(workers.filter(({ partitions }) => partitions.length === 0).length, 3);
  });

  it('a process stands by when the others keep all partitions, and no longer when one of them dies', async () => {
    const { workers, turns } = group(7);
    const [first, second] = workers as [Worker, Worker];
    await turns([first], RENEW_MS);
    await second.ownership.turn();
    assert.deepEqual(
      [second.partitions.length, second.ownership.standsBy()],
      [0, false],
      'the first gives some back',
    );
    await turns(workers, RENEW_MS * 4);
    const idle = workers.filter(({ ownership }) => ownership.standsBy());
    assert.deepEqual(
      idle,
      workers.filter(({ partitions }) => partitions.length === 0),
    );
    assert.equal(idle.length, 1);
    const living = workers.filter(worker => worker !== first);
    await turns(living, TAKE_OVER_MS_MAX);
    assert.deepEqual(
      living.map(({ ownership }) => ownership.standsBy()),
      living.map(() => false),
    );
  });

  it('a process that cannot look does not say that it stands by', async () => {
    const { workers, turns } = group(PARTITIONS + 1);
    await turns(workers, RENEW_MS * 3);
    const idle = workers.find(({ ownership }) => ownership.standsBy());
    assert.ok(idle);
    idle.storeIsAway = true;
    await idle.ownership.turn();
    assert.equal(idle.ownership.standsBy(), false);
  });

  for (const which of ['first', 'second'] as const) {
    it(`the partitions of the ${which} process are taken over when it dies, once its lease is over`, async () => {
      const { workers, turns } = group(2);
      await turns(workers, RENEW_MS * 4);
      const [dead, heir] = (which === 'first' ? workers : workers.toReversed()) as [Worker, Worker];
      assert.ok(dead.partitions.length > 0);
      await turns([heir], LEASE_MS - RENEW_MS);
      assertAllWorkedOn(workers);
      await turns([heir], TAKE_OVER_MS_MAX - LEASE_MS);
      assertAllWorkedOn([heir]);
      const listed = await documents.range(LeasedPartitions.workers, {
        ...keysUnder(PROJECTION_NAME),
        limit: 9,
      });
      assert.equal(listed.length, 1, 'and it is listed no more');
    });
  }

  it('a process that stops while the store is away works on nothing any more', async () => {
    const { workers, turns } = group(1);
    const [worker] = workers as [Worker];
    await turns(workers, RENEW_MS);
    worker.storeIsAway = true;
    await worker.ownership.stop();
    assert.deepEqual(worker.partitions, []);
  });

  it('a process takes turns by itself until its end, and gives back what the last one took', async context => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const { workers, turns } = group(2);
    const [worker, other] = workers as [Worker, Worker];
    worker.ownership.start(() => undefined);
    await worker.ownership.stop();
    await turns([other], RENEW_MS);
    assertAllWorkedOn([other]);
    await other.ownership.stop();
    context.mock.timers.tick(RENEW_MS);
    for (let count = 0; count < 100; count++) await turn();
    assert.deepEqual(worker.partitions, []);
  });

  it('a process loses no partition whose term it begins while it renews its leases', async context => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    let isHeld = false;
    let renewing = (): void => undefined;
    let release = (): void => undefined;
    const held = new Promise<void>(resolve => (renewing = resolve));
    const released = new Promise<void>(resolve => (release = resolve));
    const store = doubled(documents, async (method, real) => {
      if (method === 'replace' && isHeld) {
        renewing();
        await released;
      }
      return real();
    });
    const ownership = new LeasedPartitions(store, 'w0', SILENT);
    let changes = 0;
    await new Promise<void>(taken => {
      ownership.start(() => {
        changes += 1;
        taken();
      });
    });
    isHeld = true;
    context.mock.timers.tick(RENEW_MS);
    await held;
    isHeld = false;
    const term = ownership.beginTerm(0, 0);
    for (let count = 0; count < 100; count++) await turn();
    release();
    assert.notEqual(await term, null);
    await ownership.stop();
    assert.equal(changes, 1);
  });

  it('a process that was paused past its lease learns at its first turn what it lost', async () => {
    const { workers, turns } = group(2);
    await turns(workers, RENEW_MS * 4);
    const [paused, heir] = workers as [Worker, Worker];
    await turns([heir], TAKE_OVER_MS_MAX);
    assert.ok(paused.partitions.length > 0, 'it still believes in what it had');
    const { changes } = paused;
    await paused.ownership.turn();
    assertNobodyShares(workers);
    assert.equal(paused.changes, changes + 1, 'and was told');
    await turns(workers, RENEW_MS * 3);
    assertAllWorkedOn(workers);
    assert.ok(paused.partitions.length > 0, 'it has a share again');
  });

  it('a process that loses partitions and takes them again in one turn is told', async () => {
    const { workers, turns } = group(2);
    await turns(workers.slice(0, 1), RENEW_MS);
    const [paused, heir] = workers as [Worker, Worker];
    await turns([heir], TAKE_OVER_MS_MAX);
    await heir.ownership.stop();
    const { changes, partitions } = paused;
    await paused.ownership.turn();
    assert.deepEqual(paused.partitions, partitions);
    assert.equal(paused.changes, changes + 1);
  });

  it('a term is beyond every former one of its partition, and none begins where the partition is lost', async () => {
    const { workers, turns } = group(2);
    await turns(workers.slice(0, 1), RENEW_MS);
    const [paused, heir] = workers as [Worker, Worker];
    const first = (await paused.ownership.beginTerm(3, 0))!;
    const second = (await paused.ownership.beginTerm(3, first + 100))!;
    assert.ok(second > first + 100);
    await turns([paused], RENEW_MS);
    assertAllWorkedOn([paused]);
    await turns([heir], TAKE_OVER_MS_MAX);
    assert.ok((await heir.ownership.beginTerm(3, 0))! > second);
    assert.equal(await paused.ownership.beginTerm(3, 0), null);
    assert.ok(!paused.partitions.includes(3));
  });

  it('what a process gives back is taken at the next turn', async () => {
    const { workers, turns } = group(2);
    await turns(workers, RENEW_MS * 4);
    const [leaving, staying] = workers as [Worker, Worker];
    await leaving.ownership.stop();
    assert.deepEqual(leaving.partitions, []);
    await turns([staying], RENEW_MS);
    assertAllWorkedOn([staying]);
  });

  it('a process that cannot reach the store stops working when its lease is over', async () => {
    const { workers, turns } = group(1);
    const [worker] = workers as [Worker];
    await turns(workers, RENEW_MS);
    worker.storeIsAway = true;
    await turns(workers, LEASE_MS - RENEW_MS);
    assert.equal(worker.partitions.length, PARTITIONS, 'a short absence changes nothing');
    await turns(workers, RENEW_MS * 2);
    assert.deepEqual([worker.partitions, worker.changes], [[], 2]);
    assert.equal(worker.complaints, 1, 'one absence is told once');
    worker.storeIsAway = false;
    await turns(workers, RENEW_MS);
    assertAllWorkedOn(workers);
    worker.storeIsAway = true;
    await turns(workers, RENEW_MS);
    assert.equal(worker.complaints, 2, 'and the next one again');
  });

  it('groups of processes do not know each other', async () => {
    const [one, other] = [group(1), group(1)];
    await one.turns(one.workers, RENEW_MS);
    await other.turns(other.workers, RENEW_MS);
    assertAllWorkedOn(one.workers);
    assertAllWorkedOn(other.workers);
  });
});
