import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import {
  createMonth,
  envelope,
  expense,
  freshId,
  HOUSEHOLD,
  MODELS,
  SILENT,
  workplace,
  type Workplace,
} from '../households/streams.scenario.js';
import { until } from '../../../../test/until.js';
import { PROJECTION_COLLECTIONS } from '../projector/projection-collections.js';
import { findingsIn, VERIFICATION_KEY, VERIFICATIONS, VerificationHost } from './verification-host.js';

const DAY_MS = 86_400_000;
const LOOK_MS = 5;
/** In which a host looks more often than it has to before it shows that it does nothing. */
const MANY_LOOKS_MS = 20 * LOOK_MS;

describe('verifying in the background', () => {
  let place: Workplace;
  let hosts: VerificationHost[];
  let wrongMemberships: { readonly householdId: string }[];
  let now: number;
  let elapsed: number;
  /** How often the log was read from its beginning. */
  let begun: number;

  beforeEach(async () => {
    place = await workplace();
    await place.documents.ensure(PROJECTION_COLLECTIONS);
    const streams = place.instance();
    await streams.execute(HOUSEHOLD, createMonth('2026-01'), envelope());
    await streams.execute(HOUSEHOLD, expense(freshId()), envelope());
    await streams.settle();
    hosts = [];
    wrongMemberships = [];
    now = Date.now();
    elapsed = 0;
    begun = 0;
  });
  afterEach(async () => {
    await Promise.all(hosts.map(host => host.stop()));
    await place.close();
  });

  interface Doubles {
    readonly isCaughtUp?: () => boolean;
    readonly documents?: Documents;
    readonly store?: EventStore;
    readonly errors?: string[];
  }

  function host(owner: string, doubles: Doubles = {}): VerificationHost {
    const store = Object.create(doubles.store ?? place.store) as EventStore;
    store.readAll = range => {
      begun += 1;
      return (doubles.store ?? place.store).readAll(range);
    };
    const { documents = place.documents, isCaughtUp = () => true, errors = [] } = doubles;
    const log = { ...SILENT, error: (_: object, message: string) => void errors.push(message) };
    const times = { now: () => now, elapsed: () => elapsed };
    const options = { owner, everyMs: 7 * DAY_MS, lookMs: LOOK_MS, confirmedAfterMs: 0, ...times };
    const found = async function* () {
      yield [];
      yield wrongMemberships;
    };
    const made = new VerificationHost(
      { store, documents, log, isCaughtUp, membershipFindings: found },
      options,
    );
    hosts.push(made);
    made.start();
    return made;
  }

  async function damageMonth(): Promise<() => Promise<void>> {
    const key = `${HOUSEHOLD}|2026-01`;
    const month = (await place.documents.get(MODELS.months, key))!;
    const put = async (document: typeof month): Promise<void> => {
      await place.documents.remove(MODELS.months, key);
      await place.documents.insert(MODELS.months, document);
    };
    await put({ ...month, month: '2026-02' });
    return () => put(month);
  }

  it('notes when it ended and that all is well, and begins again when that is due', async () => {
    const verifying = host('a');
    await until(() => verifying.last !== null);
    const { endedAt, households, events, documents, findings } = verifying.last!;
    assert.deepEqual([endedAt, households, events], [new Date(now).toISOString(), 1, 2]);
    assert.ok(documents > 2);
    assert.equal(findingsIn(findings), 0);
    await pause(MANY_LOOKS_MS);
    assert.equal(begun, 1);
    now += 7 * DAY_MS;
    await until(() => verifying.last!.endedAt === new Date(now).toISOString());
    assert.equal(begun, 2);
  });

  it('goes by the end that another process noted', async () => {
    const first = host('a');
    await until(() => first.last !== null);
    await first.stop();
    const second = host('b');
    await until(() => second.last !== null);
    await pause(MANY_LOOKS_MS);
    assert.equal(begun, 1);
  });

  it('counts what it finds, says so in the log, and looks a day later whether it was repaired', async () => {
    const errors: string[] = [];
    const repair = await damageMonth();
    wrongMemberships = [{ householdId: HOUSEHOLD }];
    const verifying = host('a', { errors });
    await until(() => verifying.last !== null);
    assert.deepEqual(verifying.last!.findings, {
      broken_chains: 0,
      unfoldable: 0,
      documents: 1,
      sums: 0,
      memberships: 1,
    });
    assert.deepEqual(errors, ['the verification found faults; see `ledger projections verify`']);
    await repair();
    wrongMemberships = [];
    now += DAY_MS;
    await until(() => findingsIn(verifying.last!.findings) === 0);
  });

  it('looks twice, so that a document on its way is no finding', async () => {
    const errors: string[] = [];
    const repair = await damageMonth();
    const late = Object.create(place.documents) as Documents;
    let looks = 0;
    // What is written while the lease of the first run ends is there for the second one.
    late.replace = async (collection, document, revision) => {
      if (collection.name === 'verifications' && ++looks === 2) await repair();
      return place.documents.replace(collection, document, revision);
    };
    const verifying = host('a', { documents: late, errors });
    await until(() => verifying.last !== null);
    assert.equal(findingsIn(verifying.last!.findings), 0);
    assert.deepEqual([begun, errors], [2, []]);
  });

  it('waits until the projections have caught up', async () => {
    let isCaughtUp = false;
    const verifying = host('a', { isCaughtUp: () => isCaughtUp });
    await pause(MANY_LOOKS_MS);
    assert.equal(begun, 0);
    isCaughtUp = true;
    await until(() => verifying.last !== null);
  });

  it('is done by one process at a time', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>(resolve => (release = resolve));
    const slow = Object.create(place.store) as EventStore;
    slow.readAll = async function* (range) {
      await held;
      yield* place.store.readAll(range);
    };
    const all = ['a', 'b', 'c'].map(owner => host(owner, { store: slow }));
    await until(() => begun === 1);
    await pause(MANY_LOOKS_MS);
    assert.equal(begun, 1);
    release();
    await until(() => all.every(({ last }) => last !== null));
    assert.equal(begun, 1);
  });

  it('is taken over from a process that died', async () => {
    const dead = { key: VERIFICATION_KEY, revision: 5, owner: 'dead', last: null };
    await place.documents.insert(VERIFICATIONS, dead);
    const verifying = host('a');
    await pause(MANY_LOOKS_MS);
    assert.equal(begun, 0);
    elapsed += 10_000;
    await until(() => verifying.last !== null);
  });

  it('rests as long as it works', async () => {
    const workMs = 30;
    const pages = 5;
    const busy = Object.create(place.store) as EventStore;
    busy.readAll = async function* (range) {
      yield* place.store.readAll(range);
      for (let page = 0; page < pages; page++) {
        for (const end = performance.now() + workMs; performance.now() < end;);
        yield [];
      }
    };
    const from = performance.now();
    const verifying = host('a', { store: busy });
    await until(() => verifying.last !== null);
    assert.ok(performance.now() - from >= 2 * pages * workMs);
  });

  it('ends without a result when the process stops, and begins again in the next one', async () => {
    let reads = 0;
    const endless = Object.create(place.store) as EventStore;
    endless.readAll = async function* (range) {
      for await (const page of place.store.readAll(range)) {
        reads += 1;
        yield page;
        await pause(20);
        for (;;) yield [];
      }
    };
    const stopped = host('a', { store: endless });
    await until(() => reads > 0);
    await stopped.stop();
    assert.equal(stopped.last, null);
    const record = await place.documents.get(VERIFICATIONS, VERIFICATION_KEY);
    assert.equal(record?.owner, null);
    const next = host('b');
    await until(() => next.last !== null);
  });
});
