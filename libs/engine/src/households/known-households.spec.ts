import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  NO_HOUSEHOLD,
  type Budget,
  type Household,
  type ItemIdentity,
  type LaidItem,
} from '#ledger/household';
import { StateCache, type KnownHousehold } from './known-households.js';

const ITEM: LaidItem = { planned: 0, note: null, adjustments: [], activity: 0, carryIn: null };

/** A household of one month. @param note on each of its items */
function household(revision: number, items: number, note: string | null = null): Household {
  const laid = new Map(Array.from({ length: items }, (_, at) => [`I${at}`, { ...ITEM, note }] as const));
  const budget: Budget = {
    month: '2026-01',
    copiedFrom: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    revision,
    groups: [],
    items: laid,
  };
  // What an item is does not count, only that it is.
  const identities = new Map([...laid.keys()].map(id => [id, { id } as ItemIdentity]));
  return { ...NO_HOUSEHOLD, revision, items: identities, months: [{ month: '2026-01', live: 0, budget }] };
}

function known(of: Household): KnownHousehold {
  return { household: of, end: null, snapshot: null, headRevision: -1 };
}

function bytesOf(of: Household): number {
  const cache = new StateCache();
  cache.set('H', known(of));
  return cache.size().bytes;
}

describe(StateCache.name, () => {
  it('counts a household anew when it grows within its months', () => {
    const cache = new StateCache();
    cache.set('H', known(household(1, 0)));
    const grown = household(2, 300);
    cache.set('H', known(grown));
    assert.deepEqual(cache.size(), { households: 1, bytes: bytesOf(grown) });
    assert.ok(bytesOf(grown) > 300 * 1_000);
  });

  it('counts notes, and looks at the items of a month once for as long as they stay the same', () => {
    const cache = new StateCache();
    const noted = household(1, 300, 'n'.repeat(100));
    const [month] = noted.months;
    const items = month!.budget!.items as Map<string, LaidItem>;
    const values = items.values.bind(items);
    let looks = 0;
    items.values = () => {
      looks += 1;
      return values();
    };
    for (let live = 1; live <= 1_000; live++) {
      cache.set('H', known({ ...noted, revision: live, months: [{ ...month!, live }] }));
    }
    assert.equal(looks, 1);
    assert.ok(cache.size().bytes > bytesOf(household(1, 300)));
  });

  it('gives up the one that was used longest ago, which a look does not count for', () => {
    const one = household(1, 1);
    const cache = new StateCache(2 * bytesOf(one));
    cache.set('A', known(one));
    cache.set('B', known(one));
    assert.deepEqual(cache.get('A'), known(one));
    assert.deepEqual(cache.peek('B'), known(one));
    cache.set('C', known(one));
    assert.deepEqual([cache.peek('A'), cache.peek('B')], [known(one), undefined]);
  });

  it('gives up others for one that grows', () => {
    const cache = new StateCache(2 * bytesOf(household(1, 100)));
    cache.set('A', known(household(1, 1)));
    cache.set('B', known(household(1, 1)));
    cache.set('B', known(household(2, 180)));
    assert.deepEqual([cache.get('A'), cache.size().households], [known(household(1, 1)), 2]);
    cache.set('B', known(household(3, 200)));
    assert.deepEqual([cache.get('A'), cache.size().households], [undefined, 1]);
  });
});
