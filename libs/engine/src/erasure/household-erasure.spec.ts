// A household is erased while servers go on telling of its events, as EventStoreDB does until it is scavenged.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Erasures } from '#storage/documents/erasures';
import type { Documents } from '#storage/documents/documents';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { EventStoreDbEventStore } from '#storage/eventstoredb/eventstoredb-event-store';
import type { EventStore } from '#storage/event-store/event-store';
import { HouseholdErased } from '../commands/command-call.js';
import { hashOf, lastEventOf, streamOf } from '../households/household-stream.js';
import { readActiveVersion } from '../versions/active-version.js';
import { collectionsOf, readModelsOf } from '../households/read-models.js';
import { Snapshots } from '../households/snapshots.js';
import {
  createMonth,
  envelope,
  everyDocument,
  expense,
  freshId,
  LiveCommandStreams,
  SILENT,
  USER,
} from '../households/streams.scenario.js';
import { StreamsServiceFake } from '#test-servers/eventstoredb-fake/streams-service-fake';
import { until } from '../../../../test/until.js';
import { PROJECTION_COLLECTIONS } from '../projector/projection-collections.js';
import { ProjectionHost } from '../projector/projection-host.js';
import { StandingDocuments, TAKEN_OVER_MS } from '../households/standing-documents.js';
import { announce, workOff } from '../rebuild/rebuild-work.js';
import { LedgerVerification } from '../verify/verify-ledger.js';
import { HouseholdErasure } from './household-erasure.js';
import { VersionWatch } from '../versions/live-streams.js';

const MODELS = readModelsOf(1);

