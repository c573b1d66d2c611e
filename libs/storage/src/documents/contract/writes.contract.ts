import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { IndexQuery } from '../documents.js';
import { countOf, duplicateOf, type Context, type Sample } from './sample.fixture.js';

export function putContract(context: Context): void {
  const { collection, household } = context;

  it('writes a document that is not there', async () => {
    const key = household();
    await context.documents.put(collection, [{ key, revision: 0, text: 'first' }]);
    assert.deepEqual(await context.documents.get(collection, key), { key, revision: 0, text: 'first' });
  });

  it('writes over an older revision', async () => {
    const key = household();
    await context.documents.put(collection, [{ key, revision: 3, text: 'old', amount: 1 }]);
    await context.documents.put(collection, [{ key, revision: 7, text: 'new' }]);
    assert.deepEqual(await context.documents.get(collection, key), { key, revision: 7, text: 'new' });
  });

  for (const [relation, revision] of [
    ['the same', 7],
    ['an older', 6],
  ] as const) {
    it(`has no effect with ${relation} revision, in the indexes neither`, async () => {
      const h = household();
      const stored = { key: h, revision: 7, household: h, date: '2026-01-01', tags: ['kept'] };
      await context.documents.put(collection, [stored]);
      await context.documents.put(collection, [{ ...stored, revision, date: '2026-02-02', tags: ['late'] }]);
      assert.deepEqual(await context.documents.get(collection, h), stored);
      const find = (tag: string): Promise<Sample[]> =>
        context.documents.query(collection, {
          index: 'by_tag',
          equals: { household: h, tags: tag },
          limit: 9,
        });
      assert.deepEqual(await find('kept'), [stored]);
      assert.deepEqual(await find('late'), []);
    });
  }

  it('keeps the greatest revision of one key in one call', async () => {
    const h = household();
    const revisions = [4, 9, 2, 9, 5];
    await context.documents.put(
      collection,
      revisions.map(revision => ({ key: h, revision, household: h, tags: [`r${revision}`] })),
    );
    assert.equal((await context.documents.get(collection, h))?.revision, 9);
    const counts = await Promise.all(
      ['r4', 'r9', 'r2', 'r5'].map(tags =>
        countOf(context.documents, collection, { index: 'by_tag', equals: { household: h, tags }, limit: 9 }),
      ),
    );
    assert.deepEqual(counts, [0, 1, 0, 0]);
  });

  it('writes documents that are at hand as JSON as it writes others', async () => {
    const h = household();
    const documents = ['a', 'b', 'c'].map((name, at): Sample => ({
      key: `${h}|${name}`,
      revision: 5,
      household: h,
      date: `2026-01-0${at + 1}`,
      tags: ['text'],
      content: { z: 1, a: [name, null, 0.5] },
    }));
    await context.documents.put(collection, [{ key: `${h}|a`, revision: 9, household: h, tags: ['newer'] }]);
    await context.documents.put(collection, [{ ...documents[1]!, revision: 4, tags: ['older'] }]);
    const texts = documents.map(document => ({
      key: document.key,
      revision: document.revision,
      text: JSON.stringify(document),
    }));
    await context.documents.putTexts(collection, texts);
    await context.documents.putTexts(collection, []);
    const tagged = (tags: string): Promise<Sample[]> =>
      context.documents.query(collection, { index: 'by_tag', equals: { household: h, tags }, limit: 9 });
    assert.deepEqual(await tagged('text'), documents.slice(1));
    assert.deepEqual(
      (await tagged('newer')).map(({ revision }) => revision),
      [9],
    );
    assert.deepEqual(await tagged('older'), []);
  });

  it('refuses documents that are at hand as JSON where another has the values of a unique index', async () => {
    const h = household();
    const document: Sample = { key: `${h}|1`, revision: 1, email: `${h}@example.com` };
    await context.documents.put(collection, [document]);
    const second = { ...document, key: `${h}|2` };
    const text = { key: second.key, revision: second.revision, text: JSON.stringify(second) };
    await assert.rejects(context.documents.putTexts(collection, [text]), duplicateOf(collection, 'by_email'));
    assert.equal(await context.documents.get(collection, second.key), null);
  });

  it('writes nothing for no documents', async () => {
    await context.documents.put(collection, []);
    await context.documents.putAll([]);
  });

  it('writes many documents in one call', async () => {
    const h = household();
    const many = Array.from({ length: 1_100 }, (_, number) => ({
      key: `${h}|${String(number).padStart(4, '0')}`,
      revision: number,
      household: h,
      date: '2026-01-01',
    }));
    await context.documents.put(collection, many);
    assert.deepEqual(
      await context.documents.query(collection, {
        index: 'by_date',
        equals: { household: h },
        limit: many.length + 1,
      }),
      many,
    );
  });
}

