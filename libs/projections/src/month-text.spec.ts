import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  monthTextParts,
  JoinedGroup,
  JoinedItem,
  type GroupView,
  type ItemView,
  type MonthView,
} from './month-view.js';

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

const joinedItem = (view: ItemView): JoinedItem => {
  const identity = { months: 1, favorite_revision: -1, target_revision: -1 };
  return new JoinedItem(view, view.group_id, { ...identity, ...view }, view.favorite);
};

const grouped = (view: GroupView, items: readonly JoinedItem[]): JoinedGroup =>
  new JoinedGroup({ ...view, color_revision: -1 }, items, view.totals);

const joined = (view: GroupView): JoinedGroup => grouped(view, view.items.map(joinedItem));

const textOf = (view: MonthView): string => monthTextParts(view).join('');

describe('the text of a month', () => {
  it('is what JSON.stringify makes of it, whatever groups there are', () => {
    const [one, other] = [group('G1', 'a\nb'), group('G2', null)];
    for (const view of [
      month([], null),
      month([one], '2025-12'),
      month([one, other], null),
      month([other], null),
    ]) {
      assert.equal(textOf(view), JSON.stringify(view));
      assert.equal(textOf(view), JSON.stringify(view));
    }
  });

  it('is made once for each version of a group and of an item', context => {
    const [kept, was] = [group('G1', null), group('G2', 'before')].map(joined);
    const other = joinedItem(group('G2', null).items[0]!);
    const before = grouped(group('G2', null), [...was!.items, other]);
    textOf(month([kept!, before], null));
    const is = joinedItem(group('G2', 'after').items[0]!);
    const after = grouped(group('G2', null), [is, other]);
    const stringify = context.mock.method(JSON, 'stringify');
    const view = month([kept!, after], null);
    const text = textOf(view);
    const made = stringify.mock.calls.map(({ arguments: [value] }): unknown => value);
    assert.deepEqual(
      [kept!, kept!.items[0], other, is].map(each => made.includes(each)),
      [false, false, false, true],
    );
    assert.equal(text, JSON.stringify(view));
  });

  it('shows a group that was made anew as it is now', () => {
    const view = month([group('G1', 'before')], null);
    textOf(view);
    const changed = month([group('G1', 'after')], null);
    assert.equal(textOf(changed), JSON.stringify(changed));
  });
});
