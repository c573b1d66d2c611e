import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Collection, Document, IndexQuery } from '../documents.js';
import type { CollectionLayout, IndexLayout } from './collection-layout.js';
import { Connection, STATEMENTS_MAX } from './connection.js';
import type { DocumentFile } from './document-file.js';
import { sourceOf } from './document-reader.js';
import {
  countInIndex,
  documentByKey,
  documentsByIds,
  documentsByKeys,
  documentsInIndex,
  documentsInRange,
  joined,
  partsBehind,
  searchStep,
  type Bound,
} from './query-plan.js';
import { SqliteDocuments } from './sqlite-documents.js';

const COLLECTION: Collection<Document> = {
  name: 'transactions',
  durability: 'derived',
  indexes: [
    { name: 'by_view', equals: ['household', 'view'], sort: 'date', covers: ['text', 'amount'] },
    { name: 'by_tag', equals: ['household', 'view', 'tags'], sort: 'date', coveredBy: 'by_view' },
    { name: 'by_state', equals: ['household', 'state'], covers: ['text', 'amount'] },
  ],
};

const EQUALS: Readonly<Record<string, IndexQuery['equals']>> = {
  by_view: { household: 'h', view: 'tracked' },
  by_tag: { household: 'h', view: 'tracked', tags: 't' },
  by_state: { household: 'h', state: 's' },
};

describe('the statements of queries', () => {
  let directory: string;
  let file: DocumentFile;
  let documents: SqliteDocuments;
  let layout: CollectionLayout;
  let count = 0;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'query-plan-'));
    const files = SqliteDocuments.files({ directory });
    file = files.derived;
    documents = SqliteDocuments.on(files);
    await documents.ensure([COLLECTION]);
    layout = file.layout(COLLECTION);
  });
  after(async () => {
    await documents.close();
    rmSync(directory, { recursive: true });
  });

  const putOne = async (): Promise<void> => {
    const key = String((count += 1));
    const document = {
      key,
      revision: 1,
      household: 'h',
      view: 'tracked',
      tags: ['t', 'u'],
      state: 's',
      date: key,
    };
    await documents.put(COLLECTION, [document]);
  };
  const planOf = ({ sql, values }: Bound): string[] =>
    file.read(c => c.rows(`EXPLAIN QUERY PLAN ${sql}`, values).map(row => String(row[3])));

  /** Each step is a search in an index, or runs through what such a search answers. */
  const assertDirect = (plan: readonly string[]): void => {
    for (const step of plan) {
      assert.doesNotMatch(
        step,
        /TEMP B-TREE|SCAN (main|temp|d\b|e\b|covering|also|documents|entries)/,
        plan.join('; '),
      );
    }
    assert.ok(
      plan.some(step => step.startsWith('SEARCH')),
      plan.join('; '),
    );
  };

  before(putOne);
  const searched = (plan: readonly string[]): string[] =>
    plan.filter(step => /^SEARCH (e|covering) USING PRIMARY KEY/.test(step));

  for (const name of Object.keys(EQUALS)) {
    for (const order of ['ascending', 'descending'] as const) {
      for (const after of [undefined, { sort: '1' }, { sort: '1', key: '1' }]) {
        const index = (): IndexLayout => layout.indexes.find(({ definition }) => definition.name === name)!;
        const query = {
          index: name,
          equals: EQUALS[name]!,
          order,
          limit: 100,
          ...(after === undefined ? {} : { after }),
        };
        const title = `${name} ${order} ${after === undefined ? '' : `after ${Object.keys(after).join(' and ')}`}`;

        it(`walk ${title} in the order of its table`, () => {
          const select = file.read(c =>
            documentsInIndex(layout, sourceOf(c, index(), query.equals)!, query, 0),
          );
          for (const bound of [select('d.body'), select('d.key, d.body'), joined(select)]) {
            const plan = planOf(bound);
            assertDirect(plan);
            assert.equal(searched(plan).length, 1);
          }
        });

        it(`decide conditions of ${title} on entries alone`, () => {
          const where = [
            { field: 'text', contains: 'x' },
            { field: 'amount', equals: 5 },
          ];
          for (const part of partsBehind(index(), after)) {
            const plan = planOf(
              file.read(c => searchStep(sourceOf(c, index(), query.equals)!, { ...query, where }, part, 8)),
            );
            assertDirect(plan);
            assert.equal(searched(plan).length, index().coveredBy === null ? 1 : 2);
            assert.ok(!plan.some(step => step.includes('documents:')), plan.join('; '));
          }
        });
      }
    }

    it(`count ${name} on its table alone`, () => {
      const index = layout.indexes.find(({ definition }) => definition.name === name)!;
      const plan = planOf(file.read(c => countInIndex(sourceOf(c, index, EQUALS[name]!)!, 5, 0)));
      assert.ok(!plan.some(step => step.includes('documents:')), plan.join('; '));
      assert.equal(searched(plan).length, 1);
    });
  }

  it('look for further tags in the order of the first one, each by a search', () => {
    const equals = { household: 'h', view: 'tracked', tags: ['t', 'u'] };
    const query = { index: 'by_tag', equals, order: 'descending', after: { sort: '1' }, limit: 100 } as const;
    const index = layout.indexes.find(({ definition }) => definition.name === 'by_tag')!;
    const source = file.read(c => sourceOf(c, index, equals))!;
    const where = [{ field: 'text', contains: 'x' }];
    for (const bound of [
      documentsInIndex(layout, source, query, 0)('d.body'),
      countInIndex(source, 5, 0),
      searchStep(source, { ...query, where }, partsBehind(index, query.after)[0]!, 8),
    ]) {
      const plan = planOf(bound);
      assertDirect(plan);
      assert.ok(
        plan.some(step => /^SEARCH also (EXISTS )?USING PRIMARY KEY/.test(step)),
        plan.join('; '),
      );
    }
  });

  it('find documents by their key or number', () => {
    for (const order of ['ascending', 'descending'] as const) {
      const range = { from: 'a', before: 'b', order, limit: 5 };
      assertDirect(planOf(joined(documentsInRange(layout, range, 0))));
    }
    assertDirect(planOf({ sql: documentByKey(layout), values: ['k', 0] }));
    assertDirect(planOf(joined(documentsByKeys(layout, ['k'], 0))));
    assertDirect(planOf(joined(documentsByIds(layout, [1], 0))));
  });

  it('are kept prepared, in a bounded number', () => {
    const connection = file.read(({ db }) => new Connection(db));
    for (let number = 0; number < STATEMENTS_MAX + 50; number += 1) {
      assert.deepEqual(connection.row(`SELECT ${number}`), [number]);
    }
    assert.equal(connection.size, STATEMENTS_MAX);
    assert.deepEqual(connection.row('SELECT 0'), [0]);
  });
});
