import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document, Documents, DocumentText, Write } from '#storage/documents/documents';
import { ACTIVE_VERSION, readActiveVersion, type ActiveVersion } from '../versions/active-version.js';
import type { StoredRecord } from '#projections/transaction-document';
import { collectionsOf, readModelsOf } from '../households/read-models.js';
import { envelope, everyDocument, freshId, CommandStreams } from '../households/streams.scenario.js';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';
import { HouseholdComparison } from '../verify/household-comparison.js';
import { announce, RebuildRefused } from './rebuild-work.js';
import { REBUILD_CHECKPOINTS } from './replay.js';
import { household, Load, RebuildPlace, type ActingProcess } from './rebuild.scenario.js';
import { until } from '../../../../test/until.js';
import { ReadModelsUnconfirmed } from '../versions/live-streams.js';

describe('rebuilding on embedded documents', () => rebuilding(() => RebuildPlace.open()));

describe('rebuilding households that are too long to be made at once', () => {
  let acting: Acting;
  before(async () => {
    const place = await RebuildPlace.open(undefined, 0);
    acting = { place, first: await place.process(), second: await place.process() };
  });
  after(() => acting.place.close());
  building(() => acting);
});

const givenUrl = process.env['MONGODB_URL'];
if (givenUrl) {
  describe('rebuilding on the MongoDB at MONGODB_URL', () => {
    rebuilding(() => RebuildPlace.open(urlOfDatabase(givenUrl, drawDatabase())));
  });
} else if (canStartMongod()) {
  describe('rebuilding on MongoDB', () => {
    let server: MongodServer | null = null;
    before(async () => {
      server = await startMongod({ replicaSet: true });
    });
    after(() => server?.stop());
    rebuilding(() => RebuildPlace.open(urlOfDatabase(server!.url, drawDatabase())));
  });
}

interface Acting {
  readonly place: RebuildPlace;
  readonly first: ActingProcess;
  readonly second: ActingProcess;
}

/** What holds however the documents of a household are made. */
function building(at: () => Acting): void {
  it('keeps the active version if the new one does not match the events', async () => {
    const { place, first } = at();
    const { id } = await household(first.streams, 5);
    const { active, last } = await readActiveVersion(place.documents);
    await announce(place.documents, 'rebuild');
    const outcome = await place.workOff(undefined, corrupting(place.documents, `months_g${last + 1}`, id));
    assert.equal(outcome, 'failed');
    assert.match((await place.progress())!.message!, /do not match its events/);
    const pointer = await readActiveVersion(place.documents);
    assert.equal(pointer.active, active);
    assert.deepEqual([pointer.rebuild, pointer.beside, pointer.dropping], [null, null, []]);
    assert.equal((await place.progress())?.state, 'failed');
    await assertRight(place, [id]);
  });

  it('goes on where it was interrupted, in every phase', async () => {
    const { place, first, second } = at();
    const { id } = await household(first.streams, 30);
    const load = new Load(place.documents, [first, second], [id]);
    const rebuild = await announce(place.documents, 'rebuild');
    const phases = new Set<string>();
    let uses = 0;
    for (let state = await stateOf(place); state !== null;) {
      // Killed at its n-th use of the store.
      const killed = killedAfter(place.documents, (uses += 3));
      await place.workOff(killed.signal, killed.documents).catch(() => undefined);
      phases.add(state.phase);
      assert.equal(state.id, rebuild, 'the same rebuild goes on');
      const next = await stateOf(place);
      if (next?.phase !== state.phase) uses = 0;
      state = next;
    }
    await load.stop();
    await place.workOff();
    assert.deepEqual(load.stale, []);
    assert.deepEqual([...phases].sort(), ['joining', 'replaying', 'settling', 'verifying']);
    assert.equal((await readActiveVersion(place.documents)).rebuild, null);
    await assertRight(place, [id]);
  });

  it('replaces the read models while two processes write and read, and drops the former ones', async () => {
    const { place, first, second } = at();
    const households = [
      await household(first.streams, 40),
      await household(first.streams, 12),
      await household(second.streams, 3),
    ].map(({ id }) => id);
    const before = await readActiveVersion(place.documents);
    const load = new Load(place.documents, [first, second], households);
    await load.proceed(20);
    assert.equal(await place.carryOut('rebuild'), 'done');
    const { active, rebuild, beside, dropping } = await readActiveVersion(place.documents);
    assert.equal(active, before.last + 1);
    assert.deepEqual([rebuild, beside, dropping], [null, null, []]);
    await load.proceed(20);
    await load.stop();
    assert.deepEqual(load.stale, []);
    await assertRight(place, households);
    const former = readModelsOf(before.active);
    await place.documents.ensure(collectionsOf(former));
    assert.equal((await everyDocument(place.documents, former)).size, 0, 'the former version was dropped');
  });
}

