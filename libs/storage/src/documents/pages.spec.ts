import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { EVERY_KEY, keysUnder } from './declared.js';
import type { Collection, Document, Documents, KeyRange } from './documents.js';
import { pagesOf } from './pages.js';
import { LedgerDatabase } from '../sqlite/ledger-database.js';

const collection = (name: string): Collection<Document> => ({ name, durability: 'derived', indexes: [] });
const [ONE, OTHER] = [collection('one'), collection('other')];

describe('pages of a range of keys', () => {
  let directory: string;
  let documents: Documents;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pages-'));
    documents = LedgerDatabase.open({ directory }).documents;
    await documents.ensure([ONE, OTHER]);
    const keys = ['a', 'b', 'b|1', 'b|2', 'b|2|x', 'b|3', 'c'];
    await documents.put(
      ONE,
      keys.map(key => ({ key, revision: 1 })),
    );
    await documents.put(OTHER, [{ key: 'd', revision: 1 }]);
  });
  after(async () => {
    await documents.close();
    rmSync(directory, { recursive: true });
  });

  async function keysOf(
    from: Parameters<typeof pagesOf>[1],
    keys: Pick<KeyRange, 'from' | 'before'>,
    size: number,
  ): Promise<string[][]> {
    const pages: string[][] = [];
    for await (const page of pagesOf(documents, from, keys, size)) pages.push(page.map(({ key }) => key));
    return pages;
  }

  it('hold each document once, also those whose keys begin with one of another', async () => {
    const under = keysUnder('b');
    assert.deepEqual(await keysOf(ONE, EVERY_KEY, 3), [['a', 'b', 'b|1'], ['b|2', 'b|2|x', 'b|3'], ['c']]);
    assert.deepEqual(await keysOf(ONE, under, 1), [['b|1'], ['b|2'], ['b|2|x'], ['b|3'], []]);
    assert.deepEqual(await keysOf(ONE, under, 4), [['b|1', 'b|2', 'b|2|x', 'b|3'], []]);
    assert.deepEqual(await keysOf(ONE, keysUnder('x'), 9), [[]]);
  });

  it('come from whichever collection it is by then', async () => {
    const collections = [ONE, OTHER];
    assert.deepEqual(await keysOf(() => collections.shift()!, EVERY_KEY, 2), [['a', 'b'], ['d']]);
    assert.deepEqual(collections, []);
  });
});
