import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import type { Document } from '../documents/documents.js';
import { DOCUMENT_BYTES_MAX, documentOf, storedDocument, type StoredDocument } from './stored-document.js';
import { propertyRuns } from '../../../../test/property-runs.js';

function roundTrip(document: Document): Document {
  const { stored, bytes } = storedDocument(document, {});
  const encoded = BSON.serialize(stored, { ignoreUndefined: true });
  assert.ok(encoded.length <= bytes, `${encoded.length} bytes, said to be at most ${bytes}`);
  return documentOf(BSON.deserialize(encoded) as StoredDocument);
}

/** Names that a program may choose, however odd. */
const NAMES = ['', ' ', ...'a$b % %24 a% id key a b constructor toString'.split(' ')];
const text = fc.string({ unit: 'grapheme', maxLength: 8 }).filter(value => !value.includes('\0'));
const name = fc.oneof(
  fc.constantFrom(...NAMES),
  text.filter(value => !/^\d+$|^[$_]|\./.test(value)),
);
const { content } = fc.letrec(tie => ({
  content: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => (Object.is(value, -0) ? 0 : value)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('content'), { maxLength: 4 }),
    fc.dictionary(name, tie('content'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const fields = fc.array(fc.tuple(name, content), { maxLength: 5 });
const documents = fc
  .tuple(fields, fields, fc.nat(), fc.option(fc.integer({ min: 0, max: 9e15 })))
  .map(([before, after, revision, expiresAt]): Document => {
    const document: Record<string, unknown> = {};
    for (const [field, value] of before) document[field] = value;
    document['key'] = 'k|1';
    document['revision'] = revision;
    if (expiresAt !== null) document['expiresAt'] = expiresAt;
    for (const [field, value] of after) if (field !== 'key') document[field] = value;
    return document as unknown as Document;
  });

describe('A document as MongoDB holds it', () => {
  it('comes back exactly, the order of its fields too', () => {
    fc.assert(
      fc.property(documents, document => {
        assert.equal(JSON.stringify(roundTrip(document)), JSON.stringify(document));
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it('is refused with a field that the server or this adapter takes for its own', () => {
    for (const field of ['_id', '_until', '$set', 'a.b']) {
      assert.throws(() => storedDocument({ key: 'k', revision: 1, [field]: 1 }, {}), RangeError);
    }
    for (const field of ['$set', 'a.b']) {
      const inner = { key: 'k', revision: 1, list: [{ [field]: 1 }] };
      assert.throws(() => storedDocument(inner, {}), RangeError);
    }
    assert.deepEqual(roundTrip({ key: 'k', revision: 1, inner: { _id: 1 } } as Document), {
      key: 'k',
      revision: 1,
      inner: { _id: 1 },
    });
  });

  it('keeps the place of its key', () => {
    for (const document of [
      { revision: 1, key: 'k' },
      { a: 1, revision: 1, key: 'k', z: 2 },
      { key: 'k', revision: 1 },
    ]) {
      assert.equal(JSON.stringify(roundTrip(document)), JSON.stringify(document));
    }
  });

  it('leaves out what is undefined', () => {
    const document = { key: 'k', revision: 1, absent: undefined, inner: { absent: undefined, there: 1 } };
    assert.equal(JSON.stringify(roundTrip(document)), '{"key":"k","revision":1,"inner":{"there":1}}');
  });

  it('is refused when it is larger than the server takes', () => {
    const filled = (bytes: number): Document => {
      const document = { key: 'k', revision: 1, text: '' };
      const empty = BSON.serialize(storedDocument(document, {}).stored).length;
      return { ...document, text: 'x'.repeat(bytes - empty) } as Document;
    };
    const { stored } = storedDocument(filled(DOCUMENT_BYTES_MAX), {});
    assert.equal(BSON.serialize(stored).length, DOCUMENT_BYTES_MAX);
    assert.throws(() => storedDocument(filled(DOCUMENT_BYTES_MAX + 1), {}), RangeError);
  });
});