function rebuilding(open: () => Promise<RebuildPlace>): void {
  let place: RebuildPlace;
  let first: ActingProcess;
  let second: ActingProcess;
  before(async () => {
    place = await open();
    first = await place.process();
    second = await place.process();
  });
  after(() => place.close());

  building(() => ({ place, first, second }));

  it('reads the events of each household once where nobody writes', async () => {
    const { id } = await household(first.streams, 5);
    const reads: string[] = [];
    const noting = new Proxy(place.store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...parameters: unknown[]): unknown => {
          const [stream, range] = parameters as [string, { direction?: string } | undefined];
          if (name === 'readStream' && range?.direction !== 'backwards') reads.push(stream);
          return Reflect.apply(value, target, parameters) as unknown;
        };
      },
    });
    await announce(place.documents, 'rebuild');
    assert.equal(await place.workOff(undefined, place.documents, noting), 'done');
    assert.equal(reads.filter(stream => stream === `household-${id}`).length, 1);
    assert.equal(new Set(reads).size, reads.length);
    await assertRight(place, [id]);
  });

  it('repairs what the active version has wrong, at whatever revision', async () => {
    const { id, transactions } = await household(first.streams, 9);
    await damage(place, id, transactions);
    assert.ok((await wrong(place, id)) >= 4);
    assert.equal(await place.carryOut('rebuild'), 'done');
    await assertRight(place, [id]);
    await first.streams.execute(id, { type: 'DeleteTransaction', id: transactions[0]! }, envelope());
    await assertRight(place, [id]);
  });

  it('misses nothing of a command that began on the former version', async () => {
    const { id, transactions } = await household(first.streams, 5);
    const former = await place.activeModels();
    // A process that ended after it had written how far the former version has come, while that is still written.
    const documents = beforeSwitchEnds(place.documents, async () => {
      const ended = new CommandStreams(place.store, place.documents, former);
      const storedHead = async () => (await place.documents.get(former.heads, id))?.revision;
      let amount = 100;
      do {
        const changes = { amount: ++amount };
        await ended.execute(id, { type: 'ChangeTransaction', id: transactions[0]!, changes }, envelope());
      } while ((await storedHead()) !== ended.knownRevision(id));
    });
    await announce(place.documents, 'rebuild');
    assert.equal(await place.workOff(undefined, documents), 'done');
    await first.watch.look();
    await first.streams.catchUp(id);
    await assertRight(place, [id]);
  });

  it('goes on with a rebuild that is asked for before the end of another', async () => {
    const { id } = await household(first.streams, 5);
    await announce(place.documents, 'rebuild');
    const { last } = await readActiveVersion(place.documents);
    const documents = whenRebuildEnds(place.documents, async () => {
      await announce(place.documents, 'rebuild');
    });
    assert.equal(await place.workOff(undefined, documents), 'done');
    assert.equal(await place.workOff(), 'done');
    const pointer = await readActiveVersion(place.documents);
    assert.equal(pointer.last, last + 1, 'it was asked for');
    assert.equal(pointer.rebuild, null);
    assert.equal(pointer.active, pointer.last);
    await assertRight(place, [id]);
  });

  it('tells why it was given up, also where the process that gave it up is gone before its end', async () => {
    const { id } = await household(first.streams, 5);
    const { last } = await readActiveVersion(place.documents);
    const rebuild = await announce(place.documents, 'rebuild');
    const corrupt = corrupting(place.documents, `months_g${last + 1}`, id);
    // It gets no further than to the next change of the active version, each time.
    while ((await stateOf(place)) !== null) {
      const killed = killedAfter(corrupt, Infinity);
      await place.workOff(killed.signal, killed.documents).catch(() => undefined);
    }
    assert.notDeepEqual((await readActiveVersion(place.documents)).dropping, []);
    const outcome = await place.workOff();
    assert.equal(outcome, 'failed');
    assert.match((await place.progress())!.message!, /do not match its events/);
    const progress = await place.progress();
    assert.deepEqual([progress?.id, progress?.state], [rebuild, 'failed']);
    assert.match(progress?.message ?? '', /do not match its events/);
    assert.deepEqual((await readActiveVersion(place.documents)).dropping, []);
    await assertRight(place, [id]);
  });

  it('is given up on demand', async () => {
    await household(first.streams, 2);
    const { active } = await readActiveVersion(place.documents);
    await announce(place.documents, 'rebuild');
    assert.equal(await place.carryOut('give-up'), 'done');
    const pointer = await readActiveVersion(place.documents);
    assert.equal(pointer.active, active);
    assert.deepEqual([pointer.rebuild, pointer.beside, pointer.dropping], [null, null, []]);
    await assert.rejects(announce(place.documents, 'give-up'), RebuildRefused);
  });

  it('is given up after it has begun, and leaves nothing behind', async () => {
    await household(first.streams, 2);
    await announce(place.documents, 'rebuild');
    for (let uses = 3; (await stateOf(place))?.phase !== 'verifying'; uses += 3) {
      const killed = killedAfter(place.documents, uses);
      await place.workOff(killed.signal, killed.documents).catch(() => undefined);
    }
    const checkpoints = () =>
      place.documents.range(REBUILD_CHECKPOINTS, { from: '0', before: '~', limit: 10 });
    assert.equal((await checkpoints()).length, 1);
    // What is left to do is the end of the rebuild, which failed.
    assert.equal(await place.carryOut('give-up'), 'failed');
    assert.equal((await place.progress())?.message, 'It was cancelled.');
    assert.deepEqual((await readActiveVersion(place.documents)).dropping, []);
    assert.deepEqual(await checkpoints(), []);
  });

  it('waits for a process that has not confirmed, until that can serve nothing any more', async () => {
    const frozen = await place.process();
    const { id, transactions } = await household(frozen.streams, 5);
    const former = await readActiveVersion(place.documents);
    frozen.freeze();
    const begun = performance.now();
    assert.equal(await place.carryOut('rebuild'), 'done');
    assert.ok(performance.now() - begun >= 5_000, 'it was waited for');
    const { active } = await readActiveVersion(place.documents);
    assert.notEqual(active, former.active);
    await first.streams.execute(id, { type: 'DeleteTransaction', id: transactions[0]! }, envelope());
    frozen.thaw();
    // Before it has looked: the former read models do not have the last command.
    assert.throws(() => frozen.streams.models, ReadModelsUnconfirmed);
    await assert.rejects(frozen.streams.catchUp(id), ReadModelsUnconfirmed);
    await until(() => frozen.watch.unconfirmedMs() < 1_000);
    assert.equal(frozen.streams.models.version, active);
    // What it knew of documents was of the former ones: it writes everything that is missing.
    await frozen.streams.execute(id, { type: 'DeleteTransaction', id: transactions[1]! }, envelope());
    await assertRight(place, [id]);
  });

  it('gives no answer of read models that were left meanwhile', async () => {
    const began = first.watch.current();
    assert.doesNotThrow(() => first.watch.confirm(began));
    assert.equal(await place.carryOut('rebuild'), 'done');
    await first.watch.look();
    assert.throws(() => first.watch.confirm(began), ReadModelsUnconfirmed);
    assert.doesNotThrow(() => first.watch.confirm(first.watch.current()));
  });
}

