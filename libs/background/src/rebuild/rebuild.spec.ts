import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Document, Documents, DocumentText, Write } from '#documents/documents';
import {
  GENERATION_POINTER,
  readPointer,
  type GenerationPointer,
} from '#streams/generations/generation-pointer';
import { ReadModelsUnconfirmed } from '#streams/generations/generation-watch';
import type { StoredRecord } from '#projections/transaction-document';
import { readModelsOf } from '#streams/read-models';
import { envelope, everyDocument, expense, freshId, CommandStreams } from '#streams/streams.scenario';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';
import { compareWithFold } from './fold-comparison.js';
import { announce } from './rebuild-work.js';
import { RebuildRefused } from './rebuild-request.js';
import { REBUILD_CHECKPOINTS } from './replay.js';
import { household, Load, REBUILD_ALL, RebuildPlace, type ActingProcess } from './rebuild.scenario.js';
import { until } from '../../../../test/until.js';

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
  it('leaves the live read models where the new ones are not what the events say', async () => {
    const { place, first } = at();
    const { id } = await household(first.streams, 5);
    const { live, last } = await readPointer(place.documents);
    await announce(place.documents, REBUILD_ALL);
    const outcome = await place.workOff(undefined, corrupting(place.documents, `months_g${last + 1}`, id));
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.kind === 'failed' ? outcome.message : '', /do not match its events/);
    const pointer = await readPointer(place.documents);
    assert.deepEqual(pointer.live, live);
    assert.deepEqual([pointer.rebuild, pointer.beside, pointer.dropping], [null, null, []]);
    assert.equal((await place.progress())?.state, 'failed');
    await assertRight(place, [id]);
  });

  it('makes them as of a moment, and never live', async () => {
    const { place, first } = at();
    const { id, transactions } = await household(first.streams, 4);
    const { live } = await readPointer(place.documents);
    const to = '2026-01-16T00:00:00.000Z';
    const late = freshId();
    await first.streams.execute(id, expense(late), envelope({ at: '2026-01-17T00:00:00.000Z' }));
    await first.streams.execute(
      id,
      { type: 'DeleteTransaction', id: late },
      envelope({ at: '2026-01-18T00:00:00.000Z' }),
    );
    assert.deepEqual(await place.carryOut({ ...REBUILD_ALL, to }), { kind: 'done' });
    const pointer = await readPointer(place.documents);
    assert.deepEqual(pointer.live, live);
    const models = readModelsOf(pointer.inspected!.generations);
    await place.documents.ensure([models.transactions]);
    assert.equal(await place.documents.get(models.transactions, `${id}|${late}`), null);
    for (const transaction of transactions) {
      assert.ok(await place.documents.get(models.transactions, `${id}|${transaction}`));
    }
    await place.carryOut({ command: 'drop' });
    assert.equal((await readPointer(place.documents)).inspected, null);
    await place.documents.ensure([models.transactions]);
    assert.equal(await place.documents.get(models.transactions, `${id}|${transactions[0]!}`), null);
  });

  it('goes on where it was interrupted, in every phase', async () => {
    const { place, first, second } = at();
    const { id } = await household(first.streams, 30);
    const load = new Load(place.documents, [first, second], [id]);
    const rebuild = await announce(place.documents, REBUILD_ALL);
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
    assert.equal((await readPointer(place.documents)).rebuild, null);
    await assertRight(place, [id]);
  });

  it('gives read models that are equal byte for byte, while two processes write and read', async () => {
    const { place, first, second } = at();
    const households = [
      await household(first.streams, 40),
      await household(first.streams, 12),
      await household(second.streams, 3),
    ].map(({ id }) => id);
    const before = await readPointer(place.documents);
    const load = new Load(place.documents, [first, second], households);
    await load.proceed(20);
    assert.deepEqual(await place.carryOut(REBUILD_ALL), { kind: 'done' });
    const { live, previous, rebuild, beside, dropping } = await readPointer(place.documents);
    assert.notDeepEqual(live, before.live);
    assert.deepEqual(previous?.generations, before.live);
    assert.deepEqual([rebuild, beside, dropping], [null, null, []]);
    await load.proceed(20);
    await load.stop();
    assert.deepEqual(load.stale, []);
    await assertRight(place, households);
    // The former ones were written up to the switch: what they have is the same, document for document.
    const old = await everyDocument(place.documents, readModelsOf(before.live));
    const present = await everyDocument(place.documents, readModelsOf(live));
    let equal = 0;
    for (const [key, text] of old) {
      const now = present.get(key);
      assert.ok(now !== undefined, `${key} is there`);
      const [was, is] = [JSON.parse(text), JSON.parse(now)] as Document[];
      assert.ok(is!.revision >= was!.revision);
      if (is!.revision === was!.revision) assert.equal(now, text);
      equal += is!.revision === was!.revision ? 1 : 0;
    }
    assert.ok(equal > 100, `${equal} documents were compared`);
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
    await announce(place.documents, REBUILD_ALL);
    assert.deepEqual(await place.workOff(undefined, place.documents, noting), { kind: 'done' });
    assert.equal(reads.filter(stream => stream === `household-${id}`).length, 1);
    assert.equal(new Set(reads).size, reads.length);
    await assertRight(place, [id]);
  });

  it('goes back to the former read models, and forth again, without losing a command', async () => {
    const { id } = await household(first.streams, 5);
    const { live, previous } = await readPointer(place.documents);
    const load = new Load(place.documents, [first, second], [id]);
    await load.proceed(10);
    assert.deepEqual(await place.carryOut({ command: 'roll-back' }), { kind: 'done' });
    const back = await readPointer(place.documents);
    assert.deepEqual(back.live, previous!.generations);
    assert.deepEqual(back.previous?.generations, live);
    await load.proceed(10);
    assert.deepEqual(await place.carryOut({ command: 'roll-back' }), { kind: 'done' });
    await load.proceed(5);
    await load.stop();
    assert.deepEqual((await readPointer(place.documents)).live, live);
    assert.deepEqual(load.stale, []);
    await assertRight(place, [id]);
  });

  it('drops what is not needed any more', async () => {
    const { previous } = await readPointer(place.documents);
    assert.ok(previous);
    assert.deepEqual(await place.carryOut({ command: 'drop' }), { kind: 'done' });
    const pointer = await readPointer(place.documents);
    assert.deepEqual([pointer.previous, pointer.dropping], [null, []]);
    const former = readModelsOf(previous.generations);
    await place.documents.ensure([former.transactions, former.months]);
    assert.equal((await everyDocument(place.documents, { ...former, ...empty(former) })).size, 0);
    await assert.rejects(announce(place.documents, { command: 'roll-back' }), RebuildRefused);
  });

  it('puts right what the live read models have wrong, at whatever revision', async () => {
    const { id, transactions } = await household(first.streams, 9);
    await damage(place, id, transactions);
    assert.ok((await wrong(place, id)) >= 4);
    assert.deepEqual(await place.carryOut(REBUILD_ALL), { kind: 'done' });
    await assertRight(place, [id]);
    await first.streams.execute(id, { type: 'DeleteTransaction', id: transactions[0]! }, envelope());
    await assertRight(place, [id]);
  });

  it('puts one household right where it is, and is never seen at it', async () => {
    const broken = await household(first.streams, 9);
    const other = await household(second.streams, 3);
    await damage(place, broken.id, broken.transactions);
    const { live } = await readPointer(place.documents);
    const watching = new AbortController();
    const seen = (async () => {
      const states = new Set<boolean>();
      while (!watching.signal.aborted) {
        // Of the undamaged documents none may ever be missing.
        const { months } = second.streams.modelsOf(broken.id);
        states.add((await place.documents.get(months, `${broken.id}|2026-01`)) !== null);
        await pause(1);
      }
      return states;
    })();
    const load = new Load(place.documents, [first, second], [broken.id, other.id]);
    await load.proceed(10);
    const command = { ...REBUILD_ALL, household: broken.id } as const;
    assert.deepEqual(await place.carryOut(command), { kind: 'done' });
    await load.proceed(10);
    await load.stop();
    watching.abort();
    assert.deepEqual([...(await seen)], [true]);
    assert.deepEqual(load.stale, []);
    const pointer = await readPointer(place.documents);
    assert.deepEqual(pointer.live, live, 'the same read models are live');
    assert.deepEqual([pointer.diverted, pointer.beside, pointer.dropping], [null, null, []]);
    await assertRight(place, [broken.id, other.id]);
  });

  it('puts one household right also where a command goes on from what is wrong meanwhile', async () => {
    const { id, transactions } = await household(first.streams, 9);
    await damageAmount(place, `${id}|${transactions[0]!}`);
    await announce(place.documents, { ...REBUILD_ALL, household: id });
    const command = { type: 'DeleteTransaction', id: transactions[0]! } as const;
    const { transactions: mended } = await place.liveModels();
    const documents = withOnce(place.documents, 'range', mended, {
      before: async () => void (await first.streams.execute(id, command, envelope())),
    });
    assert.deepEqual(await place.workOff(undefined, documents), { kind: 'done' });
    await assertRight(place, [id]);
  });

  it('puts one household right also where what a command read before is written in between', async () => {
    const { id, transactions } = await household(first.streams, 9);
    const { transactions: mended } = await place.liveModels();
    const reading = new Gate();
    const writing = new Gate();
    const slow = await place.process(
      withOnce(place.documents, 'getMany', mended, {
        after: async () => {
          reading.open();
          await writing.opened;
        },
      }),
    );
    // It knows the household, so that it goes on from the stored transaction.
    await slow.streams.load(id);
    await damageAmount(place, `${id}|${transactions[0]!}`);
    await announce(place.documents, { ...REBUILD_ALL, household: id });
    const command = { type: 'DeleteTransaction', id: transactions[0]! } as const;
    let executing: Promise<unknown> = Promise.resolve();
    let removals = 0;
    const documents = withOnce(
      withOnce(place.documents, 'remove', mended, {
        after: async () => {
          removals++;
          writing.open();
          await executing;
        },
      }),
      'range',
      mended,
      {
        before: async () => {
          executing = slow.streams.execute(id, command, envelope());
          await reading.opened;
        },
      },
    );
    assert.deepEqual(await place.workOff(undefined, documents), { kind: 'done' });
    await executing;
    assert.equal(removals, 1);
    await assertRight(place, [id]);
  });

  it('counts the events of one household', async () => {
    const { id, transactions } = await household(first.streams, 6);
    await damage(place, id, transactions);
    assert.deepEqual(await place.carryOut({ ...REBUILD_ALL, household: id }), { kind: 'done' });
    await assertRight(place, [id]);
    // Its month, six transactions and two changes.
    assert.equal((await place.progress())?.events, 9);
  });

  it('replaces one projection and leaves the others', async () => {
    const { id } = await household(first.streams, 5);
    const former = await readPointer(place.documents);
    await spoil(place.documents, former.live, id, 'merchants');
    const load = new Load(place.documents, [first, second], [id]);
    assert.deepEqual(await place.carryOut({ ...REBUILD_ALL, projection: 'merchants' }), { kind: 'done' });
    await load.proceed(10);
    await load.stop();
    const { live } = await readPointer(place.documents);
    const replaced = { merchants: 0, heads: 0 };
    assert.deepEqual({ ...live, ...replaced }, { ...former.live, ...replaced });
    assert.notEqual(live.merchants, former.live.merchants);
    assert.deepEqual(load.stale, []);
    await assertRight(place, [id]);
    const again = new Load(place.documents, [first, second], [id]);
    assert.deepEqual(await place.carryOut({ command: 'roll-back' }), { kind: 'done' });
    await again.proceed(10);
    await again.stop();
    assert.deepEqual(again.stale, []);
    assert.deepEqual((await readPointer(place.documents)).live, former.live);
    // As if what was spoilt had been right: it was gone back to as it was.
    assert.equal(await wrong(place, id), 1);
    await assert.rejects(
      announce(place.documents, { ...REBUILD_ALL, projection: 'months|x' }),
      (error: unknown) => error instanceof RebuildRefused && error.message.includes('fund-balances'),
    );
  });

  it('misses nothing of a command that began on the former read models, of one projection or of all', async () => {
    for (const projection of ['transactions', null]) {
      const { id, transactions } = await household(first.streams, 5);
      const former = await place.liveModels();
      assert.deepEqual(await place.carryOut({ ...REBUILD_ALL, projection }), { kind: 'done' });
      // A process that ended before it came to the new ones, when it had just written how far the former have come.
      const ended = new CommandStreams(place.store, place.documents, former);
      const storedHead = async () => (await place.documents.get(former.heads, id))?.revision;
      let amount = 100;
      do {
        const changes = { amount: ++amount };
        await ended.execute(id, { type: 'ChangeTransaction', id: transactions[0]!, changes }, envelope());
      } while ((await storedHead()) !== ended.knownRevision(id));
      await first.watch.look();
      await first.streams.catchUp(id);
      await assertRight(place, [id]);
    }
  });

  it('goes on with a rebuild that is asked for before the end of another', async () => {
    const { id } = await household(first.streams, 5);
    await announce(place.documents, REBUILD_ALL);
    const { last } = await readPointer(place.documents);
    const documents = whenRebuildEnds(place.documents, async () => {
      await announce(place.documents, REBUILD_ALL);
    });
    assert.deepEqual(await place.workOff(undefined, documents), { kind: 'done' });
    assert.deepEqual(await place.workOff(), { kind: 'done' });
    const pointer = await readPointer(place.documents);
    assert.equal(pointer.last, last + 1, 'it was asked for');
    assert.equal(pointer.rebuild, null);
    assert.equal(pointer.live.months, pointer.last);
    await assertRight(place, [id]);
  });

  it('tells why it was given up, also where the process that gave it up is gone before its end', async () => {
    const { id } = await household(first.streams, 5);
    const { last } = await readPointer(place.documents);
    const rebuild = await announce(place.documents, REBUILD_ALL);
    const corrupt = corrupting(place.documents, `months_g${last + 1}`, id);
    // It gets no further than to the next change of the pointer, each time.
    while ((await stateOf(place)) !== null) {
      const killed = killedAfter(corrupt, Infinity);
      await place.workOff(killed.signal, killed.documents).catch(() => undefined);
    }
    assert.notDeepEqual((await readPointer(place.documents)).dropping, []);
    const outcome = await place.workOff();
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.kind === 'failed' ? outcome.message : '', /do not match its events/);
    const progress = await place.progress();
    assert.deepEqual([progress?.id, progress?.state], [rebuild, 'failed']);
    assert.match(progress?.message ?? '', /do not match its events/);
    assert.deepEqual((await readPointer(place.documents)).dropping, []);
    await assertRight(place, [id]);
  });

  it('is given up on demand', async () => {
    await household(first.streams, 2);
    const { live } = await readPointer(place.documents);
    await announce(place.documents, REBUILD_ALL);
    await assert.rejects(announce(place.documents, { ...REBUILD_ALL, projection: 'months' }), RebuildRefused);
    assert.deepEqual(await place.carryOut({ command: 'give-up' }), { kind: 'done' });
    const pointer = await readPointer(place.documents);
    assert.deepEqual(pointer.live, live);
    assert.deepEqual([pointer.rebuild, pointer.beside, pointer.dropping], [null, null, []]);
    await assert.rejects(announce(place.documents, { command: 'give-up' }), RebuildRefused);
  });

  it('is given up after it has begun, and leaves nothing behind', async () => {
    await household(first.streams, 2);
    await announce(place.documents, { ...REBUILD_ALL, projection: 'months' });
    for (let uses = 3; (await stateOf(place))?.phase !== 'verifying'; uses += 3) {
      const killed = killedAfter(place.documents, uses);
      await place.workOff(killed.signal, killed.documents).catch(() => undefined);
    }
    const checkpoints = () =>
      place.documents.range(REBUILD_CHECKPOINTS, { from: '0', before: '~', limit: 10 });
    assert.equal((await checkpoints()).length, 1);
    // What is left to do is the end of the rebuild, which failed.
    const given = { kind: 'failed', message: 'It was cancelled.' };
    assert.deepEqual(await place.carryOut({ command: 'give-up' }), given);
    assert.deepEqual((await readPointer(place.documents)).dropping, []);
    assert.deepEqual(await checkpoints(), []);
  });

  it('waits for a process that has not confirmed, until that can serve nothing any more', async () => {
    const frozen = await place.process();
    const { id, transactions } = await household(frozen.streams, 5);
    const former = await readPointer(place.documents);
    frozen.freeze();
    const begun = performance.now();
    assert.deepEqual(await place.carryOut(REBUILD_ALL), { kind: 'done' });
    assert.ok(performance.now() - begun >= 5_000, 'it was waited for');
    const { live } = await readPointer(place.documents);
    assert.notDeepEqual(live, former.live);
    await first.streams.execute(id, { type: 'DeleteTransaction', id: transactions[0]! }, envelope());
    frozen.thaw();
    // Before it has looked: the former read models do not have the last command.
    assert.throws(() => frozen.streams.modelsOf(id), ReadModelsUnconfirmed);
    await assert.rejects(frozen.streams.load(id), ReadModelsUnconfirmed);
    await until(() => frozen.watch.unconfirmedMs() < 1_000);
    assert.deepEqual(frozen.streams.modelsOf(id).generations, live);
    // What it knew of documents was of the former ones: it writes everything that is missing.
    await frozen.streams.execute(id, { type: 'DeleteTransaction', id: transactions[1]! }, envelope());
    await assertRight(place, [id]);
  });

  it('gives no answer of read models that were left meanwhile', async () => {
    const began = first.watch.current();
    assert.doesNotThrow(() => first.watch.confirm(began));
    assert.deepEqual(await place.carryOut(REBUILD_ALL), { kind: 'done' });
    await first.watch.look();
    assert.throws(() => first.watch.confirm(began), ReadModelsUnconfirmed);
    assert.doesNotThrow(() => first.watch.confirm(first.watch.current()));
  });
}

