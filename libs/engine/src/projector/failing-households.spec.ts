import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { Documents } from '#storage/documents/documents';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import {
  createMonth,
  envelope,
  freshId,
  HOUSEHOLD,
  workplace,
  SILENT,
  type Workplace,
} from '../households/streams.scenario.js';
import { doubled, expenses, fragileStreams, recordAndDie, recordExpense } from './failing.scenario.js';
import { FailingHouseholds, RETRY_FIRST_MS, StoredFailures } from './failing-households.js';
import { SEE_LOG } from '../households/store-failures.js';
import { UnknownEvent } from '#ledger/event-codec';
import { ProjectionHost } from './projection-host.js';
import { until } from '../../../../test/until.js';

describe(FailingHouseholds.name, () => {
  let place: Workplace;

  beforeEach(async () => {
    place = await workplace();
    await place.documents.ensure([ProjectionHost.checkpoints, ProjectionHost.failures]);
  });
  afterEach(() => place.close());

  async function storedHouseholds(): Promise<string[]> {
    const stored = await new StoredFailures(place.documents).first(100);
    return stored.map(({ householdId }) => householdId);
  }

  describe('while a stored failure is removed', () => {
    let host: ProjectionHost;
    let isBroken: boolean;
    let removals: { asked: number; done: number };
    let release: () => void;

    /** Holds the removals of stored failures until they are let go. */
    function heldRemovals(): Documents {
      const released = new Promise<void>(resolve => (release = resolve));
      removals = { asked: 0, done: 0 };
      return doubled(place.documents, async (method, real) => {
        if (method !== 'remove') return real();
        removals.asked += 1;
        await released;
        const removed = await real();
        removals.done += 1;
        return removed;
      });
    }

    beforeEach(async () => {
      await recordExpense(place);
      isBroken = true;
      const streams = fragileStreams(place, () => isBroken);
      host = new ProjectionHost(place.store, heldRemovals(), streams, { log: SILENT });
      host.start();
      await until(() => host.isCaughtUp());
      assert.deepEqual(await storedHouseholds(), [HOUSEHOLD]);
      isBroken = false;
      await until(() => removals.asked === 1);
    });
    afterEach(async () => {
      release();
      await host.stop();
    });

    it('an event that comes then is applied before the checkpoint passes it', async () => {
      const position = await recordAndDie(place);
      await until(() => host.status().position === position);
      release();
      await until(() => removals.done === 1 && host.status().failing.length === 0);
      assert.equal(await expenses(place), 2);
      assert.deepEqual(await storedHouseholds(), []);
    });

    it('a failure that comes back then stays stored until it goes', async () => {
      isBroken = true;
      const position = await recordAndDie(place);
      await until(() => host.status().position === position);
      release();
      await until(() => removals.done === 1);
      assert.deepEqual(await storedHouseholds(), [HOUSEHOLD]);
      assert.deepEqual(
        host.status().failing.map(({ householdId }) => householdId),
        [HOUSEHOLD],
      );
      isBroken = false;
      await until(() => host.status().failing.length === 0 && removals.done === 2);
      assert.equal(await expenses(place), 2);
      assert.deepEqual(await storedHouseholds(), []);
    });
  });

  it('tells in public and in the log why a household stops, but not what its users wrote', async () => {
    let logged = '';
    const log = { ...SILENT, error: (fields: object) => (logged += JSON.stringify(fields)) };
    const broken = {
      forget: () => undefined,
      catchUp: () => Promise.reject(new TypeError('Dr. Miller again')),
    };
    const failing = new FailingHouseholds(place.documents, broken, log);
    await failing.resume(() => true);
    await failing.add(HOUSEHOLD, 5, new UnknownEvent('E1', 'ItemSung', 3));
    const [first] = failing.list();
    assert.match(first!.error, /^event E1 of type ItemSung has schema version 3/);
    await until(() => failing.list()[0]!.error !== first!.error);
    failing.stop();
    assert.equal(failing.list()[0]!.error, SEE_LOG);
    await failing.add(HOUSEHOLD, 6, new Error('Dr. Miller'));
    assert.match(logged, /ItemSung.*TypeError\\n.*Error\\n/);
    assert.doesNotMatch(
      logged + JSON.stringify(await new StoredFailures(place.documents).first(9)),
      /Miller/,
    );
  });

  it('an event that was left out is applied before a household is projected again', async () => {
    const streams = place.instance();
    await streams.execute(HOUSEHOLD, createMonth('2026-01'), envelope());
    let tries = 0;
    const behind = {
      forget: () => undefined,
      // The stream can be read up to what was delivered at the second try only.
      catchUp: async () => ({ ...(await streams.catchUp(HOUSEHOLD)), revision: (tries += 1) === 1 ? 5 : 7 }),
    };
    const failing = new FailingHouseholds(place.documents, behind, SILENT);
    await failing.resume(() => true);
    await failing.add(HOUSEHOLD, 5, new Error('no such event'));
    assert.ok(failing.leavesOut(HOUSEHOLD, 7));
    await until(() => !failing.leavesOut(HOUSEHOLD, 7));
    assert.equal(tries, 2);
    failing.stop();
  });

  describe('that become those of another process', () => {
    const households = Array.from({ length: 5 }, freshId);
    let tried: string[];
    let release: () => void;
    let failing: FailingHouseholds;

    /** Streams that are as long as wanted once they are let go. */
    function heldStreams(outcome: () => Promise<Household>) {
      const released = new Promise<void>(resolve => (release = resolve));
      tried = [];
      return {
        forget: () => undefined,
        catchUp: async (householdId: string): Promise<Household> => {
          tried.push(householdId);
          await released;
          return outcome();
        },
      };
    }

    async function begin(outcome: () => Promise<Household>): Promise<void> {
      failing = new FailingHouseholds(place.documents, heldStreams(outcome), SILENT);
      await failing.resume(() => true);
      for (const householdId of households) await failing.add(householdId, 5, new Error('no such event'));
    }

    async function turns(): Promise<void> {
      for (let count = 0; count < 100; count++) await turn();
    }

    for (const [how, outcome] of [
      ['can be applied', async () => ({ ...NO_HOUSEHOLD, revision: 5 })],
      ['cannot be applied', () => Promise.reject(new Error('no such event'))],
    ] as const) {
      it(`are left to it, also where one is just tried and ${how}`, async context => {
        let now = 0;
        context.mock.method(performance, 'now', () => now);
        await begin(outcome);
        now = RETRY_FIRST_MS;
        await until(() => tried.length > 0);
        await failing.resume(() => false);
        assert.deepEqual([failing.list(), failing.leavesOut(households[0]!, 6)], [[], false]);
        release();
        await turns();
        failing.stop();
        assert.equal(tried.length, 4, 'as many as are tried at once');
        assert.deepEqual(await storedHouseholds(), households);
        assert.deepEqual(failing.list(), []);
      });
    }
  });

  it('are tried no more after the end', async context => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    let tries = 0;
    const broken = { forget: () => undefined, catchUp: () => Promise.reject(new Error(`${(tries += 1)}`)) };
    const failing = new FailingHouseholds(place.documents, broken, SILENT);
    await failing.resume(() => true);
    await failing.add(HOUSEHOLD, 5, new Error('no such event'));
    failing.stop();
    await failing.add(freshId(), 5, new Error('no such event'));
    context.mock.method(performance, 'now', () => Number.MAX_SAFE_INTEGER);
    context.mock.timers.tick(RETRY_FIRST_MS);
    assert.equal(tries, 0);
  });

  it('are tried after a wait that is longer each time, and read anew each time', async context => {
    let now = 0;
    context.mock.method(performance, 'now', () => now);
    context.mock.timers.enable({ apis: ['setInterval'] });
    const calls: string[] = [];
    const logged: unknown[] = [];
    const error = new Error('no such event');
    const broken = {
      forget: () => void calls.push('forget'),
      catchUp: () => {
        calls.push('catch up');
        return Promise.reject(error);
      },
    };
    const log = { ...SILENT, error: (...told: unknown[]) => logged.push(told) };
    const failing = new FailingHouseholds(place.documents, broken, log);
    await failing.resume(() => true);
    await failing.add(HOUSEHOLD, 5, error);
    for (const wait of [1, 2, 4, 8, 16, 32, 60, 60].map(times => times * RETRY_FIRST_MS)) {
      calls.length = 0;
      for (const [ms, expected] of [
        [wait - 1, []],
        [1, ['forget', 'catch up']],
      ] as const) {
        now += ms;
        context.mock.timers.tick(RETRY_FIRST_MS);
        for (let turns = 0; turns < 20; turns++) await turn();
        assert.deepEqual(calls, expected);
      }
    }
    failing.stop();
    assert.equal(logged.length, 1, 'for one reason');
  });

  it('keep of a failure since when it is, and how far it goes', async () => {
    const stored = new StoredFailures(place.documents);
    const since = '2026-01-15T12:00:00.000Z';
    const first = { householdId: HOUSEHOLD, revision: 1, error: 'no such event', since, upTo: 7 };
    const key = StoredFailures.keyOf(HOUSEHOLD);
    await place.documents.put(StoredFailures.collection, [{ key, ...first }]);
    const later = await stored.put(HOUSEHOLD, 5, new UnknownEvent('E1', 'ItemSung', 3));
    assert.deepEqual([later.since, later.upTo], [since, 7]);
    assert.ok(later.revision > first.revision);
    assert.deepEqual(await stored.remove(first), later, 'the later one stays');
    assert.equal(await stored.remove(later), null);
    const long = await stored.put(HOUSEHOLD, 7, new UnknownEvent('E1', 'x'.repeat(9_000), 3));
    assert.ok(long.error.length < 1_000);
  });

  describe('when very many fail', () => {
    const STORED = 15_000;

    function ids(count: number): string[] {
      return Array.from({ length: count }, freshId);
    }

    /** As another process stored them. */
    async function store(households: readonly string[]): Promise<void> {
      const failure = { revision: 1, error: 'no such event', since: '2026-01-15T12:00:00.000Z' };
      const failures = households.map(id => ({ key: StoredFailures.keyOf(id), ...failure }));
      await place.documents.put(StoredFailures.collection, failures);
    }

    /** Streams that fail until they are mended, and count. */
    class MendedStreams {
      isMended = false;
      readonly tried = new Map<string, number>();
      atOnce = 0;
      atOnceMax = 0;

      readonly forget = (): void => undefined;

      readonly catchUp = async (householdId: string): Promise<Household> => {
        this.atOnce += 1;
        this.atOnceMax = Math.max(this.atOnceMax, this.atOnce);
        this.tried.set(householdId, (this.tried.get(householdId) ?? 0) + 1);
        await pause(1);
        this.atOnce -= 1;
        if (!this.isMended) throw new Error('no such event');
        return NO_HOUSEHOLD;
      };
    }

    it('those of this process are found behind all those of others', async () => {
      const households = ids(STORED);
      await store(households);
      const ours = new Set(households.slice(-3_000));
      const failing = new FailingHouseholds(place.documents, new MendedStreams(), SILENT);
      await failing.resume(householdId => ours.has(householdId));
      failing.stop();
      assert.deepEqual(new Set(failing.list().map(({ householdId }) => householdId)), ours);
    });

    it('few at once are tried again, and those of others are not', async () => {
      const [households, others] = [ids(20), ids(20)];
      await store([...households, ...others]);
      const streams = new MendedStreams();
      const failing = new FailingHouseholds(place.documents, streams, SILENT);
      await failing.resume(householdId => !others.includes(householdId));
      await until(() => households.every(householdId => streams.tried.get(householdId)! > 1));
      assert.equal(failing.list().length, households.length);
      streams.isMended = true;
      await until(async () => (await storedHouseholds()).length <= others.length);
      failing.stop();
      assert.deepEqual([failing.list(), await storedHouseholds()], [[], others]);
      assert.ok(others.every(householdId => !streams.tried.has(householdId)));
      assert.ok(streams.atOnceMax <= 4, `${streams.atOnceMax} at once`);
    });
  });
});
