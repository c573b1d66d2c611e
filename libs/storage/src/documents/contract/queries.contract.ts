import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ELEMENTS_MAX, type IndexQuery, type Where } from '../documents.js';
import { countOf, keysOf, type Context, type Sample } from './sample.fixture.js';

/** More entries than an adapter may look at without giving way to other work. */
const MANY = 10_000;

export function queryContract(context: Context): void {
  const { collection, household } = context;

  it('finds exactly what has the value, whatever its type', async () => {
    const h = household();
    const states = ['1', 1, true, 'true', 'one', 'One', 0, false, '', null];
    await context.documents.put(
      collection,
      states.map((state, number) => ({ key: `${h}|${number}`, revision: 1, household: h, state })),
    );
    for (const state of states) {
      if (state === null) continue;
      const found = await context.documents.query(collection, {
        index: 'by_state',
        equals: { household: h, state },
        limit: 9,
      });
      assert.deepEqual(
        found.map(document => document.state),
        [state],
      );
    }
  });

  it('finds a document by each element of its array, once', async () => {
    const h = household();
    await context.documents.put(collection, [
      { key: `${h}|1`, revision: 1, household: h, date: '1', tags: ['a', 'b', 'a'] },
      { key: `${h}|2`, revision: 1, household: h, date: '2', tags: ['b'] },
      { key: `${h}|3`, revision: 1, household: h, date: '3', tags: [] },
      { key: `${h}|4`, revision: 1, household: h, date: '4' },
      { key: `${h}|5`, revision: 1, date: '5', tags: ['a', 'b'] },
    ]);
    const found = async (tags: string): Promise<string[]> =>
      keysOf(
        await context.documents.query(collection, {
          index: 'by_tag',
          equals: { household: h, tags },
          limit: 9,
        }),
      );
    assert.deepEqual(await found('a'), [`${h}|1`]);
    assert.deepEqual(await found('b'), [`${h}|1`, `${h}|2`]);
    assert.deepEqual(await found('c'), []);
  });

  it('finds the documents that have all of several elements, in order', async () => {
    const h = household();
    const tagged = (name: string, date: string, ...tags: string[]): Sample => ({
      key: `${h}|${name}`,
      revision: 1,
      household: h,
      date,
      text: name,
      tags,
    });
    await context.documents.put(collection, [
      tagged('1', '5', 'a', 'b'),
      tagged('2', '4', 'a', 'b', 'c'),
      tagged('3', '3', 'b', 'c'),
      tagged('4', '2', 'c', 'b', 'a'),
      tagged('5', '1', 'a'),
    ]);
    const asked = (tags: readonly string[]): Pick<IndexQuery, 'index' | 'equals'> => ({
      index: 'by_tag',
      equals: { household: h, tags },
    });
    const found = async (tags: readonly string[], query: Partial<IndexQuery> = {}): Promise<string[]> => {
      const documents = await context.documents.query(collection, { ...asked(tags), limit: 9, ...query });
      return documents.map(({ key }) => key.slice(h.length + 1));
    };
    assert.deepEqual(await found(['a', 'b']), ['4', '2', '1']);
    assert.deepEqual(await found(['b', 'a'], { order: 'descending' }), ['1', '2', '4']);
    assert.deepEqual(await found(['a', 'b', 'c']), ['4', '2']);
    assert.deepEqual(await found(['a']), ['5', '4', '2', '1']);
    assert.deepEqual(await found(['a', 'a']), ['5', '4', '2', '1']);
    assert.deepEqual(await found(['a', 'nowhere']), []);
    assert.deepEqual(await found(['nowhere', 'a']), []);
    assert.deepEqual(await found(['a', 'b'], { limit: 1, after: { sort: '2', key: `${h}|4` } }), ['2']);
    assert.deepEqual(await found(['b', 'c'], { where: [{ field: 'text', contains: '2' }] }), ['2']);
    const count = (tags: readonly string[], limit: number): Promise<number> =>
      countOf(context.documents, collection, { ...asked(tags), limit });
    assert.deepEqual(
      [await count(['b', 'c'], 9), await count(['b', 'c'], 2), await count(['c', 'd'], 9)],
      [3, 2, 0],
    );
  });

  it('keeps an array of many elements in step with its document', async () => {
    const h = household();
    const tags = Array.from({ length: 60 }, (_, number) => `tag${number}`);
    await context.documents.put(collection, [{ key: h, revision: 1, household: h, tags }]);
    await context.documents.put(collection, [
      { key: h, revision: 2, household: h, tags: tags.slice(20).concat('new') },
    ]);
    const counts = await Promise.all(
      [...tags, 'new'].map(tag =>
        countOf(context.documents, collection, {
          index: 'by_tag',
          equals: { household: h, tags: tag },
          limit: 9,
        }),
      ),
    );
    assert.deepEqual(
      counts,
      counts.map((_, number) => (number < 20 ? 0 : 1)),
    );
  });

  describe('in order', () => {
    const h = household();
    // Written in another order than any that is asked for; x and y have equal dates.
    const entries = [
      ['c', '2026-01-03'],
      ['y', '2026-01-02'],
      ['b', '2026-01-01'],
      ['x', '2026-01-02'],
      ['a', '2026-01-04'],
      ['z', '2026-01-02'],
    ] as const;
    const ascending = ['b', 'x', 'y', 'z', 'c', 'a'];

    before(async () => {
      for (const [key, date] of entries) {
        await context.documents.put(collection, [
          { key: `${h}|${key}`, revision: 1, household: h, date, tags: ['t'], text: key, state: 's' },
        ]);
      }
    });
    const found = async (query: Omit<IndexQuery, 'index' | 'equals'>): Promise<string[][]> => {
      const ways: Pick<IndexQuery, 'index' | 'equals' | 'where'>[] = [
        { index: 'by_date', equals: { household: h } },
        { index: 'by_tag', equals: { household: h, tags: 't' } },
        { index: 'by_date', equals: { household: h }, where: [{ field: 'text', contains: '' }] },
        { index: 'by_tag', equals: { household: h, tags: 't' }, where: [{ field: 'text', contains: '' }] },
      ];
      const answers = await Promise.all(
        ways.map(way => context.documents.query(collection, { ...way, ...query })),
      );
      return answers.map(answer => answer.map(({ key }) => key.slice(h.length + 1)));
    };
    const four = (keys: readonly string[]): (readonly string[])[] => [keys, keys, keys, keys];

    it('answers by the sort field, then by key, ascending unless told otherwise', async () => {
      assert.deepEqual(await found({ limit: 9 }), four(ascending));
      assert.deepEqual(await found({ limit: 9, order: 'ascending' }), four(ascending));
    });

    it('reverses both when descending', async () => {
      assert.deepEqual(await found({ limit: 9, order: 'descending' }), four(ascending.toReversed()));
    });

    it('answers the first of the order up to the limit', async () => {
      assert.deepEqual(await found({ limit: 2 }), four(['b', 'x']));
      assert.deepEqual(await found({ limit: 2, order: 'descending' }), four(['a', 'c']));
      assert.deepEqual(await found({ limit: 0 }), four([]));
    });

    it('goes on behind an entry, in both directions', async () => {
      const after = { sort: '2026-01-02', key: `${h}|y` };
      assert.deepEqual(await found({ limit: 9, after }), four(['z', 'c', 'a']));
      assert.deepEqual(await found({ limit: 9, after, order: 'descending' }), four(['x', 'b']));
    });

    it('goes on where the entry is no longer there', async () => {
      const after = { sort: '2026-01-02', key: `${h}|xx` };
      assert.deepEqual(await found({ limit: 2, after }), four(['y', 'z']));
      assert.deepEqual(await found({ limit: 2, after, order: 'descending' }), four(['x', 'b']));
    });

    it('begins with every entry of a sort value where no key is given', async () => {
      const after = { sort: '2026-01-02' };
      assert.deepEqual(await found({ limit: 9, after }), four(['x', 'y', 'z', 'c', 'a']));
      assert.deepEqual(await found({ limit: 9, after, order: 'descending' }), four(['z', 'y', 'x', 'b']));
    });

    it('answers an index without a sort field by key', async () => {
      const query = { index: 'by_state', equals: { household: h, state: 's' }, limit: 3 } as const;
      const keys = ['a', 'b', 'c', 'x', 'y', 'z'].map(key => `${h}|${key}`);
      assert.deepEqual(keysOf(await context.documents.query(collection, query)), keys.slice(0, 3));
      assert.deepEqual(
        keysOf(await context.documents.query(collection, { ...query, after: { sort: '', key: keys[2]! } })),
        keys.slice(3),
      );
      assert.deepEqual(
        keysOf(await context.documents.query(collection, { ...query, order: 'descending' })),
        keys.slice(3).reverse(),
      );
    });

    it('pages through all without gap or repetition', async () => {
      for (const order of ['ascending', 'descending'] as const) {
        const seen: Sample[] = [];
        for (;;) {
          const last = seen.at(-1);
          const page: Sample[] = await context.documents.query(collection, {
            index: 'by_date',
            equals: { household: h },
            order,
            limit: 2,
            ...(last === undefined ? {} : { after: { sort: last.date!, key: last.key } }),
          });
          if (page.length === 0) break;
          seen.push(...page);
        }
        const expected = order === 'ascending' ? ascending : ascending.toReversed();
        assert.deepEqual(
          seen.map(({ text }) => text),
          expected,
        );
      }
    });
  });

  it('counts up to a limit', async () => {
    const h = household();
    await context.documents.put(
      collection,
      [1, 2, 3, 4].map(number => ({ key: `${h}|${number}`, revision: 1, household: h, tags: ['t'] })),
    );
    for (const [limit, counted] of [
      [0, 0],
      [1, 1],
      [3, 3],
      [4, 4],
      [100, 4],
    ] as const) {
      for (const [index, equals] of [
        ['by_date', { household: h }],
        ['by_tag', { household: h, tags: 't' }],
      ] as const) {
        assert.equal(await countOf(context.documents, collection, { index, equals, limit }), counted);
      }
    }
    assert.equal(
      await countOf(context.documents, collection, {
        index: 'by_date',
        equals: { household: `${h}x` },
        limit: 9,
      }),
      0,
    );
  });

  it('refuses an index, a field or a condition that is not declared', async () => {
    const limit = 9;
    const queries: IndexQuery[] = [
      { index: 'by_amount', equals: { household: 'h' }, limit },
      { index: 'by_date', equals: {}, limit },
      { index: 'by_date', equals: { household: 'h', state: 's' }, limit },
      { index: 'by_date', equals: { state: 's' }, limit },
      { index: 'by_tag', equals: { household: 'h' }, limit },
      { index: 'by_tag', equals: { household: 'h', tags: [] }, limit },
      {
        index: 'by_tag',
        equals: { household: 'h', tags: Array.from({ length: ELEMENTS_MAX + 1 }, String) },
        limit,
      },
      { index: 'by_tag', equals: { household: ['h'], tags: ['t'] }, limit },
      { index: 'by_email', equals: { email: ['e'] }, limit },
      { index: 'by_date', equals: { household: 'h' }, where: [{ field: 'state', equals: 's' }], limit },
      { index: 'by_state', equals: { household: 'h', state: 's' }, after: { sort: 'x' }, limit },
    ];
    for (const query of queries) {
      await assert.rejects(context.documents.query(collection, query), RangeError, JSON.stringify(query));
    }
  });
}

