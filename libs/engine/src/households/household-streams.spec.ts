import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { IdempotencyConflict, IdempotencyKeys } from '#storage/documents/idempotency-keys';
import { DocumentsUnavailable, type Documents, type Write } from '#storage/documents/documents';
import {
  EventStoreUnavailable,
  type EventStore,
  type RecordedEvent,
  type StreamRange,
} from '#storage/event-store/event-store';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import type { Command } from '#ledger/commands';
import { decodeEvent } from '#ledger/event-codec';
import { evolve } from '#ledger/events';
import { NO_HOUSEHOLD } from '#ledger/household';
import { Refusal } from '#ledger/refusal';
import { endAt, hashOf, streamOf, timeOf, type Envelope } from './household-stream.js';
import { householdRange } from './bulk-build.js';
import { LogEndsEarly } from './store-failures.js';
import { collectionsOf, readModelsOf } from './read-models.js';
import { SNAPSHOT_EVERY_EVENTS, Snapshots } from './snapshots.js';
import {
  createMonth,
  envelope,
  everyDocument,
  expense,
  freshId,
  HOUSEHOLD,
  MODELS,
  workplace,
  type Workplace,
  CommandStreams,
} from './streams.scenario.js';

/** Waiting by a clock that does not advance never ends. */
const BOUNDED = { timeout: 60_000 };

