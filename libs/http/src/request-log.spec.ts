import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFraction } from './request-log.js';

/** More than what is drawn at once. */
const DRAWS = 10_000;

describe('the fractions of which ids are made', () => {
  it('are multiples of 1/256 from 0 to below 1, none of them rare', () => {
    const counts = new Map<number, number>();
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const fraction = randomFraction();
      counts.set(fraction, (counts.get(fraction) ?? 0) + 1);
    }
    for (const fraction of counts.keys()) {
      assert.ok(fraction >= 0 && fraction < 1 && Number.isInteger(fraction * 256), String(fraction));
    }
    // Each comes 39 times in the mean; that one is left out, or comes so often, does not happen.
    assert.equal(counts.size, 256);
    assert.ok(Math.max(...counts.values()) < 120, String(Math.max(...counts.values())));
  });

  it('are new ones each time', () => {
    const draw = (): string => Array.from({ length: DRAWS }, randomFraction).join();
    assert.notEqual(draw(), draw());
  });
});