describe('erasing a household', () => {
  let fake: StreamsServiceFake;
  let store: EventStore;
  let documents: Documents;
  let directory: string;
  let streams: LiveCommandStreams;
  let erasure: HouseholdErasure;
  let erased: string;
  let other: string;

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'erasure-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));
  beforeEach(async () => {
    fake = await StreamsServiceFake.start();
    store = EventStoreDbEventStore.open({ url: fake.url });
    ({ documents } = LedgerDatabase.open({ directory: mkdtempSync(join(directory, 'one-')) }));
    await documents.ensure(PROJECTION_COLLECTIONS);
    streams = await instance();
    erasure = new HouseholdErasure(store, documents, streams);
    [erased, other] = [freshId(), freshId()];
    for (const household of [erased, other]) await live(household);
  });
  afterEach(async () => {
    await streams.stop();
    await store.close();
    await documents.close();
    fake.kill();
  });

  async function instance(options: { readonly onWritten?: (id: string) => void } = {}) {
    const watch = new VersionWatch(documents, { owner: freshId(), shared: true, log: SILENT });
    const live = new LiveCommandStreams(store, documents, watch, { shared: true, ...options });
    await live.start();
    return live;
  }

  async function live(household: string): Promise<void> {
    await streams.execute(household, createMonth('2026-01'), envelope());
    for (let at = 0; at < 5; at++) {
      await streams.execute(household, expense(freshId(), { merchant: `Shop of ${household}` }), envelope());
    }
  }

  async function erase(): Promise<void> {
    await new Erasures(documents).record({ key: erased, of: 'household', at: Date.now(), by: USER });
    await erasure.erase(erased);
  }

  /** Documents that name the erased household. */
  async function left(models = MODELS): Promise<string[]> {
    const all = await everyDocument(documents, models);
    return [...all].filter(([key, text]) => (key + text).includes(erased)).map(([key]) => key);
  }

  async function rebuild(): Promise<void> {
    await announce(documents, 'rebuild');
    let now = 0;
    const standing = new StandingDocuments(TAKEN_OVER_MS, () => (now += 2 * TAKEN_OVER_MS));
    const confirm = async (): Promise<void> => streams.stop();
    const place = { store, documents, shared: false, confirm, log: SILENT };
    const { signal } = new AbortController();
    await workOff(place, { owner: 'rebuilder', standing, signal, retryFailed: true });
  }

  it('notes the last event, deletes the stream and every document, and spares the others', async () => {
    const last = (await lastEventOf(store, erased))!;
    const before = await everyDocument(documents, MODELS);
    await erase();
    assert.equal(await lastEventOf(store, erased), null);
    const { head, by } = (await new Erasures(documents).find(erased))!;
    assert.deepEqual(head, { revision: last.revision, hash: hashOf(streamOf(erased), last) });
    assert.equal(by, USER);
    assert.deepEqual(await left(), []);
    const others = [...before].filter(([, text]) => !text.includes(erased));
    assert.deepEqual([...(await everyDocument(documents, MODELS))], others);
    // Again, as after a crash: the head stays.
    await erase();
    assert.deepEqual((await new Erasures(documents).find(erased))!.head, head);
  });

  it('refuses commands at every process, those that know the household included', async () => {
    const second = await instance();
    await second.execute(erased, expense(freshId()), envelope());
    await erase();
    for (const at of [streams, second, await instance()]) {
      await assert.rejects(at.execute(erased, expense(freshId()), envelope()), HouseholdErased);
      await assert.rejects(at.execute(erased, createMonth('2026-02'), envelope()), HouseholdErased);
      await at.stop();
    }
    assert.deepEqual(await left(), []);
    assert.equal(await documents.get(MODELS.heads, erased), null);
    assert.deepEqual(
      await documents.range(Snapshots.shared.manifests, { from: erased, before: `${erased}~`, limit: 9 }),
      [],
    );
  });

  it('removes what another process writes of an event that it had recorded before', async () => {
    const second = await instance({ onWritten: id => void erasure.removeIfErased(id) });
    await second.catchUp(erased);
    const putAll = documents.putAll.bind(documents);
    let proceed = (): void => undefined;
    const held = new Promise<void>(resolve => (proceed = resolve));
    let arrived = (): void => undefined;
    const writing = new Promise<void>(resolve => (arrived = resolve));
    documents.putAll = async writes => {
      documents.putAll = putAll;
      arrived();
      await held;
      return putAll(writes);
    };
    const command = second.execute(erased, expense(freshId()), envelope());
    await writing;
    await erase();
    proceed();
    await command;
    await until(async () => (await left()).length === 0);
    await second.stop();
  });

  it('brings nothing back by projections and rebuilds from a log that still tells of it', async () => {
    await erase();
    const told = [];
    for await (const page of store.readAll({ prefix: 'household-' })) told.push(...page);
    assert.ok(
      told.some(({ stream }) => stream === streamOf(erased)),
      'the log tells of it',
    );
    const host = new ProjectionHost(store, documents, streams, { log: SILENT });
    host.start();
    await until(() => host.status().caughtUp);
    assert.deepEqual(host.status().failing, []);
    await host.stop();
    assert.deepEqual(await left(), []);
    await rebuild();
    const models = readModelsOf((await readActiveVersion(documents)).active);
    assert.notEqual(models.version, 1);
    await documents.ensure(collectionsOf(models));
    assert.deepEqual(await left(models), []);
    assert.ok((await everyDocument(documents, models)).size > 0);
  });

  it('does not disturb a rebuild that verifies meanwhile', async () => {
    const digest = documents.digest.bind(documents);
    const read = documents.range.bind(documents);
    // So that the documents are compared one by one, and gone once their events are folded.
    documents.digest = async (collection, range) =>
      range.from === erased ? 'another' : digest(collection, range);
    documents.range = async (collection, range) => {
      if (range.from === erased) {
        documents.range = read;
        await erase();
      }
      return read(collection, range);
    };
    await rebuild();
    assert.equal(documents.range, read);
    const { active, ended } = await readActiveVersion(documents);
    assert.deepEqual([active > 1, ended?.failure], [true, null]);
    const models = readModelsOf(active);
    await documents.ensure(collectionsOf(models));
    assert.deepEqual(await left(models), []);
  });

  it('is told of by a verification that expects its head, and nothing is wrong', async () => {
    const last = (await lastEventOf(store, erased))!;
    const head = { householdId: erased, revision: last.revision, hash: hashOf(streamOf(erased), last) };
    const earlier = { ...head, revision: 2, hash: 'a'.repeat(64) };
    await erase();
    const verify = (expected: (typeof head)[]) =>
      new LedgerVerification(store, documents, MODELS, { expected }).run();
    for (const expected of [head, earlier]) {
      const found = await verify([expected]);
      assert.deepEqual(
        found.heads.map(({ householdId }) => householdId),
        [other],
      );
      assert.deepEqual(
        found.erasedHeads.map(({ revision }) => revision),
        [expected.revision],
      );
      assert.deepEqual([found.lostHeads, found.differences, found.brokenLinks], [[], [], []]);
    }
    const forged = await verify([{ ...head, hash: 'b'.repeat(64) }]);
    assert.equal(forged.lostHeads.length, 1, 'a head that it did not have is lost');
    assert.equal((await verify([{ ...head, revision: 99 }])).lostHeads.length, 1);
  });
});