describe('household streams', () => {
  let place: Workplace;
  before(async () => {
    place = await workplace();
  });
  after(() => place.close());

  it('keeps to what it has applied where others have taken its place in memory', async () => {
    const households = Array.from({ length: 30 }, () => freshId());
    const writer = place.instance();
    for (const household of households) {
      await writer.execute(household, createMonth('2026-01'), envelope());
    }
    const reader = place.instance(1);
    const read = await Promise.all(
      households.map(async household => {
        await writer.execute(household, expense(freshId()), envelope());
        await reader.catchUp(household);
        await writer.execute(household, expense(freshId()), envelope());
        return reader.catchUp(household);
      }),
    );
    assert.deepEqual(
      read.map(({ untracked }) => untracked.count),
      households.map(() => 2),
    );
    assert.equal(reader.cacheSize().households, 1);
  });

  it('records a command, answers from its own events and applies them before answering', async () => {
    const streams = place.instance();
    const household = freshId();
    await streams.execute(household, createMonth('2026-01'), envelope());
    const id = freshId();
    const executed = await streams.execute(household, expense(id), envelope());
    assert.equal(executed.household.untracked.count, 1);
    assert.equal([...executed.transactions.values()][0]?.merchant, 'Bakery');
    const document = await place.documents.get(MODELS.transactions, `${household}|${id}`);
    assert.equal(document?.record.amount, 1_250);
    assert.equal((await place.documents.get(MODELS.untrackedCounts, household))?.count, 1);
  });

  it('records one of many simultaneous posts of one id, also from two instances', async () => {
    const household = freshId();
    const instances = [place.instance(), place.instance()];
    const id = freshId();
    const posts = Array.from({ length: 20 }, (_, i) =>
      instances[i % 2]!.execute(household, expense(id), envelope()),
    );
    const executed = await Promise.all(posts);
    assert.equal(executed.filter(({ events }) => events.length > 0).length, 1);
    assert.equal(executed.filter(({ replayed }) => replayed).length, 19);
    assert.equal((await eventsOf(place.store, household)).length, 1);
  });

  it('never decides on a state that another instance has changed', async () => {
    const household = freshId();
    const [first, second] = [place.instance(), place.instance()];
    await first.execute(household, createMonth('2026-01'), envelope());
    await second.catchUp(household);
    const id = freshId();
    await first.execute(household, expense(id), envelope());
    await first.execute(household, { type: 'DeleteTransaction', id }, envelope());
    // For the second instance the deletion would change nothing, and the month would be new.
    const restored = await second.execute(household, { type: 'RestoreTransaction', id }, envelope());
    assert.equal(restored.events.length, 1);
    await assert.rejects(second.execute(household, createMonth('2026-01'), envelope()), (error: unknown) => {
      return error instanceof Refusal && error.code === 'month_exists';
    });
    const again = await first.execute(household, { type: 'RestoreTransaction', id }, envelope());
    assert.equal(again.events.length, 0);
    assert.equal(again.transactions.get(id)?.deletedAt, null);
  });

  it('waits longer after each lost race, and gives up after ten', BOUNDED, async context => {
    const household = freshId();
    const rival = place.instance();
    await rival.execute(household, createMonth('2026-01'), envelope());
    const outrun = outrunBy(place.store, () => rival.execute(household, expense(freshId()), envelope()));
    const streams = new CommandStreams(outrun.store, place.documents, MODELS);
    await streams.catchUp(household);
    // Drawn right before each wait.
    const drawn = context.mock.method(Math, 'random', () => 0.5).mock;
    context.mock.method(performance, 'now', () => 0);
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const id = freshId();
    const refused = assert.rejects(streams.execute(household, expense(id), envelope()), { code: 'conflict' });
    for (const [race, wait] of [10, 20, 40, 80, 125, 125, 125, 125, 125].entries()) {
      while (drawn.callCount() <= race) await turn();
      context.mock.timers.tick(wait - 1);
      for (let turns = 0; turns < 20; turns++) await turn();
      assert.equal(outrun.races(), race + 1, 'it waits');
      context.mock.timers.tick(1);
    }
    await refused;
    assert.equal(outrun.races(), 10);
    assert.equal((await eventsOf(place.store, household)).length, 11);
    outrun.end();
    const posted = streams.execute(household, expense(id), envelope());
    while (drawn.callCount() < 10) await turn();
    context.mock.timers.tick(10);
    await posted;
  });

  it('loses nothing when the documents fail between the append and the answer', async () => {
    const household = freshId();
    const broken = failingOnce(place.documents);
    const streams = new CommandStreams(place.store, broken.documents, MODELS);
    await streams.execute(household, createMonth('2026-01'), envelope());
    const id = freshId();
    broken.fail();
    await assert.rejects(streams.execute(household, expense(id), envelope()), DocumentsUnavailable);
    assert.equal((await eventsOf(place.store, household)).length, 2);
    assert.equal(await place.documents.get(MODELS.transactions, `${household}|${id}`), null);
    const retried = await streams.execute(household, expense(id), envelope());
    assert.equal(retried.replayed, true);
    assert.equal((await eventsOf(place.store, household)).length, 2);
    assert.ok(await place.documents.get(MODELS.transactions, `${household}|${id}`));
  });

  it('reads a household again of which the documents could not be written', async () => {
    const household = freshId();
    const broken = failingOnce(place.documents);
    const streams = new CommandStreams(place.store, broken.documents, MODELS);
    await streams.catchUp(household);
    broken.fail();
    await assert.rejects(streams.execute(household, expense(freshId()), envelope()), DocumentsUnavailable);
    assert.equal(streams.knownRevision(household), -1);
    assert.equal((await streams.catchUp(household)).untracked.count, 1);
  });

  it('reads on where what others did comes on several pages', async () => {
    const household = freshId();
    const store = Object.create(place.store) as EventStore;
    store.readStream = async function* (stream: string, range?: StreamRange) {
      for await (const page of place.store.readStream(stream, range)) for (const event of page) yield [event];
    };
    const [streams, other] = [new CommandStreams(store, place.documents, MODELS), place.instance()];
    await streams.catchUp(household);
    for (let posts = 0; posts < 3; posts++) await other.execute(household, expense(freshId()), envelope());
    assert.deepEqual(await streams.catchUp(household), await other.catchUp(household));
  });

  it('says of no event that it is reflected before its documents and its key are written', async () => {
    const household = freshId();
    const streams = place.instance();
    const idempotency = { key: 'once', commandHash: 'a' };
    const at = new Date().toISOString();
    for (let posts = 0; posts < 100; posts++) {
      await streams.execute(household, expense(freshId()), envelope({ at, idempotency }));
      await place.documents.removePrefix(IdempotencyKeys.collection, household);
    }
    const models = readModelsOf(2);
    await place.documents.ensure(collectionsOf(models));
    for (const { name } of [models.transactions, IdempotencyKeys.collection]) {
      const late = new CommandStreams(place.store, refusing(place.documents, name), models);
      await assert.rejects(late.catchUp(household), DocumentsUnavailable);
      assert.equal(await place.documents.get(models.heads, household), null, name);
    }
    await new CommandStreams(place.store, place.documents, models).catchUp(household);
    assert.equal((await place.documents.get(models.heads, household))?.revision, 99);
  });

  it('decides nothing where the log ends before what the documents reflect', async () => {
    const household = freshId();
    const streams = place.instance();
    await streams.execute(household, createMonth('2026-01'), envelope());
    await streams.settle();
    const directory = mkdtempSync(join(tmpdir(), 'older-log-'));
    const older = LedgerDatabase.open({ directory }).eventStore;
    try {
      const late = new CommandStreams(older, place.documents, MODELS);
      await assert.rejects(late.execute(household, expense(freshId()), envelope()), LogEndsEarly);
      assert.deepEqual(await eventsOf(older, household), []);
    } finally {
      await older.close();
      rmSync(directory, { recursive: true, force: true });
    }
    await place.instance().execute(household, expense(freshId()), envelope());
  });

  it('carries the hash of the event before in every event', async () => {
    const household = freshId();
    const streams = place.instance();
    await streams.execute(household, createMonth('2026-01'), envelope());
    for (let i = 0; i < 3; i++) await place.instance().execute(household, expense(freshId()), envelope());
    const events = await eventsOf(place.store, household);
    let previous: string | null = null;
    for (const event of events) {
      assert.equal(event.metadata['previousHash'], previous);
      previous = hashOf(streamOf(household), event);
    }
    assert.equal(events.length, 4);
  });

  it('remembers a command under a key that changed nothing: a late repetition overwrites nothing', async () => {
    const household = freshId();
    const streams = place.instance();
    const id = freshId();
    await streams.execute(household, expense(id), envelope());
    const cheap: Command = { type: 'ChangeTransaction', id, changes: { amount: 1_250 } };
    const keyed = () => envelope({ idempotency: { key: 'same', commandHash: 'a' } });
    assert.equal((await streams.execute(household, cheap, keyed())).replayed, false);
    await streams.execute(household, { ...cheap, changes: { amount: 9 } }, envelope());
    const late = await place.instance().execute(household, cheap, keyed());
    assert.deepEqual([late.replayed, late.recorded, late.transactions.get(id)?.amount], [true, null, 9]);
  });

  it('frees the key of a refused command', async () => {
    const household = freshId();
    const streams = place.instance();
    const keyed = (commandHash: string) => envelope({ idempotency: { key: 'mended', commandHash } });
    const unknown: Command = { type: 'DeleteTransaction', id: freshId() };
    await assert.rejects(streams.execute(household, unknown, keyed('a')), Refusal);
    assert.equal((await streams.execute(household, expense(freshId()), keyed('b'))).events.length, 1);
  });

  it('reserves a key before the append: another command under it is refused while the outcome is not known', async () => {
    const household = freshId();
    const store = Object.create(place.store) as EventStore;
    store.append = () => Promise.reject(new EventStoreUnavailable('the event store is down'));
    const cut = new CommandStreams(store, place.documents, MODELS);
    const command = expense(freshId());
    const keyed = (commandHash: string) =>
      envelope({ idempotency: { key: 'cut', commandHash }, at: new Date().toISOString() });
    await assert.rejects(cut.execute(household, command, keyed('a')), EventStoreUnavailable);
    const streams = place.instance();
    await assert.rejects(streams.execute(household, expense(freshId()), keyed('b')), IdempotencyConflict);
    assert.equal((await streams.execute(household, command, keyed('a'))).events.length, 1);
    assert.equal((await streams.execute(household, command, keyed('a'))).replayed, true);
  });

  it('records once of simultaneous calls with one key at two instances', async () => {
    const household = freshId();
    const instances = [place.instance(), place.instance()];
    await instances[0]!.execute(household, createMonth('2026-01'), envelope());
    const at = new Date().toISOString();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        instances[index % 2]!.execute(
          household,
          { type: 'AddGroup', month: '2026-01', groupId: freshId(), name: 'Travel' },
          envelope({ at, idempotency: { key: 'eight', commandHash: 'a' } }),
        ),
      ),
    );
    assert.equal(outcomes.filter(({ replayed }) => !replayed).length, 1);
    assert.equal((await eventsOf(place.store, household)).length, 2);
  });

  it('records once under an idempotency key and refuses another command under it', async () => {
    const household = freshId();
    const streams = place.instance();
    await streams.execute(household, createMonth('2026-01'), envelope());
    const idempotency = { key: 'retry-1', commandHash: 'a' };
    const groupId = freshId();
    const command = { type: 'AddGroup', month: '2026-01', groupId, name: 'Pets' } as const;
    const now = new Date().toISOString();
    const first = await streams.execute(household, command, envelope({ idempotency, at: now }));
    const other = { ...command, groupId: freshId() };
    const second = await place.instance().execute(household, other, envelope({ idempotency, at: now }));
    assert.equal(first.replayed, false);
    assert.equal(second.replayed, true);
    assert.deepEqual(second.recorded, { firstRevision: 1 });
    const different = envelope({ idempotency: { key: 'retry-1', commandHash: 'b' }, at: now });
    await assert.rejects(streams.execute(household, other, different), IdempotencyConflict);
    assert.equal((await eventsOf(place.store, household)).length, 2);
  });

  it('repeats a command that its key names, whatever has become of it, as it is today', async () => {
    const household = freshId();
    const [streams, late] = [place.instance(), place.instance()];
    await late.catchUp(household);
    const idempotency = { key: 'retry-2', commandHash: 'a' };
    const at = new Date().toISOString();
    const command = expense(freshId());
    await streams.execute(household, command, envelope({ idempotency, at }), { precondition: () => true });
    await streams.execute(household, expense(freshId()), envelope({ at }));
    const repeated = await late.execute(household, command, envelope({ idempotency, at }), {
      precondition: () => false,
    });
    assert.deepEqual(repeated.recorded, { firstRevision: 0 });
    assert.equal(repeated.household.untracked.count, 2);
    const actor = { ...envelope().actor, userId: freshId() };
    const ofAnother = envelope({ idempotency, at, actor });
    assert.equal((await late.execute(household, expense(freshId()), ofAnother)).replayed, false);
  });

  it('reads a household again where an append may have happened', async () => {
    const household = freshId();
    const store = Object.create(place.store) as EventStore;
    store.append = async (...given) => {
      await place.store.append(...given);
      throw new EventStoreUnavailable('the answer was lost');
    };
    store.readStream = place.store.readStream.bind(place.store);
    const streams = new CommandStreams(store, place.documents, MODELS);
    await streams.catchUp(household);
    await assert.rejects(streams.execute(household, expense(freshId()), envelope()), EventStoreUnavailable);
    assert.equal((await streams.catchUp(household)).untracked.count, 1);
  });

  it('dates a command when it is decided, however long it waited for others', async context => {
    const household = freshId();
    const streams = place.instance();
    const times = ['2026-01-15T12:00:00.000Z', '2026-01-15T12:00:09.000Z'];
    let present = times[0]!;
    const append = place.store.append.bind(place.store);
    context.mock.method(place.store, 'append', async (...call: Parameters<typeof append>) => {
      present = times[1]!;
      return append(...call);
    });
    const sent = (): Envelope => ({
      ...envelope(),
      get at() {
        return present;
      },
    });
    await Promise.all([
      streams.execute(household, createMonth('2026-01'), sent()),
      streams.execute(household, expense(freshId()), sent()),
    ]);
    assert.deepEqual((await eventsOf(place.store, household)).map(timeOf), times);
  });

  it('never goes back in time along a stream, unless another clock is far ahead', async () => {
    const household = freshId();
    const [one, other] = [place.instance(), place.instance()];
    await one.execute(household, createMonth('2026-01'), envelope({ at: '2026-01-15T12:00:00.000Z' }));
    await other.catchUp(household);
    await one.execute(household, expense(freshId()), envelope({ at: '2026-01-15T12:00:59.990Z' }));
    // Begun before the one that came first, or by a clock that is behind.
    const late = await other.execute(
      household,
      expense(freshId()),
      envelope({ at: '2026-01-15T12:00:00.500Z' }),
    );
    const behind = await place
      .instance()
      .execute(household, expense(freshId()), envelope({ at: '2026-01-15T11:59:59.990Z' }));
    await one.execute(household, expense(freshId()), envelope({ at: '2026-01-15T11:59:59.989Z' }));
    const times = (await eventsOf(place.store, household)).map(timeOf);
    assert.deepEqual(times, [
      '2026-01-15T12:00:00.000Z',
      '2026-01-15T12:00:59.990Z',
      '2026-01-15T12:00:59.990Z',
      '2026-01-15T12:00:59.990Z',
      '2026-01-15T11:59:59.989Z',
    ]);
    assert.equal([...late.transactions.values()][0]?.createdAt, times[2]);
    assert.equal(behind.events[0]?.at, times[3]);
  });

  it('loads a long history from a snapshot and fewer events than lie between two', async () => {
    const household = freshId();
    const streams = place.instance();
    await streams.execute(household, createMonth('2026-01'), envelope());
    const count = SNAPSHOT_EVERY_EVENTS + 200;
    const posts = Array.from({ length: count }, () => expense(freshId()));
    for (const post of posts) await streams.execute(household, post, envelope());
    await streams.settle();
    const snapshot = await new Snapshots(place.documents).latest(household, count);
    assert.ok(snapshot && snapshot.household.revision > 0);
    const counted = countingReads(place.store);
    const loaded = await new CommandStreams(counted.store, place.documents, MODELS).catchUp(household);
    assert.equal(loaded.untracked.count, count);
    assert.ok(counted.events() < SNAPSHOT_EVERY_EVENTS, `${counted.events()} events read`);
    assert.deepEqual(loaded, await streams.catchUp(household));
  });

  it('reads what is missing before what it is given, or is to reach', async () => {
    const household = freshId();
    const writer = place.instance();
    for (let posts = 0; posts < 4; posts++) await writer.execute(household, expense(freshId()), envelope());
    const [first, , , last] = (await eventsOf(place.store, household)) as [RecordedEvent, ...RecordedEvent[]];
    for (const [generation, go] of [
      [4, (streams: CommandStreams) => streams.catchUp(household, 3, [last!])],
      [5, (streams: CommandStreams) => streams.catchUp(household, 3)],
      [6, (streams: CommandStreams) => streams.catchUp(household)],
    ] as const) {
      const models = readModelsOf(generation);
      await place.documents.ensure(collectionsOf(models));
      const streams = new CommandStreams(place.store, place.documents, models);
      await streams.catchUp(household, 0, [first]);
      assert.equal(streams.knownRevision(household), 0);
      assert.deepEqual(await go(streams), await writer.catchUp(household));
    }
  });

  it('begins with no snapshot of what the documents do not reflect', async () => {
    const household = freshId();
    const streams = place.instance();
    for (let posts = 0; posts < 9; posts++) await streams.execute(household, expense(freshId()), envelope());
    await new Snapshots(place.documents).save(household, await streams.catchUp(household), null, null);
    const models = readModelsOf(3);
    await place.documents.ensure(collectionsOf(models));
    const behind = new CommandStreams(place.store, place.documents, models);
    await behind.advance(household, { from: 0, eventsMax: 5 });
    await behind.settle();
    await new CommandStreams(place.store, place.documents, models).catchUp(household);
    const range = { ...householdRange(household), limit: 100 };
    assert.equal((await place.documents.range(models.transactions, range)).length, 9);
  });

  it('makes no more snapshots than are due while commands follow one another without a gap', async () => {
    const household = freshId();
    const streams = place.instance();
    await streams.execute(household, createMonth('2026-01'), envelope());
    let left = SNAPSHOT_EVERY_EVENTS + 100;
    const client = async (): Promise<void> => {
      while (left-- > 0) await streams.execute(household, expense(freshId()), envelope());
    };
    await Promise.all([client(), client(), client(), client()]);
    await streams.settle();
    const range = { ...householdRange(household), limit: 100 };
    assert.equal((await place.documents.range(Snapshots.shared.manifests, range)).length, 1);
  });

  it('makes snapshots as often while it applies many events in one go', async () => {
    const household = freshId();
    const streams = place.instance();
    await streams.execute(household, createMonth('2026-01'), envelope());
    const count = 2 * SNAPSHOT_EVERY_EVENTS + 200;
    for (let posts = 0; posts < count; posts++) {
      await streams.execute(household, expense(freshId()), envelope());
    }
    const other = await workplace();
    try {
      const events = await eventsOf(place.store, household);
      for (const { id, type, data, metadata, revision } of events) {
        await other.store.append(streamOf(household), revision - 1, [{ id, type, data, metadata }]);
      }
      const fresh = other.instance();
      const half = SNAPSHOT_EVERY_EVENTS + 100;
      const first = await fresh.advance(household, { from: 0, eventsMax: half });
      assert.deepEqual(first, { events: half, isEnd: false, revision: half - 1 });
      const second = await fresh.advance(household, { from: 0, eventsMax: 2 * half });
      assert.deepEqual(second, { events: count + 1 - half, isEnd: true, revision: count });
      const snapshots = new Snapshots(other.documents);
      for (const reached of [SNAPSHOT_EVERY_EVENTS, half + SNAPSHOT_EVERY_EVENTS]) {
        const snapshot = await snapshots.latest(household, reached);
        const last = events[reached - 1]!;
        assert.deepEqual(snapshot?.end, endAt(last));
        assert.deepEqual(snapshot.household, evolve(NO_HOUSEHOLD, events.slice(0, reached).map(decodeEvent)));
      }
    } finally {
      await other.close();
    }
  });

  it('gives the same documents when everything is read again in a cache of nothing', async () => {
    const household = HOUSEHOLD;
    const tiny = place.instance(0);
    await tiny.execute(household, createMonth('2026-01'), envelope());
    const state = await tiny.catchUp(household);
    const [itemId] = [...state.months[0]!.budget!.items.keys()].slice(1);
    const ids = Array.from({ length: 5 }, freshId);
    const splits = [{ itemId: itemId!, amount: 1_250 }];
    for (const id of ids) await tiny.execute(household, expense(id, { splits }), envelope());
    await tiny.execute(household, { type: 'DeleteTransaction', id: ids[0]! }, envelope());
    await tiny.execute(household, { type: 'RemoveItem', month: '2026-01', itemId: itemId! }, envelope());
    const live = await everyDocument(place.documents, MODELS);
    const other = await workplace();
    try {
      for (const event of await eventsOf(place.store, household)) {
        const { id, type, data, metadata } = event;
        await other.store.append(streamOf(household), event.revision - 1, [{ id, type, data, metadata }]);
      }
      await other.instance().catchUp(household);
      const rebuilt = await everyDocument(other.documents, MODELS);
      const expected = [...live].filter(([key]) => key.includes(household));
      assert.ok(expected.length >= 12);
      assert.deepEqual([...rebuilt].sort(), expected.sort());
    } finally {
      await other.close();
    }
  });
});

