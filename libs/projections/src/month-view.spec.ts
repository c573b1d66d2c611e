import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  UnknownIdentity,
  type IdentitiesDocument,
  type MonthDocument,
  type MonthItemDocument,
  monthRevision,
  monthText,
  monthView,
} from './month-document.js';

const figures = { planned: 0, spent: 0, received: 0, remaining: 0 };
const center = { planned: 0, spent: 0, remaining: 0 };

function laid(id: string, fund: MonthItemDocument['fund'] = null): MonthItemDocument {
  return { id, ...figures, note: null, fund };
}

const FUND = { carry_in: 5, adjustments: [], ending: 5 };

const month: MonthDocument = {
  key: 'H|2026-01',
  revision: 7,
  month: '2026-01',
  copied_from: null,
  created_at: '2026-01-01T00:00:00.000Z',
  left_to_budget: 0,
  center,
  groups: [
    { id: 'G1', totals: figures, items: [laid('I1')] },
    { id: 'G2', totals: figures, items: [laid('I3', FUND), laid('I2')] },
  ],
};

const group = { color: '#000000', is_income: false, color_revision: 1 };
const item = {
  kind: 'expense',
  is_fund: false,
  fund_target: null,
  months: 1,
  favorite_revision: -1,
  target_revision: -1,
} as const;

const identities: IdentitiesDocument = {
  key: 'H',
  revision: 9,
  groups: [
    { ...group, id: 'G1', name: 'Income', is_income: true },
    { ...group, id: 'G2', name: 'Food' },
    { ...group, id: 'G9', name: 'Elsewhere', color_revision: 50 },
  ],
  items: [
    { ...item, id: 'I1', name: 'Pay', kind: 'income' },
    { ...item, id: 'I2', name: 'Later', is_fund: true, fund_target: 10 },
    { ...item, id: 'I3', name: 'Car', is_fund: true, fund_target: 20 },
    { ...item, id: 'I9', name: 'Elsewhere', favorite_revision: 50, target_revision: 50 },
  ],
  favorites: ['I9', 'I3', 'I1'],
};

describe('monthView', () => {
  it('joins names, colours, kinds and group ids in the order of the month', () => {
    const view = monthView(month, identities, 3);
    assert.equal(view.untracked_count, 3);
    assert.deepEqual(
      view.groups.map(({ name, is_income }) => [name, is_income]),
      [
        ['Income', true],
        ['Food', false],
      ],
    );
    assert.deepEqual(
      view.groups[1]!.items.map(({ name, kind, group_id }) => [name, kind, group_id]),
      [
        ['Car', 'expense', 'G2'],
        ['Later', 'expense', 'G2'],
      ],
    );
  });

  it('shows favourites of this month only, in the order in which they were made favourites', () => {
    assert.deepEqual(monthView(month, identities, 0).favorites, ['I3', 'I1']);
  });

  it('shows a target only where the item is a fund in this month', () => {
    const [car, later] = monthView(month, identities, 0).groups[1]!.items;
    assert.deepEqual([car!.is_fund, car!.fund_target], [true, 20]);
    assert.deepEqual([later!.is_fund, later!.fund_target], [false, null]);
  });

  it('recognises identities that are older than the month', () => {
    const { groups, items } = identities;
    assert.throws(() => monthView(month, { ...identities, groups: groups.slice(1) }, 0), UnknownIdentity);
    assert.throws(() => monthView(month, { ...identities, items: items.slice(1) }, 0), UnknownIdentity);
  });
});

describe('monthRevision', () => {
  const changed = (id: string, revisions: object): IdentitiesDocument => ({
    ...identities,
    groups: identities.groups.map(one => (one.id === id ? { ...one, ...revisions } : one)),
    items: identities.items.map(one => (one.id === id ? { ...one, ...revisions } : one)),
  });

  it('is that of the month itself while nothing that it shows changed later', () => {
    assert.equal(monthRevision(month, identities), 7);
  });

  it('follows colours, favourites, and targets of funds in the month', () => {
    assert.equal(monthRevision(month, changed('G2', { color_revision: 11 })), 11);
    assert.equal(monthRevision(month, changed('I2', { favorite_revision: 12 })), 12);
    assert.equal(monthRevision(month, changed('I3', { target_revision: 13 })), 13);
    assert.equal(monthRevision(month, changed('I2', { target_revision: 14 })), 7);
  });
});

describe('one view of a month after another', () => {
  const [income, food] = month.groups;
  const [car, later] = food!.items;
  const changed = { ...food!, totals: { ...figures, planned: 1 }, items: [{ ...car!, spent: 4 }, later!] };
  const next = { ...month, revision: 8, groups: [income!, changed] };

  it('is what it would be by itself, independent of what was viewed before', () => {
    const moved = {
      ...month,
      groups: [
        { ...income!, items: food!.items },
        { ...food!, items: income!.items },
      ],
    };
    const turned = { ...month, groups: [food!, income!] };
    const one = { ...identities };
    for (const document of [month, next, moved, month, turned, { ...month, groups: [food!] }, month]) {
      const [is, expected] = [monthView(document, one, 3), monthView(document, { ...identities }, 3)];
      assert.deepEqual(is, expected);
      assert.equal(monthText(is), JSON.stringify(expected));
    }
  });

  it('takes over groups of which neither the document nor the identities have changed', () => {
    const [one, other] = [monthView(month, identities, 3), monthView(next, identities, 3)];
    assert.equal(other.groups[0], one.groups[0]);
    assert.notEqual(other.groups[1], one.groups[1]);
    assert.equal(other.groups[1]!.totals.planned, 1);
    assert.equal(other.groups[1]!.items[0]!.spent, 4);
    const [renamed, ...others] = identities.groups;
    const renaming = { ...identities, groups: [{ ...renamed!, name: 'Pay' }, ...others] };
    assert.equal(monthView(next, renaming, 3).groups[0]!.name, 'Pay');
  });
});
