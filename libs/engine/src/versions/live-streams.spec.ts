import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DocumentsUnavailable, type Documents, type Write } from '#storage/documents/documents';
import { toApiError } from '#http/error-filter';
import { collectionsOf, readModelsOf } from '../households/read-models.js';
import {
  createMonth,
  envelope,
  expense,
  freshId,
  SILENT,
  workplace,
  type Workplace,
  LiveCommandStreams,
} from '../households/streams.scenario.js';
import {
  changeActiveVersion,
  FIRST_ACTIVE_VERSION,
  ACTIVE_VERSION,
  readActiveVersion,
  type ActiveVersion,
  type VersionChange,
  BESIDE_FAILURES,
  HEARTBEAT_LAPSES_MS,
  HEARTBEATS,
  processesBehind,
} from './active-version.js';
import {
  type LiveStreamsOptions,
  ReadModelsUnconfirmed,
  UNCONFIRMED_MS,
  VersionWatch,
} from './live-streams.js';
import { StandingDocuments } from '../households/standing-documents.js';

const LIVE = readModelsOf(1);
const NEXT = readModelsOf(2);
const BESIDE = { version: NEXT.version, complete: true };

describe('live streams', () => {
  let place: Workplace;
  before(async () => {
    place = await workplace();
    await place.documents.ensure([...collectionsOf(NEXT), ACTIVE_VERSION, HEARTBEATS, BESIDE_FAILURES]);
  });
  after(() => place.close());

  /** A process, alone or among others. */
  async function acting(
    documents: Documents = place.documents,
    shared = false,
    now?: () => number,
    options?: LiveStreamsOptions,
  ) {
    const owner = freshId();
    const watch = new VersionWatch(documents, { owner, shared, log: SILENT, ...(now && { now }) });
    const streams = new LiveCommandStreams(place.store, documents, watch, options);
    await streams.start();
    return { watch, streams, owner };
  }

  async function announce(beside: ActiveVersion['beside'], change: VersionChange = {}): Promise<number> {
    const pointer = await readActiveVersion(place.documents);
    const next = { ...FIRST_ACTIVE_VERSION, beside, ...change };
    return (await changeActiveVersion(place.documents, pointer, next))!.revision;
  }

  async function countOf(models: typeof LIVE, household: string): Promise<number | undefined> {
    return (await place.documents.get(models.untrackedCounts, household))?.count;
  }

  it('write a complete version beside the active one before they respond, with all that was before', async () => {
    const household = freshId();
    await announce(null);
    const { streams, watch } = await acting();
    await streams.execute(household, expense(freshId()), envelope());
    await announce(BESIDE);
    await watch.look();
    await streams.execute(household, expense(freshId()), envelope());
    assert.deepEqual([await countOf(LIVE, household), await countOf(NEXT, household)], [2, 2]);
  });

  it('leave a version that is not complete to the replay', async () => {
    const household = freshId();
    await announce({ ...BESIDE, complete: false });
    const { streams } = await acting();
    await streams.execute(household, expense(freshId()), envelope());
    assert.equal(await countOf(NEXT, household), undefined);
  });

  it('write beside what others left, also where the command itself is refused', async () => {
    const household = freshId();
    await announce(BESIDE);
    const { streams } = await acting();
    await place.instance().execute(household, expense(freshId()), envelope());
    const refused = streams.execute(household, expense(freshId()), envelope(), { precondition: () => false });
    await assert.rejects(refused, { code: 'precondition_failed' });
    assert.equal(await countOf(NEXT, household), 1);
  });

  it('hold in memory what is used of every set, and forget it in each', async () => {
    const household = freshId();
    await announce(null);
    const { streams, watch } = await acting();
    await streams.execute(household, createMonth('2026-01'), envelope());
    const { households, bytes } = streams.cacheSize();
    assert.equal(households, 1);
    await announce(BESIDE);
    await watch.look();
    await streams.catchUp(household);
    assert.deepEqual(streams.cacheSize(), { households: 2, bytes: 2 * bytes });
    await announce(null, { active: NEXT.version });
    await watch.look();
    await streams.catchUp(household);
    assert.deepEqual(streams.cacheSize(), { households: 1, bytes });
    await announce(BESIDE);
    await watch.look();
    await streams.catchUp(household);
    streams.forget(household);
    assert.deepEqual(streams.cacheSize(), { households: 0, bytes: 0 });
  });

  it('ask no store for a household that they know', async context => {
    const household = freshId();
    await announce(null);
    const { streams } = await acting();
    const { household: known } = await streams.execute(household, expense(freshId()), envelope());
    const read = context.mock.method(place.store, 'readStream').mock;
    assert.equal(await streams.catchUp(household, 0), known);
    assert.equal(read.callCount(), 0);
    await streams.catchUp(household, 1);
    assert.notEqual(read.callCount(), 0);
  });

  it('write the heads at the end, and end without them where they cannot be written', async () => {
    const household = freshId();
    await announce(null);
    for (const [fails, head] of [
      [true, undefined],
      [false, 1],
    ] as const) {
      const failing = failingFor(place.documents, LIVE.heads.name, new DocumentsUnavailable('down'));
      const { streams } = await acting(failing.documents);
      await streams.execute(household, expense(freshId()), envelope());
      failing.fails = fails;
      await streams.stop();
      assert.equal((await place.documents.get(LIVE.heads, household))?.revision, head);
    }
  });

  it('answer 503 when the set beside cannot be written, and write it with the next call', async () => {
    const household = freshId();
    await announce(BESIDE);
    const failing = failingFor(place.documents, '_g2', new DocumentsUnavailable('down'));
    const { streams } = await acting(failing.documents);
    const id = freshId();
    failing.fails = true;
    await assert.rejects(streams.execute(household, expense(id), envelope()), DocumentsUnavailable);
    assert.equal(await countOf(LIVE, household), 1);
    failing.fails = false;
    const again = await streams.execute(household, expense(id), envelope());
    assert.ok(again.replayed);
    assert.equal(await countOf(NEXT, household), 1);
  });

  it('say why a command is refused, also when the set beside cannot be written', async () => {
    const household = freshId();
    await announce(BESIDE);
    const failing = failingFor(place.documents, '_g2', new DocumentsUnavailable('down'));
    const { streams } = await acting(failing.documents);
    failing.fails = true;
    await assert.rejects(streams.execute(household, expense(freshId()), envelope()), DocumentsUnavailable);
    const refused = streams.execute(household, expense(freshId()), envelope(), { precondition: () => false });
    await assert.rejects(refused, { code: 'precondition_failed' });
  });

  it('fail no command for what the set beside alone cannot take, and note it', async () => {
    const household = freshId();
    await announce(BESIDE);
    const failing = failingFor(place.documents, '_g2', new RangeError('not in this set'));
    const told: unknown[] = [];
    const { streams } = await acting(failing.documents, false, undefined, {
      onBesideFailure: (...failure) => told.push(failure),
    });
    failing.fails = true;
    await streams.execute(household, expense(freshId()), envelope());
    assert.deepEqual(told, [[household, new RangeError('not in this set')]]);
    assert.ok(await place.documents.get(BESIDE_FAILURES, household));
  });

  it('note a failure anew after one that a clock ahead of this one noted', async () => {
    const household = freshId();
    await announce(BESIDE);
    const earlier = { key: household, revision: Date.now() + 3_600_000 };
    await place.documents.put(BESIDE_FAILURES, [earlier]);
    const failing = failingFor(place.documents, '_g2', new RangeError('not in this set'));
    const { streams } = await acting(failing.documents);
    failing.fails = true;
    await streams.execute(household, expense(freshId()), envelope());
    assert.equal(await place.documents.remove(BESIDE_FAILURES, household, earlier.revision), false);
  });

  it('finish on the set that became live what began on the one before', async () => {
    const household = freshId();
    await announce({ ...BESIDE, complete: true });
    const slow = slowFor(place.documents, '_g1');
    const { streams, watch } = await acting(slow.documents);
    await streams.execute(household, createMonth('2026-01'), envelope());
    slow.hold();
    const running = streams.execute(household, expense(freshId()), envelope());
    await slow.held();
    const pointer = await readActiveVersion(place.documents);
    const switched = { active: NEXT.version, beside: null };
    const { revision } = (await changeActiveVersion(place.documents, pointer, switched))!;
    await watch.look();
    assert.ok(watch.actedRevision() < revision, 'work that began before is under way');
    slow.release();
    await running;
    assert.equal(watch.actedRevision(), revision);
    assert.equal(await countOf(NEXT, household), 1);
  });

  it('serve nothing once they could not look for long enough, and are not waited for after that', async () => {
    const household = freshId();
    await announce(null);
    let time = 0;
    const { streams, watch, owner } = await acting(place.documents, true, () => time);
    await streams.execute(household, expense(freshId()), envelope());
    const standing = new StandingDocuments(HEARTBEAT_LAPSES_MS, () => time);
    const behind = (revision: number) => processesBehind(place.documents, revision, standing);
    const revision = await announce(BESIDE);
    assert.ok((await behind(revision)).includes(owner));
    time += UNCONFIRMED_MS + 1;
    assert.ok((await behind(revision)).includes(owner), 'it may still answer');
    assert.throws(() => streams.models, ReadModelsUnconfirmed);
    assert.equal(toApiError(await streams.catchUp(household).catch((error: unknown) => error)).status, 503);
    time = HEARTBEAT_LAPSES_MS + 1;
    assert.deepEqual(await behind(revision), []);
    await watch.look();
    assert.equal(watch.current().revision, revision);
    assert.deepEqual(await behind(revision), []);
    await streams.stop();
  });
});

