import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addsUp } from './explanation.js';

const GREATEST = Number.MAX_SAFE_INTEGER;

function figure(value: number, ...amounts: number[]): Parameters<typeof addsUp>[0] {
  return [
    { figure: 'spent', value, terms: amounts.map(amount => ({ term: 'expenses', amount, sources: [] })) },
  ];
}

describe('an explanation', () => {
  it('adds up where its terms make its figure', () => {
    assert.ok(addsUp(figure(0)));
    assert.ok(addsUp(figure(-2, 1, -3)));
    assert.ok(!addsUp(figure(1, 1, -3)));
  });

  it('adds up to the cent, also where a sum leaves the range on the way', () => {
    assert.ok(addsUp(figure(3, GREATEST, GREATEST, 3, -GREATEST, -GREATEST)));
    assert.ok(!addsUp(figure(2, GREATEST, GREATEST, 3, -GREATEST, -GREATEST)));
  });

  it('does not add up with a term that is out of range', () => {
    assert.ok(!addsUp(figure(0, Number.NaN)));
  });
});