async function stateOf(place: RebuildPlace) {
  return (await readPointer(place.documents)).rebuild;
}

async function wrong(place: RebuildPlace, householdId: string): Promise<number> {
  const models = await place.liveModels();
  let revision = -1;
  for await (const page of place.store.readStream(`household-${householdId}`)) {
    revision = page.at(-1)?.revision ?? revision;
  }
  // Documents ahead of the stream are wrong, too.
  const found = async (): Promise<boolean> => true;
  const options = { revision, found };
  const compared = await compareWithFold(place.store, place.documents, models, householdId, options);
  assert.ok(compared.documents > 0);
  return compared.mismatched;
}

async function assertRight(place: RebuildPlace, households: readonly string[]): Promise<void> {
  for (const id of households) assert.equal(await wrong(place, id), 0, `household ${id} is right`);
}

/** A wrong document at its own revision, one far ahead, one too many, and one that is gone. */
async function damage(place: RebuildPlace, id: string, transactions: readonly string[]): Promise<void> {
  const { transactions: collection, merchants } = await place.liveModels();
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
  const { transactions } = await place.liveModels();
  const right = (await place.documents.get(transactions, key))!;
  const record = { ...right.record, amount: 1 };
  await place.documents.remove(transactions, key);
  await place.documents.put(transactions, [{ ...right, record }]);
  return record;
}

