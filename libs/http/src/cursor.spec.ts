import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from './api-error.js';
import { CursorCodec } from './cursor.js';

const codec = new CursorCodec(Buffer.alloc(32, 1));
const scope = ['transactions', '01JZ8Q4T0V6W2X3Y4Z5A6B7C8D', 'tracked', null, 'q'];

function isInvalid(act: () => unknown): void {
  assert.throws(act, (error: unknown) => error instanceof ApiError && error.code === 'invalid_cursor');
}

describe('cursors', () => {
  it('come back as they went, under their own scope', () => {
    const position = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 });
    fc.assert(
      fc.property(position, fc.array(fc.string()), (place, bound) => {
        const cursor = codec.encode(bound, place);
        assert.match(cursor, /^[A-Za-z0-9_-]+$/);
        assert.deepEqual(codec.decode(bound, cursor), place);
      }),
    );
  });

  it('are nothing under another scope or another key', () => {
    const cursor = codec.encode(scope, ['2026-01-02', 'x']);
    isInvalid(() => codec.decode([...scope.slice(0, -1), 'p'], cursor));
    isInvalid(() => codec.decode([], cursor));
    isInvalid(() => new CursorCodec(Buffer.alloc(32, 2)).decode(scope, cursor));
  });

  it('are nothing once a character was changed, added or taken away', () => {
    const cursor = codec.encode(scope, ['2026-01-02', 'x']);
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      isInvalid(() => codec.decode(scope, cursor.slice(0, at) + other + cursor.slice(at + 1)));
    }
    for (const wrong of [
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      ` ${cursor}`,
      '',
      'null',
    ]) {
      isInvalid(() => codec.decode(scope, wrong));
    }
  });

  it('are nothing when they are any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => isInvalid(() => codec.decode(scope, text))));
    isInvalid(() => codec.decode(scope, 'A'.repeat(10_000_000)));
  });
});
