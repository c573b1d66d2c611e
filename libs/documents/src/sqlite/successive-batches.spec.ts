import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DocumentsUnavailable } from '../documents.js';
import type { SerialisedDocuments } from './serialised-documents.js';
import { SuccessiveBatches } from './successive-batches.js';

const named = (collection: string): readonly SerialisedDocuments[] => [
  { collection, bodies: [], described: null },
];

describe('successive batches', () => {
  /** What was written, and what fails when it is to be. */
  function writing(failing: ReadonlySet<string> = new Set()): {
    written: string[];
    batches: SuccessiveBatches;
  } {
    const written: string[] = [];
    const batches = new SuccessiveBatches({
      putTogether: async ([documents]) => {
        const { collection } = documents!;
        await new Promise(resolve => setImmediate(resolve));
        if (failing.has(collection)) throw new DocumentsUnavailable(`no room for ${collection}`);
        written.push(collection);
      },
    });
    return { written, batches };
  }

  it('are written one after the other', async () => {
    const { written, batches } = writing();
    const first = batches.put({ number: 1, follows: null, documents: named('a') });
    const second = batches.put({ number: 2, follows: 1, documents: named('b') });
    await first;
    assert.deepEqual(written, ['a']);
    await second;
    assert.deepEqual(written, ['a', 'b']);
  });

  it('are refused behind one that failed, however many there are, until one follows none', async () => {
    const { written, batches } = writing(new Set(['a']));
    const sent = [
      batches.put({ number: 1, follows: null, documents: named('a') }),
      batches.put({ number: 2, follows: 1, documents: named('b') }),
      batches.put({ number: 3, follows: 2, documents: named('c') }),
      batches.put({ number: 4, follows: null, documents: named('d') }),
      batches.put({ number: 5, follows: 4, documents: named('e') }),
    ];
    const ends = await Promise.allSettled(sent);
    assert.deepEqual(
      ends.map(end => (end.status === 'rejected' ? String(end.reason.message) : 'written')),
      ['no room for a', 'no room for a', 'no room for a', 'written', 'written'],
    );
    assert.deepEqual(written, ['d', 'e']);
  });

  it('are refused behind one that was never seen here', async () => {
    const { written, batches } = writing();
    await assert.rejects(
      batches.put({ number: 8, follows: 7, documents: named('a') }),
      /put before was not written/,
    );
    assert.deepEqual(written, []);
  });
});
