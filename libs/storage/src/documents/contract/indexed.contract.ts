import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Collection, Document, Documents, IndexDefinition, IndexQuery, Json } from '../documents.js';
import { CollectionModel } from './collection-model.fixture.js';
import { countOf, drawName, duplicateOf, keysOf, type DocumentsAdapter } from './sample.fixture.js';
import { propertyRuns } from '../../../../../test/property-runs.js';

/** A document of which no index names a field: everything that it is found by is made of its content. */
interface Packed extends Document {
  readonly content: { readonly day: number; readonly text: string; readonly words: readonly string[] };
}

const BY_DAY: IndexDefinition = {
  name: 'by_day',
  equals: ['household'],
  sort: 'place',
  sortUnique: true,
  covers: ['lower', 'length'],
};
const BY_WORD: IndexDefinition = {
  name: 'by_word',
  equals: ['household', 'words'],
  list: 'words',
  sort: 'place',
  sortUnique: true,
  covers: ['lower', 'length'],
};
const BY_LENGTH: IndexDefinition = { name: 'by_length', equals: ['household', 'length'], sort: 'day' };
const BY_TEXT: IndexDefinition = { name: 'by_text', equals: ['household', 'lower'], unique: true };
const INDEXES = [BY_DAY, BY_WORD, BY_LENGTH, BY_TEXT];

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const HISTORIES = propertyRuns(40);
/** More documents than one step of an adapter may take when it fills an index. */
const MANY = 600;

/** What the collections whose names begin with `packed` are found by. */
function packedFields({ key, content: { day, text, words } }: Packed): Readonly<Record<string, Json>> {
  const [household = '', name = ''] = key.split('|');
  const date = String(day).padStart(4, '0');
  return {
    household,
    day: date,
    place: `${date}|${name}`,
    lower: text.toLowerCase(),
    length: text.length,
    words,
  };
}

function packed(key: string, day: number, text: string, revision = 1): Packed {
  return { key, revision, content: { day, text, words: text.toLowerCase().split(' ') } };
}

/** Fields that a collection computes for its indexes, and indexes in which no two entries have one place. */
export function indexedContract(adapter: DocumentsAdapter): void {
  for (const durability of ['durable', 'derived'] as const) {
    describe(`of a ${durability} collection`, () => durabilityContract(adapter, durability));
  }
}

