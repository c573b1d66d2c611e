import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Collection, Documents, Json } from '../documents.js';
import {
  countOf,
  drawName,
  INDEXES,
  keysOf,
  type Context,
  type DocumentsAdapter,
  type Sample,
} from './sample.fixture.js';

const HOUR_MS = 3_600_000;

export function contentContract(context: Context): void {
  const { collection, household } = context;
  const deep = (levels: number): Json =>
    levels === 0 ? ['end'] : { inner: deep(levels - 1), list: [levels] };
  const contents: Readonly<Record<string, Json>> = {
    'the greatest integers': [
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
      2_147_483_648,
      -2_147_483_649,
    ],
    'integers that are also doubles': [0, 1, -1, 4_294_967_296, 1e15],
    doubles: [0.1, -1.5, 1e-300, 1.797_693_134_862_315_7e308, 5e-324],
    'null, true and false': [null, true, false, { absent: null }],
    'empty things': ['', [], {}, [[]], [{}]],
    'Unicode in texts and names': {
      'gr\u00fc\u00df \u{1f600}': 'e\u0301 \u00e9 \u2028 \u{10ffff} \ud7ff "\\/',
    },
    'control characters': '\u0001\t\n\r\u001f\u007f\u0085',
    'names that a store may use itself': { _id: 1, id: 2, key: 3, a$b: { revision: null } },
    'objects in many levels': deep(60),
    'the order of names': { b: 1, a: 2, c: { z: 1, y: 2 } },
    'long texts': 'x\u00e9'.repeat(100_000),
  };

  for (const [what, content] of Object.entries(contents)) {
    it(`keeps ${what}`, async () => {
      const key = household();
      await context.documents.put(collection, [{ key, revision: 1, content }]);
      const found = await context.documents.get(collection, key);
      assert.deepEqual(found, { key, revision: 1, content });
      assert.equal(JSON.stringify(found), JSON.stringify({ key, revision: 1, content }));
    });
  }
}

export function expiryContract(context: Context): void {
  const { collection, household } = context;
  const past = Date.now() - HOUR_MS;
  const future = Date.now() + HOUR_MS;

  it('overwrites what was removed, and keeps everything else', async () => {
    const [removed, kept] = [household(), household()];
    const documents = [removed, kept].map(key => ({ key, revision: 1, household: key, tags: ['t'] }));
    await context.documents.put(collection, documents);
    await context.documents.removePrefix(collection, removed);
    assert.equal(await context.documents.scrub(), true);
    assert.equal(await context.documents.get(collection, removed), null);
    assert.deepEqual(await context.documents.get(collection, kept), documents[1]);
    await context.documents.put(collection, [{ ...documents[1]!, revision: 2 }]);
    assert.equal((await context.documents.get(collection, kept))?.revision, 2);
  });

  it('shows a document before its time', async () => {
    const h = household();
    const document = { key: h, revision: 1, household: h, tags: ['t'], expiresAt: future };
    await context.documents.put(collection, [document]);
    assert.deepEqual(await context.documents.get(collection, h), document);
    assert.equal(
      await countOf(context.documents, collection, {
        index: 'by_tag',
        equals: { household: h, tags: 't' },
        limit: 9,
      }),
      1,
    );
  });

  it('shows an expired document to no reader', async () => {
    const h = household();
    const expired = { key: `${h}|1`, revision: 1, household: h, tags: ['t'], text: 'x', expiresAt: past };
    await context.documents.put(collection, [expired, { ...expired, key: `${h}|2`, expiresAt: future }]);
    const left = [`${h}|2`];
    assert.equal(await context.documents.get(collection, `${h}|1`), null);
    assert.deepEqual(keysOf(await context.documents.getMany(collection, [`${h}|1`, `${h}|2`])), left);
    assert.deepEqual(
      keysOf(await context.documents.range(collection, { from: h, before: `${h}~`, limit: 9 })),
      left,
    );
    for (const [index, equals] of [
      ['by_date', { household: h }],
      ['by_tag', { household: h, tags: 't' }],
    ] as const) {
      const query = { index, equals, limit: 9 };
      assert.deepEqual(keysOf(await context.documents.query(collection, query)), left);
      assert.deepEqual(
        keysOf(
          await context.documents.query(collection, { ...query, where: [{ field: 'text', contains: 'x' }] }),
        ),
        left,
      );
      assert.equal(await countOf(context.documents, collection, query), 1);
    }
  });

  it('treats an expired document as absent for every writer', async () => {
    const h = household();
    const expired = { key: h, revision: 5, household: h, tags: ['old'], expiresAt: past };
    await context.documents.put(collection, [expired]);
    assert.equal(await context.documents.replace(collection, { key: h, revision: 6 }, 5), false);
    assert.equal(await context.documents.remove(collection, h), false);
    await context.documents.insert(collection, { key: h, revision: 1, household: h, tags: ['new'] });
    assert.equal((await context.documents.get(collection, h))?.revision, 1);
    const other = household();
    await context.documents.put(collection, [{ ...expired, key: other }]);
    await context.documents.put(collection, [{ key: other, revision: 2 }]);
    assert.deepEqual(await context.documents.get(collection, other), { key: other, revision: 2 });
    for (const [tags, counted] of [
      ['old', 0],
      ['new', 1],
    ] as const) {
      assert.equal(
        await countOf(context.documents, collection, {
          index: 'by_tag',
          equals: { household: h, tags },
          limit: 9,
        }),
        counted,
      );
    }
  });

  it('takes the time from the latest write', async () => {
    const h = household();
    const document = { key: h, revision: 1, household: h, tags: ['t'] };
    const counted = (): Promise<number> =>
      countOf(context.documents, collection, {
        index: 'by_tag',
        equals: { household: h, tags: 't' },
        limit: 9,
      });
    await context.documents.put(collection, [document]);
    await context.documents.put(collection, [{ ...document, revision: 2, expiresAt: future }]);
    assert.equal(await counted(), 1);
    await context.documents.put(collection, [{ ...document, revision: 3 }]);
    assert.deepEqual(await context.documents.get(collection, h), { ...document, revision: 3 });
    await context.documents.put(collection, [{ ...document, revision: 4, expiresAt: past }]);
    assert.equal(await counted(), 0);
    assert.equal(await context.documents.get(collection, h), null);
  });
}

