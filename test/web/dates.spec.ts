import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMonth, monthAfter, monthName, today } from '../../apps/web/src/format/dates.js';

describe('months in the web app', () => {
  it('follow one another over the turn of the year', () => {
    assert.equal(monthAfter('2026-12'), '2027-01');
    assert.equal(monthAfter('2026-01', -1), '2025-12');
    assert.equal(monthAfter('2026-11', 14), '2028-01');
  });

  it('are named in the language of the browser', () => {
    assert.equal(monthName('2026-11', 'en-GB'), 'November 2026');
    assert.equal(monthName('2026-03', 'de-DE'), 'März 2026');
  });

  it('are told from other paths', () => {
    assert.ok(isMonth('2026-11'));
    assert.ok(!isMonth('2026-13'));
    assert.ok(!isMonth('november'));
  });

  it('begin with the day of the device, not that of UTC', () => {
    assert.equal(today(new Date(2026, 10, 30, 23, 59)), '2026-11-30');
    assert.equal(today(new Date(2026, 11, 1, 0, 1)), '2026-12-01');
  });
});
