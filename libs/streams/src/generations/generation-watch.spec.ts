import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DocumentsUnavailable, type Document, type Documents } from '#documents/documents';
import { generationsOf, readModelsOf } from '../read-models.js';
import { snapshotCollections } from '../snapshots.js';
import { freshId, SILENT, workplace, type Workplace } from '../streams.scenario.js';
import {
  changePointer,
  FIRST_POINTER,
  GENERATION_POINTER,
  readPointer,
  type PointerChange,
  type WrittenBeside,
} from './generation-pointer.js';
import { GenerationWatch, ReadModelsUnconfirmed } from './generation-watch.js';
import { PRESENCE_MS, PRESENCES, UNCONFIRMED_MS } from './presences.js';

const [FIRST, SECOND] = [generationsOf(1), generationsOf(2)];
type Collections = Parameters<Documents['ensure']>[0];

function beside(complete: boolean): WrittenBeside {
  return { generations: FIRST, written: null, snapshots: 7, complete, household: null };
}

describe(GenerationWatch.name, () => {
  let place: Workplace;
  let owner: string;
  let calls: string[];
  let ensured: Set<string>;
  let documents: Documents;
  /** Awaited before the pointer is read. */
  let reading: () => Promise<void>;

  before(async () => {
    place = await workplace();
    await place.documents.ensure([GENERATION_POINTER, PRESENCES]);
  });
  after(() => place.close());

  beforeEach(() => {
    owner = freshId();
    calls = [];
    ensured = new Set();
    reading = async () => undefined;
    documents = new Proxy(place.documents, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...given: [unknown, readonly Document[]]): Promise<unknown> => {
          if (name === 'get') await reading();
          if (name === 'ensure')
            for (const collection of given[0] as Collections) ensured.add(collection.name);
          calls.push(name === 'put' ? `tells ${Reflect.get(given[1][0]!, 'pointer')}` : String(name));
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
  });

  function watching(now: () => number = () => 0, log = SILENT): GenerationWatch {
    return new GenerationWatch(documents, { owner, shared: true, log, now });
  }

  async function announce(change: PointerChange): Promise<number> {
    const pointer = await readPointer(place.documents);
    return (await changePointer(place.documents, pointer, { ...FIRST_POINTER, ...change }))!.revision;
  }

  const presence = (): Promise<Document | null> => place.documents.get(PRESENCES, owner);

  it('tells that it is there before it looks, and acts by what it has made sure of', async () => {
    const revision = await announce({ live: SECOND, beside: beside(false) });
    const watch = watching();
    await watch.start(() => null);
    assert.deepEqual(calls, ['tells -1', 'get', 'ensure', `tells ${revision}`]);
    const acted = [readModelsOf(FIRST).months, readModelsOf(SECOND).months, snapshotCollections('_g7').parts];
    for (const { name } of acted) assert.ok(ensured.has(name), name);
    calls = [];
    await Promise.all([watch.look(), watch.look()]);
    assert.deepEqual(calls, [`tells ${revision}`, 'get', `tells ${revision}`, 'get']);
    await watch.stop();
    assert.equal(await presence(), null);
  });

  it('is not there any more after its end, also where it was just looking', async () => {
    await announce({});
    const watch = watching();
    await watch.start(() => null);
    await announce({ live: SECOND });
    let read = (): void => undefined;
    const asked = new Promise<void>(begun => {
      reading = () => {
        begun();
        return new Promise(resolve => (read = resolve));
      };
    });
    const looking = watch.look();
    await asked;
    const stopped = watch.stop();
    for (let turns = 0; turns < 20; turns++) await turn();
    read();
    await Promise.all([looking, stopped]);
    assert.equal(await presence(), null);
  });

  it('has made sure of the pointer as of when it began to look', async () => {
    await announce({});
    let now = 0;
    const watch = watching(() => now);
    reading = async () => void (now += UNCONFIRMED_MS + 1);
    await watch.start(() => null);
    assert.throws(() => watch.current(), ReadModelsUnconfirmed);
    reading = async () => undefined;
    await watch.look();
    assert.equal(watch.unconfirmedMs(), 0);
    watch.current();
    await watch.stop();
  });

  it('confirms what was read of sets that are written up to now, and nothing else', async () => {
    const one = { household: freshId(), generations: SECOND };
    for (const [earlier, present, isGood] of [
      [{}, {}, true],
      [{}, { live: SECOND, beside: beside(true) }, true],
      [{}, { live: SECOND, beside: beside(false) }, false],
      [{}, { live: SECOND }, false],
      [{}, { diverted: one }, true],
      [{ diverted: one }, {}, false],
      [{ diverted: one }, { live: SECOND, beside: beside(true) }, true],
    ] as const) {
      await announce(earlier);
      const watch = watching();
      await watch.start(() => null);
      const pointer = watch.current();
      await announce(present);
      await watch.look();
      const confirm = (): void => watch.confirm(pointer);
      if (isGood) confirm();
      else assert.throws(confirm, ReadModelsUnconfirmed);
      await watch.stop();
    }
  });

  it('looks by itself until its end, and tells once why it cannot', { timeout: 60_000 }, async context => {
    await announce({});
    context.mock.timers.enable({ apis: ['setInterval'] });
    let told = 0;
    const watch = watching(() => 0, { ...SILENT, error: () => void (told += 1) });
    await watch.start(() => null);
    const looks: boolean[] = [];
    let isAway = false;
    reading = async () => {
      looks.push(isAway);
      if (isAway) throw new DocumentsUnavailable('away');
    };
    for (const [away, toldBy] of [
      [true, 1],
      [true, 1],
      [false, 1],
      [true, 2],
    ] as const) {
      isAway = away;
      const { length } = looks;
      context.mock.timers.tick(PRESENCE_MS);
      while (looks.length === length) await turn();
      // It comes in its turn: the other one has ended then.
      await watch.look().catch(() => undefined);
      await turn();
      assert.equal(told, toldBy);
    }
    const { length } = looks;
    await watch.stop();
    context.mock.timers.tick(PRESENCE_MS);
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.equal(looks.length, length);
  });
});
