import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DocumentsUnavailable, type Documents } from '#documents/documents';
import { STREAM_PREFIX } from '#streams/event-chain';
import { HouseholdStreams } from '#streams/household-streams';
import {
  createMonth,
  envelope,
  expense,
  freshId,
  HOUSEHOLD,
  MODELS,
  workplace,
  type Workplace,
} from '#streams/streams.scenario';
import type { BackgroundLog } from './background-log.js';
import { FailingHouseholds } from './failing-households.js';
import { ProjectionHost } from './projection-host.js';
import { StoredFailures } from './stored-failures.js';

const SILENT: BackgroundLog = { info: () => undefined, error: () => undefined };
const NAME = 'test';
const WRITES: ReadonlySet<string | symbol> = new Set(['put', 'putAll', 'insert', 'replace', 'remove']);

type Streams = ConstructorParameters<typeof ProjectionHost>[2];

/** Documents of which some calls are made otherwise. */
function doubled(
  documents: Documents,
  call: (method: string | symbol, real: () => Promise<unknown>) => Promise<unknown>,
): Documents {
  return new Proxy(documents, {
    get: (target, method) => {
      const value: unknown = Reflect.get(target, method, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown =>
        call(method, async () => Reflect.apply(value, target, args) as unknown);
    },
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(1);
}

describe(FailingHouseholds.name, { timeout: 60_000 }, () => {
  let place: Workplace;

  beforeEach(async () => {
    place = await workplace();
    await place.documents.ensure([ProjectionHost.checkpoints, ProjectionHost.failures]);
  });
  afterEach(() => place.close());

  async function storedHouseholds(): Promise<string[]> {
    const stored = await new StoredFailures(place.documents, NAME).first(100);
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

    /** Streams that cannot be folded while they are broken. */
    function fragileStreams(): Streams {
      const streams = place.instance();
      const unlessBroken = <T>(work: () => Promise<T>): Promise<T> =>
        isBroken ? Promise.reject(new Error('no such event')) : work();
      return {
        reflects: (...args) => streams.reflects(...args),
        forget: (...args) => streams.forget(...args),
        observe: (...args) => unlessBroken(() => streams.observe(...args)),
        advance: (...args) => unlessBroken(() => streams.advance(...args)),
        catchUp: (...args) => unlessBroken(() => streams.catchUp(...args)),
      };
    }

    /** A process records an expense and dies before it writes the read models. */
    async function recordAndDie(): Promise<string> {
      const dying = doubled(place.documents, (method, real) =>
        WRITES.has(method) ? Promise.reject(new DocumentsUnavailable('dead')) : real(),
      );
      const streams = new HouseholdStreams(place.store, dying, MODELS);
      await assert.rejects(streams.execute(HOUSEHOLD, expense(freshId()), envelope()), DocumentsUnavailable);
      return (await place.store.head(STREAM_PREFIX))!;
    }

    async function expenses(): Promise<number | undefined> {
      return (await place.documents.get(MODELS.untrackedCounts, HOUSEHOLD))?.count;
    }

    beforeEach(async () => {
      const streams = place.instance();
      await streams.execute(HOUSEHOLD, createMonth('2026-01'), envelope());
      await streams.execute(HOUSEHOLD, expense(freshId()), envelope());
      await streams.settle();
      isBroken = true;
      host = new ProjectionHost(place.store, heldRemovals(), fragileStreams(), SILENT, NAME);
      host.start();
      await host.whenCaughtUp();
      assert.deepEqual(await storedHouseholds(), [HOUSEHOLD]);
      isBroken = false;
      await until(() => removals.asked === 1);
    });
    afterEach(async () => {
      release();
      await host.stop();
    });

    it('an event that comes then is applied before the checkpoint passes it', async () => {
      const position = await recordAndDie();
      await until(() => host.status().position === position);
      release();
      await until(() => removals.done === 1 && host.status().failing.length === 0);
      assert.equal(await expenses(), 2);
      assert.deepEqual(await storedHouseholds(), []);
    });

    it('a failure that comes back then stays stored until it goes', async () => {
      isBroken = true;
      const position = await recordAndDie();
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
      assert.equal(await expenses(), 2);
      assert.deepEqual(await storedHouseholds(), []);
    });
  });

  it('an event that was left out is applied before a household is projected again', async () => {
    const streams = place.instance();
    await streams.execute(HOUSEHOLD, createMonth('2026-01'), envelope());
    let tries = 0;
    const behind = {
      forget: () => undefined,
      // The stream can be read up to what was delivered at the second try only.
      catchUp: async () => ({ ...(await streams.load(HOUSEHOLD)), revision: (tries += 1) === 1 ? 5 : 7 }),
    };
    const failing = new FailingHouseholds(place.documents, behind, SILENT, NAME);
    await failing.resume(() => true);
    await failing.add(HOUSEHOLD, 5, new Error('no such event'));
    assert.ok(failing.leavesOut(HOUSEHOLD, 7));
    await until(() => !failing.leavesOut(HOUSEHOLD, 7));
    assert.equal(tries, 2);
    failing.stop();
  });
});