/** Documents whose writes to some collections fail while `fails`. */
function failingFor(documents: Documents, suffix: string, error: Error) {
  const failing = { fails: false, documents };
  failing.documents = withPuts(documents, async (writes, put) => {
    if (failing.fails && writes.some(({ collection }) => collection.name.endsWith(suffix))) throw error;
    await put();
  });
  return failing;
}

/** Documents whose writes to some collections wait while they are held. */
function slowFor(documents: Documents, suffix: string) {
  let gate = Promise.resolve();
  let open: () => void = () => undefined;
  let arrived: () => void = () => undefined;
  let holding = Promise.resolve();
  return {
    documents: withPuts(documents, async (writes, put) => {
      if (writes.some(({ collection }) => collection.name.endsWith(suffix))) {
        arrived();
        await gate;
      }
      await put();
    }),
    hold: () => {
      gate = new Promise(resolve => (open = resolve));
      holding = new Promise(resolve => (arrived = resolve));
    },
    held: () => holding,
    release: () => open(),
  };
}

function withPuts(
  documents: Documents,
  putAll: (writes: readonly Write[], put: () => Promise<void>) => Promise<void>,
): Documents {
  return new Proxy(documents, {
    get(target, name) {
      if (name === 'putAll') {
        return (writes: readonly Write[]) => putAll(writes, () => target.putAll(writes));
      }
      if (name === 'put') {
        return (...[collection, documents]: Parameters<Documents['put']>) =>
          putAll([{ collection, documents }], () => target.put(collection, documents));
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