async function stateOf(place: RebuildPlace) {
  return (await readActiveVersion(place.documents)).rebuild;
}

async function wrong(place: RebuildPlace, householdId: string): Promise<number> {
  const models = await place.activeModels();
  const comparison = new HouseholdComparison(place.store, place.documents, models, householdId);
  let found = 0;
  for await (const _ of comparison.differences()) found++;
  assert.ok(comparison.documents > 0);
  return found;
}

async function assertRight(place: RebuildPlace, households: readonly string[]): Promise<void> {
  for (const id of households) assert.equal(await wrong(place, id), 0, `household ${id} is right`);
}

/** A wrong document at its own revision, one far ahead, one too many, and one that is gone. */
async function damage(place: RebuildPlace, id: string, transactions: readonly string[]): Promise<void> {
  const { transactions: collection, merchants } = await place.activeModels();
  const keys = transactions.map(transaction => `${id}|${transaction}`);
  const record = await damageAmount(place, keys[0]!);
  const ahead = await place.documents.get(collection, keys[1]!);
  await place.documents.put(collection, [{ ...ahead!, revision: 1_000_000, record }]);
  const extra = { key: `${id}|nobody`, revision: 3, merchant: 'Nobody', item_id: freshId() };
  await place.documents.put(merchants, [extra]);
  await place.documents.remove(collection, keys.at(-1)!);
}