async function eventsOf(store: EventStore, household: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const page of store.readStream(streamOf(household))) events.push(...page);
  return events;
}

/** A store at which another one appends before each append, until the end of that. */
function outrunBy(
  store: EventStore,
  rival: () => Promise<unknown>,
): { readonly store: EventStore; races(): number; end(): void } {
  let races = 0;
  let isOutrun = true;
  const append: EventStore['append'] = async (...given) => {
    if (isOutrun) {
      await rival();
      races++;
    }
    return store.append(...given);
  };
  const readStream = store.readStream.bind(store);
  const wrapped = Object.assign(Object.create(store) as EventStore, { append, readStream });
  return { store: wrapped, races: () => races, end: () => void (isOutrun = false) };
}

/**
 * Documents whose next write of several collections fails without having written anything.
 * @param asked called before each of these writes
 */
function failingOnce(documents: Documents): { readonly documents: Documents; fail(): void } {
  let failing = false;
  const wrapped = Object.create(documents) as Documents;
  wrapped.putAll = async (writes: readonly Write[]): Promise<void> => {
    if (failing) {
      failing = false;
      throw new DocumentsUnavailable('the documents store is down');
    }
    return documents.putAll(writes);
  };
  return { documents: bound(wrapped, documents), fail: () => (failing = true) };
}

