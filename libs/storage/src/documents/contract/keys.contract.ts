import assert from 'node:assert/strict';
import { it } from 'node:test';
import { QUERY_LIMIT_MAX } from '../documents.js';
import { TextDigest } from '../text-digest.js';
import { byBytes } from './collection-model.fixture.js';
import { countOf, keysOf, type Context, type Sample } from './sample.fixture.js';

export function keyContract(context: Context): void {
  const { collection, household } = context;
  const fill = (keys: readonly string[]): Promise<void> =>
    context.documents.put(
      collection,
      keys.map(key => ({ key, revision: 1 })),
    );

  it('gets null for a key that is not there', async () => {
    assert.equal(await context.documents.get(collection, household()), null);
  });

  it('tells keys apart that differ by case, accent form or a blank at the end', async () => {
    const h = household();
    const keys = ['a', 'A', '\u00e9', 'e\u0301', 'a ', ''].map(end => `${h}|${end}`);
    await fill(keys);
    for (const key of keys) assert.equal((await context.documents.get(collection, key))?.key, key);
  });

  it('gets those of many keys that are there, each once', async () => {
    const h = household();
    await fill([`${h}|1`, `${h}|2`, `${h}|3`]);
    const found = await context.documents.getMany(collection, [`${h}|3`, `${h}|9`, `${h}|1`, `${h}|3`]);
    assert.deepEqual(keysOf(found).sort(), [`${h}|1`, `${h}|3`]);
    assert.deepEqual(await context.documents.getMany(collection, []), []);
  });

  it('gets more documents than one step of an adapter may take', async () => {
    const h = household();
    const keys = Array.from({ length: 1_500 }, (_, number) => `${h}|${String(number).padStart(4, '0')}`);
    await fill(keys);
    assert.deepEqual(keysOf(await context.documents.getMany(collection, keys)).sort(), keys);
    assert.deepEqual(
      keysOf(await context.documents.range(collection, { from: h, before: `${h}~`, limit: 1_400 })),
      keys.slice(0, 1_400),
    );
  });

  it('answers a range in the order of the bytes, its end excluded', async () => {
    const h = household();
    const keys = ['', '!', 'A', 'Z', 'a', 'z', '~', '\u00e9', '\uffee', '\u{1f600}'].map(
      end => `${h}|${end}`,
    );
    await fill(keys.toReversed());
    const range = { from: `${h}|`, before: `${h}}`, limit: 100 };
    assert.deepEqual(keysOf(await context.documents.range(collection, range)), keys.toSorted(byBytes));
    assert.deepEqual(
      keysOf(await context.documents.range(collection, { ...range, order: 'descending' })),
      keys.toSorted(byBytes).reverse(),
    );
    assert.deepEqual(
      keysOf(await context.documents.range(collection, { from: `${h}|A`, before: `${h}|a`, limit: 100 })),
      [`${h}|A`, `${h}|Z`],
    );
  });

  it('digests a range in the order of the bytes, its end excluded, whatever was put last', async () => {
    const h = household();
    const ends = ['', '!', 'A', 'a', '\u00e9', '\uffee', '\u{1f600}'];
    const documents = ends.map((end, at): Sample => ({
      key: `${h}|${end}`,
      revision: at,
      content: [end, { b: 1, a: null }],
    }));
    const living = { ...documents[1]!, expiresAt: Date.now() + 3_600_000 };
    documents[1] = living;
    await context.documents.put(collection, [...documents, { key: `${h}}`, revision: 1 }].reverse());
    const range = { from: `${h}|`, before: `${h}}` };
    const inOrder = documents.toSorted((a, b) => byBytes(a.key, b.key));
    assert.equal(await context.documents.digest(collection, range), digestOf(inOrder));
    const some = { from: `${h}|A`, before: `${h}|a` };
    assert.equal(await context.documents.digest(collection, some), digestOf([documents[2]!]));
    const changed = { ...documents[2]!, revision: 9, text: 'changed' };
    await context.documents.put(collection, [changed, { key: `${h}|B`, revision: 1, expiresAt: 1 }]);
    assert.equal(await context.documents.digest(collection, some), digestOf([changed]));
    await context.documents.remove(collection, changed.key);
    assert.equal(await context.documents.digest(collection, some), digestOf([]));
  });

  it('digests more documents than one step of an adapter may take', async () => {
    const h = household();
    const documents = Array.from({ length: 2_100 }, (_, number): Sample => ({
      key: `${h}|${String(number).padStart(4, '0')}`,
      revision: 1,
      text: `text ${number}`,
    }));
    await context.documents.put(collection, documents);
    const range = { from: h, before: `${h}~` };
    assert.equal(await context.documents.digest(collection, range), digestOf(documents));
    await context.documents.remove(collection, documents[1_999]!.key);
    assert.equal(await context.documents.digest(collection, range), digestOf(documents.toSpliced(1_999, 1)));
  });

  it('limits a range from its beginning in the order', async () => {
    const h = household();
    await fill([1, 2, 3, 4].map(number => `${h}|${number}`));
    const range = { from: h, before: `${h}~`, limit: 2 };
    assert.deepEqual(keysOf(await context.documents.range(collection, range)), [`${h}|1`, `${h}|2`]);
    assert.deepEqual(keysOf(await context.documents.range(collection, { ...range, order: 'descending' })), [
      `${h}|4`,
      `${h}|3`,
    ]);
    assert.deepEqual(await context.documents.range(collection, { ...range, limit: 0 }), []);
  });

  it('removes every document whose key begins with a prefix, and no other', async () => {
    const h = household();
    const inside = ['', '|', '|a', '||', '~', '\u{10fffe}'].map(end => `${h}_%${end}`);
    const outside = [`${h}_`, `${h}_$`, `${h}_&`, `${h}x%`, `${h}_\u{10ffff}`];
    await fill([...inside, ...outside]);
    await context.documents.removePrefix(collection, `${h}_%`);
    const left = await context.documents.range(collection, { from: h, before: `${h}~~`, limit: 100 });
    assert.deepEqual(keysOf(left), outside.toSorted(byBytes));
    await context.documents.removePrefix(collection, `${h}_%`);
  });

  it('removes a prefix of more documents than one step may take, from the indexes too', async () => {
    const h = household();
    await context.documents.put(
      collection,
      Array.from({ length: 700 }, (_, number) => ({
        key: `${h}|${number}`,
        revision: 1,
        household: h,
        tags: ['a', 'b'],
      })),
    );
    await context.documents.removePrefix(collection, `${h}|`);
    for (const [index, equals] of [
      ['by_date', { household: h }],
      ['by_tag', { household: h, tags: 'b' }],
    ] as const) {
      assert.equal(await countOf(context.documents, collection, { index, equals, limit: 9 }), 0);
    }
  });

  it('refuses more than one answer may hold', async () => {
    const keys = Array.from({ length: QUERY_LIMIT_MAX + 1 }, (_, number) => String(number));
    const limit = QUERY_LIMIT_MAX + 1;
    await assert.rejects(context.documents.getMany(collection, keys), RangeError);
    await assert.rejects(context.documents.range(collection, { from: 'a', before: 'b', limit }), RangeError);
    await assert.rejects(
      context.documents.query(collection, { index: 'by_date', equals: { household: 'h' }, limit }),
      RangeError,
    );
    for (const wrong of [-1, 1.5, Number.NaN]) {
      await assert.rejects(
        context.documents.range(collection, { from: 'a', before: 'b', limit: wrong }),
        RangeError,
      );
    }
  });
}

function digestOf(documents: readonly Sample[]): string {
  const digest = new TextDigest();
  digest.add(documents.map(document => JSON.stringify(document)));
  return digest.end();
}
