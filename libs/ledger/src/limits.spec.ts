import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requireAtMost, requireRoomInHousehold } from './limits.js';

describe('the refusals of what is full', () => {
  it('say what they count, and how much of it there may be', () => {
    requireAtMost('notes', 40_000, '2026-01');
    assert.throws(() => requireAtMost('notes', 40_001, '2026-01'), {
      code: 'month_full',
      message: '2026-01 can hold at most 40000 characters of notes.',
      details: { limit: 'notes', max: 40_000, month: '2026-01' },
    });
    assert.throws(() => requireRoomInHousehold('identities', 10_001), {
      code: 'household_full',
      message: 'A household can hold at most 10000 groups and items together.',
      details: { limit: 'identities', max: 10_000 },
    });
  });
});
