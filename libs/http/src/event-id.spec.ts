import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { shownEventId, storedEventId } from './path-params.js';
import { isUlid } from './field-rules.js';

describe('the id of an event', () => {
  it('is shown as a ULID, and found again by it', () => {
    fc.assert(
      fc.property(fc.uuid(), stored => {
        const shown = shownEventId(stored);
        assert.ok(isUlid(shown));
        assert.equal(storedEventId(shown), stored);
      }),
    );
  });

  it('is what the other way of writing the same bits says', () => {
    assert.equal(shownEventId('5f0c2a3e-7d1b-8c7e-9a55-0b1f6a1d2c3e'), '2Z1GN3WZ8VHHZ9MN8B3XN1TB1Y');
    assert.equal(shownEventId('ffffffff-ffff-ffff-ffff-ffffffffffff'), '7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
    assert.equal(storedEventId('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  });

  it('is none where there are more bits than an id has', () => {
    assert.equal(storedEventId('80000000000000000000000000'), null);
    assert.equal(storedEventId('ZZZZZZZZZZZZZZZZZZZZZZZZZZ'), null);
  });
});