function durabilityContract(adapter: DocumentsAdapter, durability: Collection<Packed>['durability']): void {
  const collection: Collection<Packed> = {
    name: drawName('packed'),
    durability,
    indexes: INDEXES,
    indexed: packedFields,
  };
  let documents: Documents;
  let households = 0;
  const household = (): string => `h${(households += 1)}`;

  before(async () => {
    documents = await adapter.open({});
    await documents.ensure([collection]);
  });
  after(async () => {
    await documents.drop(collection.name);
    await documents.close();
  });

  const found = async (
    index: string,
    equals: IndexQuery['equals'],
    rest: Partial<IndexQuery> = {},
  ): Promise<string[]> => keysOf(await documents.query(collection, { index, equals, limit: 99, ...rest }));

  it('finds documents by computed fields and answers them without', async () => {
    const h = household();
    const document = packed(`${h}|1`, 5, 'Red Apple');
    await documents.put(collection, [document, packed(`${h}|2`, 4, 'green apple')]);
    assert.deepEqual(await documents.get(collection, document.key), document);
    assert.deepEqual(
      await documents.query(collection, {
        index: 'by_word',
        equals: { household: h, words: 'red' },
        limit: 9,
      }),
      [document],
    );
    assert.deepEqual(await found('by_word', { household: h, words: 'apple' }), [`${h}|2`, `${h}|1`]);
    assert.deepEqual(await found('by_length', { household: h, length: 9 }), [`${h}|1`]);
    assert.deepEqual(await documents.range(collection, { from: h, before: `${h}|2`, limit: 9 }), [document]);
    assert.equal(
      await countOf(documents, collection, { index: 'by_day', equals: { household: h }, limit: 9 }),
      2,
    );
  });

  it('decides conditions on computed fields', async () => {
    const h = household();
    await documents.put(collection, [packed(`${h}|1`, 1, 'ALPHA'), packed(`${h}|2`, 2, 'Beta')]);
    const where = (...conditions: NonNullable<IndexQuery['where']>): Promise<string[]> =>
      found('by_day', { household: h }, { where: conditions });
    assert.deepEqual(await where({ field: 'lower', contains: 'lph' }), [`${h}|1`]);
    assert.deepEqual(await where({ field: 'lower', contains: 'LPH' }), []);
    assert.deepEqual(await where({ field: 'length', equals: 4 }, { field: 'lower', contains: 'x' }), [
      `${h}|2`,
    ]);
  });

  it('holds unique indexes to computed fields', async () => {
    const h = household();
    await documents.insert(collection, packed(`${h}|1`, 1, 'Same'));
    const other = packed(`${h}|2`, 2, 'sAME');
    await assert.rejects(documents.insert(collection, other), duplicateOf(collection, 'by_text'));
    await assert.rejects(documents.put(collection, [other]), duplicateOf(collection, 'by_text'));
    await documents.remove(collection, `${h}|1`);
    await documents.insert(collection, other);
  });

  it('follows a document whose computed fields change', async () => {
    const h = household();
    const key = `${h}|1`;
    await documents.put(collection, [packed(key, 1, 'one two')]);
    await documents.put(collection, [packed(key, 7, 'two three', 2)]);
    await documents.put(collection, [packed(`${h}|2`, 3, 'two')]);
    assert.deepEqual(await found('by_word', { household: h, words: 'one' }), []);
    assert.deepEqual(await found('by_word', { household: h, words: 'two' }), [`${h}|2`, key]);
    assert.equal(await documents.replace(collection, packed(key, 2, 'four', 3), 2), true);
    assert.deepEqual(await found('by_day', { household: h }), [key, `${h}|2`]);
    await documents.remove(collection, key);
    assert.deepEqual(await found('by_word', { household: h, words: 'four' }), []);
    assert.deepEqual(await found('by_day', { household: h }), [`${h}|2`]);
  });

  it('goes on behind a sort value that only one entry has', async () => {
    const h = household();
    const keys = ['1', '2', '3', '4'].map(name => `${h}|${name}`);
    await documents.put(
      collection,
      keys.map((key, day) => packed(key, day, `word n${day}`)),
    );
    for (const where of [undefined, [{ field: 'lower', contains: 'word' }]]) {
      for (const [index, equals] of [
        ['by_day', { household: h }],
        ['by_word', { household: h, words: 'word' }],
      ] as const) {
        const page = (order: IndexQuery['order'], after: IndexQuery['after']): Promise<string[]> =>
          found(index, equals, { limit: 2, order: order!, after: after!, ...(where && { where }) });
        assert.deepEqual(await page('ascending', { sort: '0001|2' }), [keys[2], keys[3]]);
        assert.deepEqual(await page('ascending', { sort: '0001|2', key: keys[1]! }), [keys[2], keys[3]]);
        assert.deepEqual(await page('ascending', { sort: '0001' }), [keys[1], keys[2]]);
        assert.deepEqual(await page('descending', { sort: '0002|3' }), [keys[1], keys[0]]);
        assert.deepEqual(await page('descending', { sort: '0000|1' }), []);
      }
    }
  });

  it('fills an index that was added by what is computed', async () => {
    const former: Collection<Packed> = {
      name: drawName('packed'),
      durability,
      indexes: [BY_DAY],
      indexed: packedFields,
    };
    const latter: Collection<Packed> = { ...former, indexes: INDEXES };
    try {
      await documents.ensure([former]);
      await documents.put(
        former,
        Array.from({ length: MANY }, (_, n) =>
          packed(`h|${n}`, n, `Number ${n} ${n % 2 === 0 ? 'even' : 'odd'}`),
        ),
      );
      await documents.ensure([latter]);
      const query = { index: 'by_word', equals: { household: 'h', words: 'odd' }, limit: MANY };
      assert.equal((await documents.query(latter, query)).length, MANY / 2);
      await assert.rejects(
        documents.insert(latter, packed('h|new', 1, 'nuMBer 7 ODD')),
        duplicateOf(latter, 'by_text'),
      );
    } finally {
      await documents.drop(former.name);
    }
  });

  it('answers as the model does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 30 }), async history => {
        const h = household();
        const model = new CollectionModel(collection);
        for (const step of history) await step(model, h);
      }),
      { numRuns: HISTORIES },
    );
  });

  type Step = (model: CollectionModel<Packed>, h: string) => Promise<void>;
  const name = fc.constantFrom(...NAMES);
  // The name is one of the words, so that texts are unique and puts never refused.
  const putSteps = fc
    .tuple(
      name,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom('X y', 'Y', 'x z'),
    )
    .map(([of, revision, day, words]): Step => async (model, h) => {
      const document = packed(`${h}|${of}`, day, `${words} ${of}`, revision);
      await documents.put(collection, [document]);
      model.put([document]);
    });
  const removeSteps = name.map((of): Step => async (model, h) => {
    assert.equal(await documents.remove(collection, `${h}|${of}`), model.remove(`${h}|${of}`));
  });
  const querySteps = fc
    .record({
      word: fc.option(fc.constantFrom('x', 'y', 'z')),
      order: fc.constantFrom('ascending', 'descending'),
      after: fc.option(fc.tuple(fc.integer({ min: 0, max: 3 }), name)),
      contains: fc.option(fc.constantFrom('y', 'z', ' b')),
      limit: fc.integer({ min: 0, max: 7 }),
    })
    .map(({ word, order, after, contains, limit }): Step => async (model, h) => {
      const query: IndexQuery = {
        index: word === null ? 'by_day' : 'by_word',
        equals: word === null ? { household: h } : { household: h, words: word },
        order,
        limit,
        ...(after && { after: { sort: `000${after[0]}|${after[1]}` } }),
        ...(contains !== null && { where: [{ field: 'lower', contains }] }),
      };
      assert.deepEqual(await documents.query(collection, query), model.query(query));
    });
  const steps = fc.oneof(
    { arbitrary: putSteps, weight: 4 },
    { arbitrary: removeSteps, weight: 1 },
    { arbitrary: querySteps, weight: 4 },
  );
}