/** @returns the wrong record that is stored now, at the revision of the right one */
async function damageAmount(place: RebuildPlace, key: string): Promise<StoredRecord> {
  const { transactions } = await place.activeModels();
  const right = (await place.documents.get(transactions, key))!;
  const record = { ...right.record, amount: 1 };
  await place.documents.remove(transactions, key);
  await place.documents.put(transactions, [{ ...right, record }]);
  return record;
}

/** Documents that fail for good after some uses, or a change of the active version: its user gets no further. */
function killedAfter(documents: Documents, uses: number): { documents: Documents; signal: AbortSignal } {
  const controller = new AbortController();
  let used = 0;
  const killed = new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...parameters: unknown[]): Promise<unknown> => {
        if (++used > uses) controller.abort();
        controller.signal.throwIfAborted();
        const result = (await Reflect.apply(value, target, parameters)) as unknown;
        if (name === 'replace' && parameters[0] === ACTIVE_VERSION) controller.abort();
        return result;
      };
    },
  });
  return { documents: killed, signal: controller.signal };
}

/** Does something once, right after a rebuild has ended. */
function whenRebuildEnds(documents: Documents, act: () => Promise<void>): Documents {
  return onceOnChange(documents, ({ rebuild }) => rebuild === null, 'after', act);
}

/** Does something once, right before the rebuild ends, when the former version is written beside the new one. */
function beforeSwitchEnds(documents: Documents, act: () => Promise<void>): Documents {
  return onceOnChange(documents, ({ rebuild }) => rebuild === null, 'before', act);
}

function onceOnChange(
  documents: Documents,
  isIt: (changed: ActiveVersion) => boolean,
  when: 'before' | 'after',
  act: () => Promise<void>,
): Documents {
  let done = false;
  return new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...parameters: unknown[]): Promise<unknown> => {
        const [collection, document] = parameters;
        const meets =
          !done && name === 'replace' && collection === ACTIVE_VERSION && isIt(document as ActiveVersion);
        if (meets) done = true;
        if (meets && when === 'before') await act();
        const result = (await Reflect.apply(value, target, parameters)) as unknown;
        if (meets && when === 'after') await act();
        return result;
      };
    },
  });
}

/** Documents that store what is made of a household in a collection with another figure. */
function corrupting(documents: Documents, collection: string, householdId: string): Documents {
  const corrupted = <T extends Document>(document: T): T =>
    document.key.startsWith(householdId) ? { ...document, left_to_budget: 1 } : document;
  const corruptedWrite = (write: Write): Write =>
    write.collection.name === collection
      ? { ...write, documents: write.documents.map(document => corrupted(document)) }
      : write;
  const corruptedText = ({ text, ...rest }: DocumentText): DocumentText => {
    const document: Document = JSON.parse(text);
    return { ...rest, text: JSON.stringify(corrupted(document)) };
  };
  const corruptedTexts = (method: string | symbol, parameters: unknown[]): unknown[] => {
    const [written, texts] = parameters as [{ readonly name?: string }, DocumentText[]];
    const isIt = method === 'putTexts' && written.name === collection;
    return isIt ? [written, texts.map(corruptedText)] : parameters;
  };
  return new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]): unknown => {
        const passed =
          name === 'putAll'
            ? [(parameters[0] as Write[]).map(corruptedWrite)]
            : corruptedTexts(name, parameters);
        return Reflect.apply(value, target, passed) as unknown;
      };
    },
  });
}
