import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DocumentsUnavailable, type Document, type Documents } from '#storage/documents/documents';
import { readModelsOf } from '../households/read-models.js';
import { snapshotCollections } from '../households/snapshots.js';
import { freshId, SILENT, workplace, type Workplace } from '../households/streams.scenario.js';
import {
  changeActiveVersion,
  FIRST_ACTIVE_VERSION,
  ACTIVE_VERSION,
  readActiveVersion,
  type ActiveVersion,
  type VersionChange,
  HEARTBEATS,
} from './active-version.js';
import { HEARTBEAT_MS, ReadModelsUnconfirmed, UNCONFIRMED_MS, VersionWatch } from './live-streams.js';

const [FIRST, SECOND] = [1, 2];
type Collections = Parameters<Documents['ensure']>[0];

function beside(version: number, complete = true): ActiveVersion['beside'] {
  return { version, complete };
}

describe(VersionWatch.name, () => {
  let place: Workplace;
  let owner: string;
  let calls: string[];
  let ensured: Set<string>;
  let documents: Documents;
  /** Awaited before the active version is read. */
  let reading: () => Promise<void>;

  before(async () => {
    place = await workplace();
    await place.documents.ensure([ACTIVE_VERSION, HEARTBEATS]);
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
          calls.push(name === 'put' ? `tells ${Reflect.get(given[1][0]!, 'actsBy')}` : String(name));
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
  });

  function watching(now: () => number = () => 0, log = SILENT): VersionWatch {
    return new VersionWatch(documents, { owner, shared: true, log, now });
  }

  async function announce(change: VersionChange): Promise<number> {
    const pointer = await readActiveVersion(place.documents);
    return (await changeActiveVersion(place.documents, pointer, { ...FIRST_ACTIVE_VERSION, ...change }))!
      .revision;
  }

  const presence = (): Promise<Document | null> => place.documents.get(HEARTBEATS, owner);

  it('tells that it is there before it looks, and acts by what it has made sure of', async () => {
    const revision = await announce({ active: FIRST, beside: beside(SECOND, false) });
    const watch = watching();
    await watch.start(() => null);
    assert.deepEqual(calls, ['tells -1', 'get', 'ensure', `tells ${revision}`]);
    const acted = [readModelsOf(FIRST).months, readModelsOf(SECOND).months, snapshotCollections('_g2').parts];
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
    await announce({ active: SECOND });
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

  it('has confirmed the active version as of when it began to look', async () => {
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

  it('confirms what was read of versions that are still written, and nothing else', async () => {
    for (const [earlier, present, isGood] of [
      [{}, {}, true],
      [{}, { active: SECOND, beside: beside(FIRST) }, true],
      [{}, { active: SECOND, beside: beside(FIRST, false) }, false],
      [{}, { active: SECOND }, false],
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
      context.mock.timers.tick(HEARTBEAT_MS);
      while (looks.length === length) await turn();
      // It comes in its turn: the other one has ended then.
      await watch.look().catch(() => undefined);
      await turn();
      assert.equal(told, toldBy);
    }
    const { length } = looks;
    await watch.stop();
    context.mock.timers.tick(HEARTBEAT_MS);
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.equal(looks.length, length);
  });
});
