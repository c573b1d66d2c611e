import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeTime } from 'ulid';
import { newTransactionId } from './client.js';

describe('new transaction ids', () => {
  it('are ULIDs of the present time', () => {
    const before = Date.now();
    const id = newTransactionId();
    assert.match(id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    assert.ok(decodeTime(id) >= before && decodeTime(id) <= Date.now());
  });

  it('grow, however many are made within a millisecond', () => {
    const ids = Array.from({ length: 10_000 }, newTransactionId);
    assert.deepEqual(ids, [...new Set(ids)].sort());
  });

  it('grow after the clock went back', context => {
    const now = Date.now();
    context.mock.timers.enable({ apis: ['Date'], now: now + 60_000 });
    const ids = [newTransactionId()];
    context.mock.timers.setTime(now);
    ids.push(newTransactionId(), newTransactionId());
    assert.deepEqual(ids, [...new Set(ids)].sort());
  });
});