async function spoil(
  documents: Documents,
  live: Parameters<typeof readModelsOf>[0],
  id: string,
  name: 'merchants',
): Promise<void> {
  const extra = { key: `${id}|nobody`, revision: 3, merchant: 'Nobody', item_id: freshId() };
  await documents.put(readModelsOf(live)[name], [extra]);
}

/** Only the two collections that are looked at. */
function empty(former: ReturnType<typeof readModelsOf>): Partial<ReturnType<typeof readModelsOf>> {
  const other = former.months as never;
  const names = ['identities', 'untrackedCounts', 'fundBalances', 'transactionChanges', 'merchants'] as const;
  return Object.fromEntries(names.map(name => [name, other]));
}

/** Documents that fail for good after some uses, or a change of the pointer: its user gets no further. */
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
        if (name === 'replace' && parameters[0] === GENERATION_POINTER) controller.abort();
        return result;
      };
    },
  });
  return { documents: killed, signal: controller.signal };
}

/** Opened once, by whoever comes to it. */
class Gate {
  open!: () => void;
  readonly opened = new Promise<void>(resolve => (this.open = resolve));
}

/** Does something at the first use of a collection by one method. */
function withOnce(
  documents: Documents,
  method: 'range' | 'remove' | 'getMany',
  { name: collection }: { readonly name: string },
  act: { readonly before?: () => Promise<void>; readonly after?: () => Promise<void> },
): Documents {
  let used = false;
  return new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...parameters: unknown[]): Promise<unknown> => {
        const [named] = parameters as { name?: string }[];
        const isFirst = name === method && named?.name === collection && !used;
        if (isFirst) used = true;
        if (isFirst) await act.before?.();
        const result = (await Reflect.apply(value, target, parameters)) as unknown;
        if (isFirst) await act.after?.();
        return result;
      };
    },
  });
}

/** Does something once, right after a rebuild has ended. */
function whenRebuildEnds(documents: Documents, act: () => Promise<void>): Documents {
  let ended = false;
  return new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...parameters: unknown[]): Promise<unknown> => {
        const result = (await Reflect.apply(value, target, parameters)) as unknown;
        const [collection, document] = parameters;
        if (name !== 'replace' || collection !== GENERATION_POINTER || ended) return result;
        ended = (document as GenerationPointer).rebuild === null;
        if (ended) await act();
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
