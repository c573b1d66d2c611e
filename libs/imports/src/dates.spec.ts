import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isDate } from '#http/field-rules';
import { propertyRuns } from '../../../test/property-runs.js';
import { dateOfDay, dayNumber } from './calendar-days.js';
import { chooseDateFormat, readDate } from './dates.js';
import type { DateFormat } from './imported-file.js';

describe('dates', () => {
  it('are read as banks write them', () => {
    const cells: readonly (readonly [string, DateFormat, string])[] = [
      ['2026-01-15', 'YMD', '2026-01-15'],
      ['2026/1/5', 'YMD', '2026-01-05'],
      ['20260115', 'YMD', '2026-01-15'],
      ['20260115123000', 'YMD', '2026-01-15'],
      ['2026-01-15T23:59:59.000Z', 'YMD', '2026-01-15'],
      ['2026-01-15 10:22', 'YMD', '2026-01-15'],
      ['2026年1月9日', 'YMD', '2026-01-09'],
      ['26-01-15', 'YMD', '2026-01-15'],
      ['15.01.2026', 'DMY', '2026-01-15'],
      ['15.1.26', 'DMY', '2026-01-15'],
      ['15/01/99', 'DMY', '1999-01-15'],
      ['15-01-2026 09:00', 'DMY', '2026-01-15'],
      ['05 Jan 2026', 'DMY', '2026-01-05'],
      ['5-Jan-26', 'DMY', '2026-01-05'],
      ['5. März 2026', 'DMY', '2026-03-05'],
      ['5 févr. 2026', 'DMY', '2026-02-05'],
      ['5 août 2026', 'DMY', '2026-08-05'],
      ['01/15/2026', 'MDY', '2026-01-15'],
      ["1/15'26", 'MDY', '2026-01-15'],
      ["1/ 5'26", 'MDY', '2026-01-05'],
      ['Jan 15, 2026', 'MDY', '2026-01-15'],
      ['29.02.2024', 'DMY', '2024-02-29'],
    ];
    for (const [cell, format, expected] of cells)
      assert.equal(readDate(cell, format, isDate), expected, cell);
  });

  it('are refused where the calendar or the format has no such day', () => {
    for (const cell of ['2026-02-29', '2026-13-01', '0000-01-01', '', 'yesterday', '2026-01', '15.01.2026']) {
      assert.equal(readDate(cell, 'YMD', isDate), null, cell);
    }
    assert.equal(readDate('01/15/2026', 'DMY', isDate), null);
    assert.equal(readDate('15/01/2026', 'MDY', isDate), null);
    assert.equal(readDate(`2026-01-15 ${'1'.repeat(100)}`, 'YMD', isDate), null);
  });

  it('have the format that most cells fit; the currency decides where days are never above 12', () => {
    const choose = (cells: readonly string[], currency = 'GBP') => chooseDateFormat(cells, isDate, currency);
    assert.deepEqual(choose(['15/01/2026', '01/02/2026']), { format: 'DMY', isAmbiguous: false });
    assert.deepEqual(choose(['01/15/2026', '01/02/2026']), { format: 'MDY', isAmbiguous: false });
    assert.deepEqual(choose(['01/02/2026']), { format: 'DMY', isAmbiguous: true });
    assert.deepEqual(choose(['01/02/2026'], 'USD'), { format: 'MDY', isAmbiguous: true });
    assert.deepEqual(choose(['01.02.2026'], 'USD'), { format: 'DMY', isAmbiguous: true });
    assert.deepEqual(choose(['2026-01-02']), { format: 'YMD', isAmbiguous: false });
  });

  it('count days as the calendar does', () => {
    assert.equal(dayNumber('1970-01-01'), 0);
    assert.equal(dayNumber('2000-03-01'), 11_017);
    assert.equal(dateOfDay(dayNumber('0001-01-01')), '0001-01-01');
    fc.assert(
      fc.property(fc.integer({ min: dayNumber('0001-01-01'), max: dayNumber('9999-12-31') }), day => {
        const date = dateOfDay(day);
        assert.ok(isDate(date));
        assert.equal(dayNumber(date), day);
        assert.equal(Date.parse(`${date}T00:00:00.000Z`), day * 86_400_000);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });
});