/** Documents that write nothing to a collection. */
function refusing(documents: Documents, collection: string): Documents {
  const down = (): Promise<never> => Promise.reject(new DocumentsUnavailable('the documents store is down'));
  return new Proxy(documents, {
    get(target, method) {
      if (method === 'put') {
        return (...[written, list]: Parameters<Documents['put']>) =>
          written.name === collection ? down() : target.put(written, list);
      }
      if (method === 'putAll') {
        return (writes: readonly Write[]) =>
          writes.some(write => write.collection.name === collection) ? down() : target.putAll(writes);
      }
      const value: unknown = Reflect.get(target, method, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Methods of the wrapped store run on the store itself, which has private fields. */
function bound(wrapped: Documents, documents: Documents): Documents {
  for (const name of ['get', 'getMany', 'range', 'query', 'put'] as const) {
    Object.defineProperty(wrapped, name, { value: documents[name].bind(documents) });
  }
  return wrapped;
}

function countingReads(store: EventStore): { readonly store: EventStore; events(): number } {
  let events = 0;
  const wrapped = Object.create(store) as EventStore;
  wrapped.readStream = async function* (stream: string, range?: StreamRange) {
    for await (const page of store.readStream(stream, range)) {
      events += page.length;
      yield page;
    }
  };
  return { store: wrapped, events: () => events };
}
