import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { monthText, type GroupView, type MonthView } from './month-document.js';

const group = (id: string, note: string | null): GroupView => ({
  id,
  name: 'Home "and" Garden\u2028',
  color: '#aabbcc',
  is_income: false,
  items: [
    {
      id: 'I1',
      name: 'Füße',
      kind: 'expense',
      is_fund: true,
      favorite: true,
      fund_target: 5,
      group_id: id,
      planned: 1,
      spent: -2,
      received: 0,
      remaining: 3,
      note,
      fund: {
        carry_in: 0,
        adjustments: [{ amount: 1, at: '2026-01-15T08:00:00.000Z', by: 'U1' }],
        ending: 3,
      },
    },
  ],
  totals: { planned: 1, spent: -2, received: 0, remaining: 3 },
});

const month = (groups: readonly GroupView[], copiedFrom: string | null): MonthView => ({
  month: '2026-01',
  left_to_budget: -7,
  groups,
  favorites: ['I1'],
  center: { planned: 1, spent: -2, remaining: 3 },
  untracked_count: 4,
  copied_from: copiedFrom,
  created_at: '2026-01-15T08:00:00.000Z',
});

describe('the text of a month', () => {
  it('is what JSON.stringify makes of it, whatever groups there are', () => {
    const [one, other] = [group('G1', 'a\nb'), group('G2', null)];
    for (const view of [
      month([], null),
      month([one], '2025-12'),
      month([one, other], null),
      month([other], null),
    ]) {
      assert.equal(monthText(view), JSON.stringify(view));
      assert.equal(monthText(view), JSON.stringify(view));
    }
  });

  it('is made once for each group', context => {
    const [kept, before, after] = [group('G1', null), group('G2', 'before'), group('G2', 'after')];
    monthText(month([kept, before], null));
    const stringify = context.mock.method(JSON, 'stringify');
    const view = month([kept, after], null);
    const text = monthText(view);
    const made = stringify.mock.calls.map(({ arguments: [value] }): unknown => value);
    assert.deepEqual([made.includes(kept), made.includes(after)], [false, true]);
    assert.equal(text, JSON.stringify(view));
  });

  it('shows a group that was made anew as it is now', () => {
    const view = month([group('G1', 'before')], null);
    monthText(view);
    const changed = month([group('G1', 'after')], null);
    assert.equal(monthText(changed), JSON.stringify(changed));
  });
});