export function conditionalContract(context: Context): void {
  const { collection, household } = context;

  it('inserts a document that is not there', async () => {
    const key = household();
    await context.documents.insert(collection, { key, revision: 1, text: 'new' });
    assert.deepEqual(await context.documents.get(collection, key), { key, revision: 1, text: 'new' });
  });

  it('refuses to insert over a document, whatever the revision, naming the key', async () => {
    const key = household();
    await context.documents.insert(collection, { key, revision: 1 });
    await assert.rejects(
      context.documents.insert(collection, { key, revision: 2 }),
      duplicateOf(collection, 'key'),
    );
    assert.deepEqual(await context.documents.get(collection, key), { key, revision: 1 });
  });

  it('replaces a document whose revision is as expected', async () => {
    const key = household();
    await context.documents.insert(collection, { key, revision: 1, text: 'old', amount: 5 });
    assert.equal(await context.documents.replace(collection, { key, revision: 2, text: 'new' }, 1), true);
    assert.deepEqual(await context.documents.get(collection, key), { key, revision: 2, text: 'new' });
  });

  it('replaces nothing at another revision', async () => {
    const key = household();
    await context.documents.insert(collection, { key, revision: 5 });
    for (const expected of [4, 6]) {
      assert.equal(await context.documents.replace(collection, { key, revision: 9 }, expected), false);
    }
    assert.deepEqual(await context.documents.get(collection, key), { key, revision: 5 });
  });

  it('replaces nothing where there is nothing', async () => {
    const key = household();
    assert.equal(await context.documents.replace(collection, { key, revision: 2 }, 1), false);
    assert.equal(await context.documents.get(collection, key), null);
  });

  it('refuses a replacement that does not raise the revision', async () => {
    const key = household();
    await context.documents.insert(collection, { key, revision: 5 });
    await assert.rejects(context.documents.replace(collection, { key, revision: 5 }, 5), RangeError);
    await assert.rejects(context.documents.replace(collection, { key, revision: 4 }, 5), RangeError);
  });

  it('moves a replaced document in every index', async () => {
    const h = household();
    const first = { key: h, revision: 1, household: h, date: '2026-01-01', tags: ['a', 'b'], state: 'open' };
    const second = { ...first, revision: 2, date: '2026-02-01', tags: ['b', 'c'], state: 'shut' };
    await context.documents.insert(collection, first);
    await context.documents.replace(collection, second, 1);
    const found = (index: string, equals: IndexQuery['equals']): Promise<number> =>
      countOf(context.documents, collection, { index, equals: { household: h, ...equals }, limit: 9 });
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(tags => found('by_tag', { tags }))), [0, 1, 1]);
    assert.deepEqual(await Promise.all(['open', 'shut'].map(state => found('by_state', { state }))), [0, 1]);
    assert.deepEqual(
      await context.documents.query(collection, { index: 'by_date', equals: { household: h }, limit: 9 }),
      [second],
    );
  });

  it('finds a replaced document by what it gained besides', async () => {
    const h = household();
    const bare = { key: h, revision: 1, date: '1' };
    const first = { ...bare, revision: 2, household: h, tags: ['a'] };
    const second = { ...first, revision: 3, tags: ['a', 'b'], state: 'open' };
    await context.documents.insert(collection, bare);
    await context.documents.replace(collection, first, 1);
    const found = (index: string, equals: IndexQuery['equals']): Promise<number> =>
      countOf(context.documents, collection, { index, equals: { household: h, ...equals }, limit: 9 });
    assert.deepEqual([await found('by_date', {}), await found('by_tag', { tags: 'a' })], [1, 1]);
    await context.documents.replace(collection, second, 2);
    assert.deepEqual(
      [await found('by_tag', { tags: 'b' }), await found('by_state', { state: 'open' })],
      [1, 1],
    );
  });

  it('removes a document, from every index too, and says whether there was one', async () => {
    const h = household();
    await context.documents.insert(collection, {
      key: h,
      revision: 1,
      household: h,
      tags: ['a'],
      email: `${h}@`,
    });
    assert.equal(await context.documents.remove(collection, h), true);
    assert.equal(await context.documents.remove(collection, h), false);
    assert.equal(await context.documents.get(collection, h), null);
    assert.equal(
      await countOf(context.documents, collection, {
        index: 'by_tag',
        equals: { household: h, tags: 'a' },
        limit: 9,
      }),
      0,
    );
    await context.documents.insert(collection, { key: `${h}|2`, revision: 1, email: `${h}@` });
  });

  it('removes only at the expected revision', async () => {
    const key = household();
    await context.documents.insert(collection, { key, revision: 3 });
    assert.equal(await context.documents.remove(collection, key, 2), false);
    assert.equal(await context.documents.remove(collection, key, 4), false);
    assert.equal(await context.documents.remove(collection, key, 3), true);
  });

  it('lets a removed key be put again at any revision', async () => {
    const key = household();
    await context.documents.put(collection, [{ key, revision: 9 }]);
    await context.documents.remove(collection, key);
    await context.documents.put(collection, [{ key, revision: 2 }]);
    assert.deepEqual(await context.documents.get(collection, key), { key, revision: 2 });
  });
}

