import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { DocumentsUnavailable, type Collection, type Documents, type IndexDefinition } from '../documents.js';
import {
  countOf,
  drawName,
  duplicateOf,
  INDEXES,
  keysOf,
  type DocumentsAdapter,
  type Sample,
} from './sample.fixture.js';

/** More documents than one step of an adapter may take when it fills an index or drops a collection. */
const MANY = 2_100;

export function collectionsContract(adapter: DocumentsAdapter): void {
  let documents: Documents;
  const drawn: string[] = [];
  const draw = (
    durability: Collection<Sample>['durability'] = 'durable',
    indexes = INDEXES,
  ): Collection<Sample> => {
    const name = drawName();
    drawn.push(name);
    return { name, durability, indexes };
  };
  before(async () => {
    documents = await adapter.open({});
  });
  after(async () => {
    for (const name of drawn) await documents.drop(name);
    await documents.close();
  });

  it('changes nothing when a collection is ensured again', async () => {
    const collection = draw();
    await documents.ensure([collection]);
    await documents.put(collection, [{ key: 'k', revision: 1, household: 'h', email: 'e' }]);
    await documents.ensure([collection, { ...collection }]);
    await Promise.all([documents.ensure([collection]), documents.ensure([collection])]);
    assert.deepEqual(await documents.get(collection, 'k'), {
      key: 'k',
      revision: 1,
      household: 'h',
      email: 'e',
    });
    assert.equal(
      await countOf(documents, collection, { index: 'by_email', equals: { email: 'e' }, limit: 9 }),
      1,
    );
  });

  it('has what was put where everybody finds it before anything derived is changed otherwise', async () => {
    const [put, changed] = [draw('derived'), draw('derived')];
    await documents.ensure([put, changed]);
    const beside = await adapter.openBeside(documents);
    const changes = {
      insert: () => documents.insert(changed, { key: 'k', revision: 1, household: 'h' }),
      replace: () => documents.replace(changed, { key: 'k', revision: 2, household: 'h' }, 1),
      remove: () => documents.remove(changed, 'k', 2),
      removePrefix: () => documents.removePrefix(changed, 'k'),
    };
    try {
      await beside.ensure([put, changed]);
      for (const [key, change] of Object.entries(changes)) {
        await documents.put(put, [{ key, revision: 1, household: 'h' }]);
        await change();
        assert.deepEqual(await beside.get(put, key), { key, revision: 1, household: 'h' });
      }
    } finally {
      await beside.close();
    }
  });

  it('keeps collections apart', async () => {
    const [one, other] = [draw(), draw('derived')];
    await documents.ensure([one, other]);
    await documents.insert(one, { key: 'k', revision: 1, email: 'e' });
    assert.equal(await documents.get(other, 'k'), null);
    await documents.insert(other, { key: 'k', revision: 2, email: 'e' });
    assert.equal((await documents.get(one, 'k'))?.revision, 1);
  });

  it('writes to several collections at once', async () => {
    const [durable, derived, third] = [draw(), draw('derived'), draw('derived')];
    await documents.ensure([durable, derived, third]);
    await documents.put(third, [{ key: 'k', revision: 9 }]);
    await documents.putAll([
      { collection: durable, documents: [{ key: 'k', revision: 1 }] },
      {
        collection: derived,
        documents: [
          { key: 'k', revision: 2 },
          { key: 'l', revision: 2 },
        ],
      },
      { collection: third, documents: [{ key: 'k', revision: 3 }] },
    ]);
    assert.equal((await documents.get(durable, 'k'))?.revision, 1);
    assert.deepEqual(keysOf(await documents.getMany(derived, ['k', 'l'])).sort(), ['k', 'l']);
    assert.equal((await documents.get(third, 'k'))?.revision, 9);
  });

  for (const durability of ['durable', 'derived'] as const) {
    it(`finds the former documents of a ${durability} collection by an index that was added`, async () => {
      const former = draw(durability, [INDEXES[0]!]);
      await documents.ensure([former]);
      await documents.put(
        former,
        Array.from({ length: MANY }, (_, number) => ({
          key: `k${String(number).padStart(3, '0')}`,
          revision: 1,
          household: 'h',
          date: String(number % 7),
          tags: [number % 2 === 0 ? 'even' : 'odd', 'all'],
          email: `e${number}`,
        })),
      );
      const latter = { ...former, indexes: INDEXES };
      await documents.ensure([latter]);
      for (const [tags, counted] of [
        ['even', MANY / 2],
        ['odd', MANY / 2],
        ['all', MANY],
      ] as const) {
        const query = { index: 'by_tag', equals: { household: 'h', tags }, limit: MANY + 1 };
        assert.equal((await documents.query(latter, query)).length, counted);
      }
      assert.equal(
        await countOf(documents, latter, { index: 'by_date', equals: { household: 'h' }, limit: MANY + 1 }),
        MANY,
      );
      await assert.rejects(
        documents.insert(latter, { key: 'new', revision: 1, email: 'e5' }),
        duplicateOf(latter, 'by_email'),
      );
      await documents.remove(latter, 'k005');
      await documents.insert(latter, { key: 'new', revision: 1, email: 'e5' });
    });
  }

  it('follows an index whose definition changed', async () => {
    const former = draw('derived', [{ name: 'found', equals: ['household'], sort: 'date' }]);
    await documents.ensure([former]);
    await documents.put(former, [
      { key: 'a', revision: 1, household: 'h', date: '2', state: 's', text: 'x' },
      { key: 'b', revision: 1, household: 'h', date: '1', state: 's', text: 'y' },
    ]);
    const latter = {
      ...former,
      indexes: [{ name: 'found', equals: ['state'], sort: 'text', covers: ['text'] }],
    };
    await documents.ensure([latter]);
    const query = { index: 'found', equals: { state: 's' }, limit: 9 };
    assert.deepEqual(keysOf(await documents.query(latter, query)), ['a', 'b']);
    assert.deepEqual(
      keysOf(await documents.query(latter, { ...query, where: [{ field: 'text', contains: 'y' }] })),
      ['b'],
    );
  });

  it('follows an index in which no two entries have one place any more, and back', async () => {
    const tied: IndexDefinition = { name: 'found', equals: ['household'], sort: 'date' };
    const collection = draw('derived', [tied]);
    for (const [at, index] of [tied, { ...tied, sortUnique: true as const }, tied].entries()) {
      const current = { ...collection, indexes: [index] };
      await documents.ensure([current]);
      await documents.put(current, [{ key: `k${at}`, revision: 1, household: 'h', date: String(at) }]);
      const query = { index: 'found', equals: { household: 'h' }, limit: 9 };
      assert.deepEqual(keysOf(await documents.query(current, query)), ['k0', 'k1', 'k2'].slice(0, at + 1));
    }
  });

  it('makes an index anew that was not declared for a while', async () => {
    const [byDate, , byState] = INDEXES as readonly [IndexDefinition, IndexDefinition, IndexDefinition];
    const both = draw('derived', [byDate, byState]);
    const one = { ...both, indexes: [byDate] };
    const sample = { revision: 1, household: 'h', date: '1', state: 's' };
    await documents.ensure([both]);
    await documents.put(both, [{ ...sample, key: 'a' }]);
    await documents.ensure([one]);
    await documents.put(one, [{ ...sample, key: 'b' }]);
    await documents.ensure([both]);
    const query = { index: 'by_state', equals: { household: 'h', state: 's' }, limit: 9 };
    assert.deepEqual(keysOf(await documents.query(both, query)), ['a', 'b']);
  });

  for (const [how, again] of [
    ['dropped and made again', async (former: Collection<Sample>) => documents.drop(former.name)],
    ['defined otherwise', async () => undefined],
  ] as const) {
    it(`finds through any connection what is put into an index that was ${how}`, async () => {
      const found = { name: 'found', equals: ['household'], sort: 'date' };
      const former = draw('derived', [found]);
      const latter = { ...former, indexes: [{ ...found, covers: ['text'] }] };
      const sample = { revision: 1, date: '1' };
      await documents.ensure([former]);
      await documents.put(former, [
        { ...sample, key: 'a', household: 'h' },
        { ...sample, key: 'b', household: 'i' },
      ]);
      await again(former);
      await documents.ensure([latter]);
      await documents.put(latter, [{ ...sample, key: 'c', household: 'i' }]);
      const query = { index: 'found', equals: { household: 'i' }, limit: 9 };
      const all = keysOf(await documents.query(latter, query));
      assert.ok(all.includes('c'));
      const beside = await adapter.openBeside(documents);
      try {
        await beside.ensure([latter]);
        assert.deepEqual(keysOf(await beside.query(latter, query)), all);
      } finally {
        await beside.close();
      }
    });
  }

  it('drops a collection with all that belongs to it', async () => {
    const collection = draw();
    await documents.ensure([collection]);
    await documents.put(
      collection,
      Array.from({ length: MANY }, (_, number) => ({
        key: `k${number}`,
        revision: 9,
        household: 'h',
        email: `e${number}`,
      })),
    );
    await documents.drop(collection.name);
    await documents.drop(collection.name);
    await documents.ensure([collection]);
    assert.equal(await documents.get(collection, 'k1'), null);
    const query = { index: 'by_date', equals: { household: 'h' }, limit: 9 };
    assert.equal(await countOf(documents, collection, query), 0);
    await documents.insert(collection, { key: 'k1', revision: 1, household: 'h', email: 'e2' });
    assert.deepEqual(keysOf(await documents.query(collection, query)), ['k1']);
  });

  it('drops nothing where there is nothing', async () => {
    await documents.drop(drawName());
  });

  it('refuses a definition that breaks the rules', async () => {
    const wrong: Pick<Collection<Sample>, 'name' | 'indexes'>[] = [
      { name: 'Upper', indexes: [] },
      { name: '1st', indexes: [] },
      { name: `x${'y'.repeat(60)}`, indexes: [] },
      { name: 'twice', indexes: [INDEXES[0]!, INDEXES[0]!] },
      { name: 'nothing', indexes: [{ name: 'none', equals: [] }] },
      { name: 'ordered', indexes: [{ name: 'one', equals: ['email'], sort: 'date', unique: true }] },
      { name: 'unordered', indexes: [{ name: 'one', equals: ['email'], sortUnique: true }] },
    ];
    for (const each of wrong) {
      await assert.rejects(documents.ensure([{ durability: 'durable', ...each }]), RangeError, each.name);
    }
  });

  it('answers a ping while it is open', async () => {
    await documents.ping();
  });

  it('is unavailable when it is closed', async () => {
    const closing = await adapter.open({});
    const collection = draw();
    await closing.ensure([collection]);
    await closing.close();
    for (const act of [
      (): Promise<unknown> => closing.ping(),
      (): Promise<unknown> => closing.get(collection, 'k'),
      (): Promise<unknown> => closing.put(collection, [{ key: 'k', revision: 1 }]),
      (): Promise<unknown> => closing.insert(collection, { key: 'k', revision: 1 }),
    ]) {
      await assert.rejects(act(), DocumentsUnavailable);
    }
    await closing.close();
  });
}
