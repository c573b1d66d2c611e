import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecordedEvent } from '#storage/event-store/event-store';
import { WorkEstimate } from './replay.js';

/** Events at places of the log. */
function pageAt(...places: readonly (number | string)[]): RecordedEvent[] {
  return places.map(place => ({ position: positionAt(place) }) as RecordedEvent);
}

function positionAt(place: number | string): string {
  return String(place).padStart(20, '0');
}

describe('the estimate of a replay', () => {
  it('counts events where each has a place of its own', () => {
    const estimate = new WorkEstimate(pageAt(1, 2, 3, 4), 0, positionAt(1_000));
    assert.equal(estimate.fraction(250, null), 0.25);
    assert.equal(estimate.fraction(1_000, positionAt(4)), 1);
  });

  it('takes the rest of the log to be like the page where places are bytes, and twice as wide', () => {
    const twice = (place: number): string => positionAt(place).repeat(2);
    const page = [1_000, 1_400, 1_800].map(place => ({ position: twice(place) }) as RecordedEvent);
    const estimate = new WorkEstimate(page, 50, twice(1_000 + 149 * 400));
    assert.equal(estimate.fraction(100, twice(1_800)), 0.5);
  });

  it('goes by the position where that is further, and never beyond the whole', () => {
    const estimate = new WorkEstimate(pageAt(1, 2), 0, positionAt(100));
    assert.equal(estimate.fraction(10, positionAt(80)), 0.8);
    assert.equal(estimate.fraction(500, positionAt(80)), 1);
  });

  it('goes by the position alone after a page of one event, and says nothing where places are no numbers', () => {
    const one = new WorkEstimate(pageAt(5), 0, positionAt(10));
    assert.deepEqual([one.fraction(1, null), one.fraction(1, positionAt(5))], [null, 0.5]);
    assert.equal(new WorkEstimate(pageAt('a', 'b'), 0, 'z').fraction(1, 'b'), null);
  });
});