export function uniqueContract(context: Context): void {
  const { collection, household } = context;
  const namesIndex = (index: string): ((error: unknown) => boolean) => duplicateOf(collection, index);

  it('refuses a second document with the same value, naming the index, and writes nothing', async () => {
    const h = household();
    await context.documents.insert(collection, { key: `${h}|1`, revision: 1, email: `${h}@example.org` });
    await assert.rejects(
      context.documents.insert(collection, {
        key: `${h}|2`,
        revision: 1,
        household: h,
        tags: ['a'],
        email: `${h}@example.org`,
      }),
      namesIndex('by_email'),
    );
    assert.equal(await context.documents.get(collection, `${h}|2`), null);
    assert.equal(
      await countOf(context.documents, collection, {
        index: 'by_tag',
        equals: { household: h, tags: 'a' },
        limit: 9,
      }),
      0,
    );
  });

  it('refuses a replacement that takes the value of another document', async () => {
    const h = household();
    await context.documents.insert(collection, { key: `${h}|1`, revision: 1, email: `${h}@one` });
    await context.documents.insert(collection, { key: `${h}|2`, revision: 1, email: `${h}@two` });
    await assert.rejects(
      context.documents.replace(collection, { key: `${h}|2`, revision: 2, email: `${h}@one` }, 1),
      namesIndex('by_email'),
    );
    assert.deepEqual(await context.documents.get(collection, `${h}|2`), {
      key: `${h}|2`,
      revision: 1,
      email: `${h}@two`,
    });
  });

  it('lets a document keep its value, and frees it with the replacement', async () => {
    const h = household();
    await context.documents.insert(collection, { key: `${h}|1`, revision: 1, email: `${h}@one` });
    assert.equal(
      await context.documents.replace(collection, { key: `${h}|1`, revision: 2, email: `${h}@one` }, 1),
      true,
    );
    assert.equal(
      await context.documents.replace(collection, { key: `${h}|1`, revision: 3, email: `${h}@new` }, 2),
      true,
    );
    await context.documents.insert(collection, { key: `${h}|2`, revision: 1, email: `${h}@one` });
    const [found] = await context.documents.query(collection, {
      index: 'by_email',
      equals: { email: `${h}@one` },
      limit: 2,
    });
    assert.equal(found?.key, `${h}|2`);
  });

  it('allows any number of documents without a value', async () => {
    const h = household();
    for (const number of [1, 2, 3]) {
      await context.documents.insert(collection, { key: `${h}|null${number}`, revision: 1, email: null });
      await context.documents.insert(collection, { key: `${h}|absent${number}`, revision: 1 });
    }
    assert.equal(
      (await context.documents.range(collection, { from: h, before: `${h}~`, limit: 9 })).length,
      6,
    );
  });

  it('compares the combination of several fields, and nothing where one of them is missing', async () => {
    const h = household();
    const other = household();
    await context.documents.insert(collection, { key: `${h}|1`, revision: 1, household: h, slot: 1 });
    await context.documents.insert(collection, { key: `${h}|2`, revision: 1, household: h, slot: 2 });
    await context.documents.insert(collection, { key: `${other}|1`, revision: 1, household: other, slot: 1 });
    await context.documents.insert(collection, { key: `${h}|3`, revision: 1, household: h, slot: null });
    await context.documents.insert(collection, { key: `${h}|4`, revision: 1, household: h, slot: null });
    await context.documents.insert(collection, { key: `${h}|5`, revision: 1, slot: 1 });
    await assert.rejects(
      context.documents.insert(collection, { key: `${h}|6`, revision: 1, household: h, slot: 2 }),
      namesIndex('by_slot'),
    );
  });

  it('names the key first when the key is taken as well', async () => {
    const h = household();
    await context.documents.insert(collection, { key: h, revision: 1, email: `${h}@one` });
    await assert.rejects(
      context.documents.insert(collection, { key: h, revision: 1, email: `${h}@one` }),
      namesIndex('key'),
    );
  });
}