/** For adapters whose clock can be given: a document is there up to its time, exclusively. */
export function clockContract(adapter: DocumentsAdapter): void {
  const collection: Collection<Sample> = { name: drawName(), durability: 'durable', indexes: INDEXES };
  const start = 1_800_000_000_000;
  let time = start;
  let documents: Documents;
  before(async () => {
    documents = await adapter.open({ now: () => time });
    await documents.ensure([collection]);
  });
  after(async () => {
    await documents.drop(collection.name);
    await documents.close();
  });

  it('lets a document expire at its time', async () => {
    const document = { key: 'k', revision: 1, household: 'h', expiresAt: start + 1_000 };
    const query = { index: 'by_date', equals: { household: 'h' }, limit: 9 };
    await documents.insert(collection, document);
    time = start + 999;
    assert.deepEqual(await documents.get(collection, 'k'), document);
    assert.deepEqual(await documents.query(collection, query), [document]);
    time = start + 1_000;
    assert.equal(await documents.get(collection, 'k'), null);
    assert.deepEqual(await documents.query(collection, query), []);
    assert.equal(await countOf(documents, collection, query), 0);
  });

  it('lets no writer meet a document from its time on', async () => {
    const document = { key: 'gone', revision: 5, expiresAt: time + 1_000 };
    await documents.insert(collection, document);
    time += 1_000;
    assert.equal(await documents.replace(collection, { key: 'gone', revision: 6 }, 5), false);
    assert.equal(await documents.remove(collection, 'gone'), false);
    await documents.insert(collection, { key: 'gone', revision: 1 });
    assert.deepEqual(await documents.get(collection, 'gone'), { key: 'gone', revision: 1 });
  });

  it('takes the time from the latest write also where there is no index', async () => {
    const plain: Collection<Sample> = { name: drawName(), durability: 'durable', indexes: [] };
    await documents.ensure([plain]);
    const expiresAt = time + 1_000;
    await documents.put(plain, [
      { key: 'expires', revision: 5, expiresAt },
      { key: 'stays', revision: 5, expiresAt },
    ]);
    await documents.put(plain, [{ key: 'stays', revision: 6 }]);
    time = expiresAt - 1;
    await documents.put(plain, [{ key: 'expires', revision: 4 }]);
    assert.equal((await documents.get(plain, 'expires'))?.revision, 5);
    time = expiresAt;
    assert.deepEqual(await documents.get(plain, 'stays'), { key: 'stays', revision: 6 });
    await documents.put(plain, [{ key: 'expires', revision: 4 }]);
    assert.deepEqual(await documents.get(plain, 'expires'), { key: 'expires', revision: 4 });
    await documents.drop(plain.name);
  });
}
