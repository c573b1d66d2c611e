import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BUCKETS_MAX, RATE_LIMIT, RateLimiter } from './rate-limiter.js';

const START = Date.UTC(2026, 0, 1);

describe('RateLimiter', () => {
  it('allows a burst of 120 and refuses the next request', () => {
    const limiter = new RateLimiter();
    for (let left = RATE_LIMIT - 1; left >= 0; left -= 1) {
      const rate = limiter.take('token', START);
      assert.deepEqual([rate.allowed, rate.remaining, rate.retrySeconds], [true, left, 0]);
    }
    const refused = limiter.take('token', START);
    assert.deepEqual(refused, { allowed: false, remaining: 0, resetSeconds: 60, retrySeconds: 1 });
  });

  it('refills by two requests a second', () => {
    const limiter = new RateLimiter();
    for (let request = 0; request < RATE_LIMIT; request += 1) limiter.take('token', START);
    assert.equal(limiter.take('token', START + 499).allowed, false);
    assert.equal(limiter.take('token', START + 500).allowed, true);
    assert.equal(limiter.take('token', START + 999).allowed, false);
    assert.equal(limiter.take('token', START + 1000).allowed, true);
    assert.equal(limiter.take('token', START + 61_000).remaining, RATE_LIMIT - 1);
  });

  it('says in how many seconds the bucket is full again', () => {
    const limiter = new RateLimiter();
    assert.equal(limiter.take('token', START).resetSeconds, 1);
    assert.equal(limiter.take('token', START).resetSeconds, 1);
    assert.equal(limiter.take('token', START).resetSeconds, 2);
  });

  it('refused requests do not prolong the wait', () => {
    const limiter = new RateLimiter();
    for (let request = 0; request < RATE_LIMIT * 3; request += 1) limiter.take('token', START);
    assert.equal(limiter.take('token', START + 500).allowed, true);
  });

  it('keeps tokens apart', () => {
    const limiter = new RateLimiter();
    for (let request = 0; request < RATE_LIMIT + 1; request += 1) limiter.take('one', START);
    assert.equal(limiter.take('another', START).remaining, RATE_LIMIT - 1);
  });

  it('locks nobody out for longer than a minute when the clock is set back', () => {
    const limiter = new RateLimiter();
    for (let request = 0; request < RATE_LIMIT; request += 1) limiter.take('token', START);
    const hourEarlier = START - 3_600_000;
    assert.equal(limiter.take('token', hourEarlier).allowed, false);
    assert.equal(limiter.take('token', hourEarlier + 60_000).allowed, true);
  });

  it('keeps a bounded number of buckets under a million tokens', () => {
    const limiter = new RateLimiter();
    for (let token = 0; token < 1_000_000; token += 1) {
      limiter.take(`token-${token}`, START);
      if (limiter.size > BUCKETS_MAX) assert.fail(`${limiter.size} buckets`);
    }
    assert.ok(limiter.size > BUCKETS_MAX / 2 - 1, `${limiter.size} buckets`);
    // What was used last is remembered.
    assert.equal(limiter.take('token-999999', START).remaining, RATE_LIMIT - 2);
  });

  it('forgets buckets that are full again', () => {
    const limiter = new RateLimiter();
    for (let token = 0; token < 1000; token += 1) limiter.take(`token-${token}`, START);
    limiter.take('busy', START + 60_000);
    assert.equal(limiter.size, 1001);
    limiter.take('busy', START + 120_000);
    assert.equal(limiter.size, 1);
  });

  it('remembers a bucket for as long as it is not full', () => {
    for (const pauseMs of [1, 999, 30_000, 59_000]) {
      const limiter = new RateLimiter();
      limiter.take('other', START - 59_999);
      for (let request = 0; request < RATE_LIMIT; request += 1) limiter.take('token', START);
      limiter.take('other', START + pauseMs);
      const refilled = Math.floor(pauseMs / 500);
      const { allowed, remaining } = limiter.take('token', START + pauseMs);
      assert.deepEqual(
        [allowed, remaining],
        refilled > 0 ? [true, refilled - 1] : [false, 0],
        `${pauseMs} ms`,
      );
    }
  });
});