/** The same rules without an index. */
export function plainContract(context: Context): void {
  const { collection, household } = context;

  it('puts only what is newer', async () => {
    const key = household();
    for (const [revision, text] of [
      [5, 'first'],
      [5, 'same'],
      [4, 'older'],
    ] as const) {
      await context.documents.put(collection, [{ key, revision, text }]);
      assert.deepEqual(await context.documents.get(collection, key), { key, revision: 5, text: 'first' });
    }
    await context.documents.put(collection, [
      { key, revision: 8, text: 'greatest' },
      { key, revision: 7, text: 'late' },
    ]);
    assert.deepEqual(await context.documents.get(collection, key), { key, revision: 8, text: 'greatest' });
  });

  it('inserts, replaces and removes by key and revision', async () => {
    const key = household();
    await context.documents.insert(collection, { key, revision: 1 });
    await assert.rejects(
      context.documents.insert(collection, { key, revision: 2 }),
      duplicateOf(collection, 'key'),
    );
    assert.equal(await context.documents.replace(collection, { key, revision: 3 }, 2), false);
    assert.equal(await context.documents.replace(collection, { key, revision: 3 }, 1), true);
    assert.equal(await context.documents.remove(collection, key, 1), false);
    assert.equal(await context.documents.remove(collection, key, 3), true);
    assert.equal(await context.documents.get(collection, key), null);
    await context.documents.put(collection, [{ key, revision: 1 }]);
    await context.documents.put(collection, [{ key: `${key}|2`, revision: 1 }]);
    await context.documents.insert(collection, { key: `${key}|3`, revision: 1 });
    assert.equal(
      (await context.documents.range(collection, { from: key, before: `${key}~`, limit: 9 })).length,
      3,
    );
  });

  it('puts and inserts over what has expired', async () => {
    const key = household();
    await context.documents.put(collection, [{ key, revision: 5, expiresAt: 1 }]);
    assert.equal(await context.documents.get(collection, key), null);
    await context.documents.put(collection, [{ key, revision: 2, expiresAt: 1 }]);
    await context.documents.insert(collection, { key, revision: 1 });
    assert.deepEqual(await context.documents.get(collection, key), { key, revision: 1 });
  });
}