export function whereContract(context: Context): void {
  const { collection, household } = context;
  const h = household();
  const texts = [
    '100% wool',
    '100 wool',
    'snake_case',
    'snakeXcase',
    'back\\slash',
    'a.b',
    'axb',
    'a*b',
    'caf\u00e9 zo\u00eb',
    'STRASSE',
    'stra\u00dfe',
    '\u{1f600} smile',
    "o'neil (x) [y] {z} ^$+?|",
    'wool',
  ];

  before(() =>
    context.documents.put(
      collection,
      texts.map((text, number) => ({
        key: `${h}|${String(number).padStart(2, '0')}`,
        revision: 1,
        household: h,
        date: String(number).padStart(2, '0'),
        text,
        amount: number * 100,
        tags: ['t'],
      })),
    ),
  );
  const found = async (where: Where, limit = 50): Promise<(string | null | undefined)[]> => {
    const byDate = await context.documents.query(collection, {
      index: 'by_date',
      equals: { household: h },
      where,
      limit,
    });
    const byTag = await context.documents.query(collection, {
      index: 'by_tag',
      equals: { household: h, tags: 't' },
      where,
      limit,
    });
    assert.deepEqual(byDate, byTag);
    return byDate.map(({ text }) => text);
  };

  for (const part of [
    '%',
    '_',
    '\\',
    '.',
    '*',
    'wool',
    '00% w',
    "o'neil (x) [y] {z} ^$+?|",
    '\u00e9',
    'stra\u00dfe',
    'S',
    '\u{1f600}',
    ' ',
    'nowhere',
  ]) {
    it(`finds ${JSON.stringify(part)} as a plain part of the text`, async () => {
      assert.deepEqual(
        await found([{ field: 'text', contains: part }]),
        texts.filter(text => text.includes(part)),
      );
    });
  }

  it('compares numbers and texts for equality', async () => {
    assert.deepEqual(await found([{ field: 'amount', equals: 300 }]), [texts[3]]);
    assert.deepEqual(await found([{ field: 'text', equals: 'wool' }]), ['wool']);
    assert.deepEqual(await found([{ field: 'amount', equals: '300' }]), []);
    assert.deepEqual(await found([{ field: 'amount', contains: '3' }]), []);
  });

  it('takes what meets any of the conditions, in the order of the index', async () => {
    assert.deepEqual(
      await found([
        { field: 'amount', equals: 1300 },
        { field: 'text', contains: 'snake' },
        { field: 'amount', equals: 100 },
      ]),
      ['100 wool', 'snake_case', 'snakeXcase', 'wool'],
    );
    assert.deepEqual(await found([]), []);
  });

  it('limits the hits, not what is looked at', async () => {
    assert.deepEqual(await found([{ field: 'text', contains: 'wool' }], 2), ['100% wool', '100 wool']);
    assert.deepEqual(await found([{ field: 'text', contains: 'smile' }], 1), ['\u{1f600} smile']);
  });

  it('goes on behind an entry', async () => {
    for (const [order, expected] of [
      ['ascending', ['100 wool', 'wool']],
      ['descending', []],
    ] as const) {
      const answer = await context.documents.query(collection, {
        index: 'by_date',
        equals: { household: h },
        where: [{ field: 'text', contains: 'wool' }],
        after: { sort: '00', key: `${h}|00` },
        order,
        limit: 9,
      });
      assert.deepEqual(
        answer.map(({ text }) => text),
        expected,
      );
    }
  });

  it('finds few hits among many entries of equal sort, in both directions', async () => {
    const many = household();
    const hits = [0, 1, 2, 4_095, 4_096, 7_777, MANY - 1];
    await context.documents.put(
      collection,
      Array.from({ length: MANY }, (_, number) => ({
        key: `${many}|${String(number).padStart(5, '0')}`,
        revision: 1,
        household: many,
        date: number < MANY / 2 ? '2026-01-01' : '2026-01-02',
        text: hits.includes(number) ? 'needle' : 'hay',
      })),
    );
    const expected = hits.map(number => `${many}|${String(number).padStart(5, '0')}`);
    const query = {
      index: 'by_date',
      equals: { household: many },
      where: [{ field: 'text', contains: 'eedl' }],
    } as const;
    assert.deepEqual(keysOf(await context.documents.query(collection, { ...query, limit: 100 })), expected);
    assert.deepEqual(
      keysOf(await context.documents.query(collection, { ...query, limit: 100, order: 'descending' })),
      expected.toReversed(),
    );
    assert.deepEqual(
      keysOf(await context.documents.query(collection, { ...query, limit: 5 })),
      expected.slice(0, 5),
    );
    const hay = { ...query, where: [{ field: 'text', contains: 'hay' }], limit: 1_000 };
    assert.equal((await context.documents.query(collection, hay)).length, 1_000);
  });
}
