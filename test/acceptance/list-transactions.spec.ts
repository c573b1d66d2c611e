import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  freshId,
  invalid,
  itemNamed,
  NOWHERE,
  ok,
  queryText,
  refused,
  useService,
  type Household,
} from './household.scenario.js';

describe('GET /transactions', () => {
  const service = useService();

  const spendAt = async (home: Household, date: string, fields: object = {}): Promise<string> =>
    (await home.spend({ amount: 100, date, ...fields })).transaction.id;

  it('lists each view, newest first by date, then by id', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const splits = [{ item_id: fuel, amount: 100 }];
    const tracked = [
      await spendAt(home, '2026-01-02', { splits }),
      await spendAt(home, '2026-01-10', { splits }),
      await spendAt(home, '2026-01-10', { splits }),
      await spendAt(home, '2026-01-01', { splits }),
    ];
    const untracked = [await spendAt(home, '2030-01-01'), await spendAt(home, '0001-01-01')];
    const deleted = await spendAt(home, '2026-01-20', { splits });
    ok(await home.delete(`/transactions/${deleted}`));
    const page = await home.list({ view: 'tracked' });
    assert.deepEqual(Object.keys(page).sort(), ['next_cursor', 'transactions', 'untracked_count']);
    assert.deepEqual(
      page.transactions.map(({ id }) => id),
      [tracked[2], tracked[1], tracked[0], tracked[3]],
    );
    assert.deepEqual([page.next_cursor, page.untracked_count], [null, 2]);
    assert.deepEqual(page.transactions[0], await home.transaction(tracked[2]!));
    assert.deepEqual(await home.listAll({ view: 'untracked' }), untracked);
    assert.deepEqual(await home.listAll({ view: 'deleted' }), [deleted]);
  });

  it('limits tracked to a month, an item, or both', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const [fuel, food] = [itemNamed(january, 'Fuel').id, itemNamed(january, 'Groceries').id];
    const both = [
      { item_id: fuel, amount: 40 },
      { item_id: food, amount: 60 },
    ];
    const first = await spendAt(home, '2026-01-05', { splits: [{ item_id: fuel, amount: 100 }] });
    const second = await spendAt(home, '2026-01-06', { splits: both });
    const third = await spendAt(home, '2026-02-01', { splits: both });
    // The budget month counts, not the date.
    const fourth = await spendAt(home, '2026-02-02', { splits: both, budget_month: '2026-01' });
    const list = (query: object) => home.listAll({ view: 'tracked', ...query });
    assert.deepEqual(await list({ month: '2026-01' }), [fourth, second, first]);
    assert.deepEqual(await list({ item_id: food }), [fourth, third, second]);
    assert.deepEqual(await list({ item_id: fuel }), [fourth, third, second, first]);
    assert.deepEqual(await list({ month: '2026-02', item_id: fuel }), [third]);
    assert.deepEqual(await list({ month: '2026-03' }), []);
    assert.deepEqual(await list({ item_id: NOWHERE }), []);
    ok(await home.patch(`/transactions/${third}`, { splits: [{ item_id: fuel, amount: 100 }] }));
    assert.deepEqual(await list({ month: '2026-02', item_id: food }), []);
    ok(await home.patch(`/transactions/${third}`, { budget_month: '2026-01' }));
    assert.deepEqual(await list({ month: '2026-02' }), []);
  });

  it('accepts and ignores month and item with the other views', async () => {
    const home = await service.household();
    const untracked = await spendAt(home, '2026-01-05');
    const deleted = await spendAt(home, '2026-01-05');
    ok(await home.delete(`/transactions/${deleted}`));
    const filters = { month: '2031-01', item_id: NOWHERE };
    assert.deepEqual(await home.listAll({ view: 'untracked', ...filters }), [untracked]);
    assert.deepEqual(await home.listAll({ view: 'deleted', ...filters }), [deleted]);
    assert.deepEqual(invalid(await home.get('/transactions?view=deleted&month=x')), ['month']);
  });

  it('lists tracked and untracked transactions together as all', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const splits = [{ item_id: fuel, amount: 100 }];
    const first = await spendAt(home, '2026-01-02', { splits });
    const second = await spendAt(home, '2026-01-03');
    const third = await spendAt(home, '2026-01-03', { splits, merchant: 'Bakery' });
    const deleted = await spendAt(home, '2026-01-04');
    ok(await home.delete(`/transactions/${deleted}`));
    assert.deepEqual(await home.listAll({ view: 'all' }), [third, second, first]);
    assert.deepEqual(await home.listAll({ view: 'all', limit: 1 }), [third, second, first]);
    assert.deepEqual(await home.listAll({ view: 'all', q: 'BAKE' }), [third]);
    assert.deepEqual(await home.listAll({ view: 'all', q: '1.00', limit: 2 }), [third, second, first]);
    // Filters of the tracked view are accepted and ignored.
    assert.deepEqual(await home.listAll({ view: 'all', month: '2031-01', item_id: NOWHERE }), [
      third,
      second,
      first,
    ]);
    ok(await home.post(`/transactions/${deleted}/restore`));
    ok(await home.delete(`/transactions/${third}`));
    assert.deepEqual(await home.listAll({ view: 'all' }), [deleted, second, first]);
    assert.equal((await home.list({ view: 'all' })).untracked_count, 2);
  });

  it('keeps the place of a transaction in all when it becomes tracked between two pages', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const ids: string[] = [];
    for (let day = 10; day < 14; day++) ids.unshift(await spendAt(home, `2026-01-${day}`));
    const page = await home.list({ view: 'all', limit: 2 });
    for (const id of ids) {
      ok(await home.patch(`/transactions/${id}`, { splits: [{ item_id: fuel, amount: 100 }] }));
    }
    const next = await home.list({ view: 'all', limit: 2, cursor: page.next_cursor! });
    assert.deepEqual(
      [...page.transactions, ...next.transactions].map(({ id }) => id),
      ids,
    );
  });

  it('limits every view to dates, both ends included', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const byView: Record<string, string[]> = { tracked: [], untracked: [], deleted: [] };
    for (const day of ['05', '06', '06', '07', '08']) {
      const date = `2026-01-${day}`;
      byView['tracked']!.push(await spendAt(home, date, { splits: [{ item_id: fuel, amount: 100 }] }));
      byView['untracked']!.push(await spendAt(home, date));
      byView['deleted']!.push(await spendAt(home, date));
      ok(await home.delete(`/transactions/${byView['deleted']!.at(-1)}`));
    }
    for (const [view, ids] of Object.entries(byView)) {
      const [fifth, sixth, alsoSixth, seventh, eighth] = ids;
      const list = (query: object) => home.listAll({ view, ...query });
      const from = '2026-01-06';
      assert.deepEqual(await list({ from }), [eighth, seventh, alsoSixth, sixth], view);
      assert.deepEqual(await list({ to: '2026-01-06' }), [alsoSixth, sixth, fifth], view);
      for (const limit of [1, 2, 3, 4]) {
        assert.deepEqual(await list({ from, to: '2026-01-07', limit }), [seventh, alsoSixth, sixth], view);
      }
      assert.deepEqual(await list({ from: '2026-01-07', to: '2026-01-06' }), [], view);
      assert.deepEqual(await list({ from, to: from, q: 'corner' }), [alsoSixth, sixth], view);
    }
    const ofItem = { view: 'tracked', month: '2026-01', item_id: fuel, from: '2026-01-08' };
    assert.deepEqual(await home.listAll(ofItem), [byView['tracked']![4]]);
    const all = await home.listAll({ view: 'all', from: '2026-01-08', to: '2026-01-08' });
    assert.deepEqual(all, [byView['untracked']![4], byView['tracked']![4]]);
    // A page that ends at the first date has no next one.
    const last = await home.list({ view: 'tracked', from: '2026-01-08', limit: 1 });
    assert.equal(last.next_cursor, null);
  });

  it('limits every view to the transactions of some ids', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const [fuel, food] = [itemNamed(january, 'Fuel').id, itemNamed(january, 'Groceries').id];
    const first = await spendAt(home, '2026-01-05', { splits: [{ item_id: fuel, amount: 100 }] });
    const second = await spendAt(home, '2026-01-06', { splits: [{ item_id: food, amount: 100 }] });
    const third = await spendAt(home, '2026-01-07', { merchant: 'Bakery' });
    const fourth = await spendAt(home, '2026-01-08');
    ok(await home.delete(`/transactions/${fourth}`));
    const ids = [third, first, fourth, NOWHERE, second].join(',');
    const list = (query: object) => home.listAll({ view: 'all', ids, ...query });
    assert.deepEqual(await list({}), [third, second, first]);
    assert.deepEqual(await list({ limit: 1 }), [third, second, first]);
    assert.deepEqual(await list({ ids: first }), [first]);
    assert.deepEqual(await list({ q: 'BAKE' }), [third]);
    assert.deepEqual(await list({ q: '1.00', from: '2026-01-06' }), [third, second]);
    assert.deepEqual(await list({ to: '2026-01-06' }), [second, first]);
    assert.deepEqual(await list({ view: 'tracked' }), [second, first]);
    assert.deepEqual(await list({ view: 'tracked', item_id: food, month: '2026-01' }), [second]);
    assert.deepEqual(await list({ view: 'untracked' }), [third]);
    assert.deepEqual(await list({ view: 'deleted' }), [fourth]);
    const other = await service.household();
    assert.deepEqual(await other.listAll({ view: 'all', ids }), []);
    const hundred = Array.from({ length: 99 }, freshId);
    assert.deepEqual(await list({ ids: [...hundred, first].join(',') }), [first]);
    const tooMany = [...hundred, first, second].join(',');
    for (const wrong of ['', ',', `${first},`, `${first},${first}`, first.toLowerCase(), tooMany]) {
      assert.deepEqual(invalid(await home.get(`/transactions?view=all&ids=${wrong}`)), ['ids'], wrong);
    }
  });

  it('finds merchants in any letter case and script, and plain characters only', async () => {
    const home = await service.household();
    const merchants = [
      'Costco #12',
      'Straße 7',
      'ΟΔΟΣ',
      '100% Natural_Foods',
      'a.b*c\\d',
      'Кофе',
      '½ Preis',
      'Coco',
    ];
    const ids = new Map<string, string>();
    for (const merchant of merchants) ids.set(merchant, await spendAt(home, '2026-01-05', { merchant }));
    const found = async (q: string) => {
      const list = await home.listAll({ view: 'untracked', q });
      return merchants.filter(merchant => list.includes(ids.get(merchant)!));
    };
    assert.deepEqual(await found('cost'), ['Costco #12']);
    assert.deepEqual(await found(' COST '), ['Costco #12']);
    assert.deepEqual(await found('o #1'), ['Costco #12']);
    assert.deepEqual(await found('STRASSE'), ['Straße 7']);
    assert.deepEqual(await found('STRAẞE'), ['Straße 7']);
    assert.deepEqual(await found('οδοσ'), ['ΟΔΟΣ']);
    assert.deepEqual(await found('οδος'), ['ΟΔΟΣ']);
    assert.deepEqual(await found('КОФ'), ['Кофе']);
    assert.deepEqual(await found('%'), ['100% Natural_Foods']);
    assert.deepEqual(await found('_'), ['100% Natural_Foods']);
    assert.deepEqual(await found('.'), ['a.b*c\\d']);
    assert.deepEqual(await found('*'), ['a.b*c\\d']);
    assert.deepEqual(await found('\\'), ['a.b*c\\d']);
    assert.deepEqual(await found('.*'), []);
    assert.deepEqual(await found('co_co'), []);
    assert.deepEqual(await found('½'), ['½ Preis']);
    assert.deepEqual(await found("' OR 1=1 --"), []);
  });

  it('finds exact amounts', async () => {
    const home = await service.household();
    const ids = new Map<number, string>();
    for (const amount of [12, 120, 1200, 1250, 125000]) {
      ids.set(amount, await spendAt(home, '2026-01-05', { amount, merchant: 'Shop' }));
    }
    const twelve = await spendAt(home, '2026-01-04', { amount: 5, merchant: 'Route 12.50' });
    const found = (q: string) => home.listAll({ view: 'untracked', q });
    assert.deepEqual(await found('12.50'), [ids.get(1250), twelve]);
    assert.deepEqual(await found('12.5'), [ids.get(1250), twelve]);
    assert.deepEqual(await found('12'), [ids.get(1200), twelve]);
    assert.deepEqual(await found('0.12'), [ids.get(12)]);
    assert.deepEqual(await found('1250.00'), [ids.get(125000)]);
    for (const q of ['12.500', '12,50', '-12.50', '1e3', '1250.', '9'.repeat(100)]) {
      assert.deepEqual(await found(q), [], q);
    }
  });

  it('combines a search with month and item', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const splits = [{ item_id: itemNamed(january, 'Fuel').id, amount: 100 }];
    const shop = await spendAt(home, '2026-01-05', { splits, merchant: 'Shop' });
    await spendAt(home, '2026-02-05', { splits, merchant: 'Shop' });
    const other = await spendAt(home, '2026-01-06', { splits, merchant: 'Other' });
    const month = '2026-01';
    assert.deepEqual(await home.listAll({ view: 'tracked', month, q: 'SHOP' }), [shop]);
    assert.deepEqual(await home.listAll({ view: 'tracked', month, q: '1.00' }), [other, shop]);
    const query = { view: 'tracked', month, item_id: splits[0]!.item_id, q: 'her', limit: 1 };
    assert.deepEqual(await home.listAll(query), [other]);
  });

  it('goes on correctly while transactions are added, removed and changed between two pages', async () => {
    const home = await service.household();
    const ids: string[] = [];
    for (let day = 10; day < 30; day++) ids.unshift(await spendAt(home, `2026-01-${day}`));
    const seen: string[] = [];
    let page = await home.list({ view: 'untracked', limit: 4 });
    const gone = new Set<string>();
    for (let step = 0; page.next_cursor !== null; step++) {
      seen.push(...page.transactions.map(({ id }) => id));
      // Newer and older ones come; the last one seen, and one not seen yet, go.
      await spendAt(home, '2026-01-31');
      await spendAt(home, `2026-01-0${step + 1}`);
      for (const id of [seen.at(-1)!, ids.at(-1 - step)!]) {
        gone.add(id);
        ok(await home.delete(`/transactions/${id}`));
      }
      page = await home.list({ view: 'untracked', limit: 4, cursor: page.next_cursor });
    }
    seen.push(...page.transactions.map(({ id }) => id));
    assert.equal(new Set(seen).size, seen.length);
    const throughout = ids.filter(id => !gone.has(id));
    assert.deepEqual(
      seen.filter(id => throughout.includes(id)),
      throughout,
    );
  });

  it('gives the same list in pages of any size', async () => {
    const home = await service.household();
    for (let day = 10; day < 23; day++) await spendAt(home, `2026-01-${day + (day % 3)}`);
    const whole = await home.listAll({ view: 'untracked' });
    assert.equal(whole.length, 13);
    for (const limit of [1, 4, 12, 13, 14, 200]) {
      assert.deepEqual(await home.listAll({ view: 'untracked', limit }), whole, `pages of ${limit}`);
    }
    const { next_cursor } = await home.list({ view: 'untracked', limit: 13 });
    assert.equal(next_cursor, null);
  });

  it('shows 100 without a limit', async () => {
    const home = await service.household();
    for (let i = 0; i < 101; i++) await spendAt(home, '2026-01-05');
    const page = await home.list({ view: 'untracked' });
    assert.equal(page.transactions.length, 100);
    assert.equal((await home.list({ view: 'untracked', cursor: page.next_cursor! })).transactions.length, 1);
  });

  it('refuses a cursor that is malformed, forged, or of other filters or another household', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const splits = [{ item_id: fuel, amount: 100 }];
    for (const day of ['05', '06']) {
      await spendAt(home, `2026-01-${day}`, { splits });
      await spendAt(home, `2026-01-${day}`);
    }
    const get = (of: Household, query: Record<string, string | number>) =>
      of.get(`/transactions?${queryText(query)}`);
    const tracked = (await home.list({ view: 'tracked', limit: 1 })).next_cursor!;
    const untracked = (await home.list({ view: 'untracked', limit: 1, month: '2026-01' })).next_cursor!;
    const searched = (await home.list({ view: 'tracked', limit: 1, q: 'shop' })).next_cursor!;
    const forged = Buffer.from(tracked, 'base64url');
    forged[forged.length - 1]! ^= 1;
    const wrong = [
      ...['', 'x', '0', 'null', '%', '\u0000', '🍪', `${tracked}x`, ` ${tracked}`, 'x'.repeat(5000)].map(
        cursor => ({
          view: 'tracked',
          cursor,
        }),
      ),
      { view: 'tracked', cursor: forged.toString('base64url') },
      { view: 'deleted', cursor: tracked },
      { view: 'tracked', cursor: untracked },
      { view: 'tracked', cursor: tracked, month: '2026-01' },
      { view: 'tracked', cursor: tracked, item_id: fuel },
      { view: 'tracked', cursor: tracked, q: 'shop' },
      { view: 'tracked', cursor: searched, q: 'sho' },
      { view: 'all', cursor: tracked },
      { view: 'tracked', cursor: tracked, from: '2026-01-01' },
      { view: 'tracked', cursor: tracked, to: '2026-01-31' },
      { view: 'tracked', cursor: tracked, ids: freshId() },
    ];
    for (const query of wrong) refused(await get(home, query), 400, 'invalid_cursor');
    const other = await service.household();
    refused(await get(other, { view: 'tracked', cursor: tracked }), 400, 'invalid_cursor');
    // Neither the limit nor a filter that does not count ties it.
    ok(await get(home, { view: 'tracked', cursor: tracked, limit: 7 }));
    ok(await get(home, { view: 'untracked', cursor: untracked, month: '2031-01', item_id: fuel }));
  });

  it('refuses query parameters that are not valid', async () => {
    const home = await service.household();
    const cases: readonly [string, string[]][] = [
      ['', ['view']],
      ['view=everything', ['view']],
      ['view=tracked&from=2026-02-30', ['from']],
      ['view=tracked&to=2026-01', ['to']],
      ['view=tracked&view=deleted', ['view']],
      ['view=tracked&limit=0', ['limit']],
      ['view=tracked&limit=201', ['limit']],
      ['view=tracked&limit=10.0', ['limit']],
      ['view=tracked&limit=1e1', ['limit']],
      ['view=tracked&limit=', ['limit']],
      ['view=tracked&month=2026-13', ['month']],
      ['view=tracked&item_id=fuel', ['item_id']],
      ['view=tracked&q=', ['q']],
      ['view=tracked&q=%20', ['q']],
      [`view=tracked&q=${'x'.repeat(101)}`, ['q']],
      ['view=tracked&q=%00', ['q']],
      ['view=tracked&page=2', ['page']],
      ['view=tracked&__proto__=1', ['__proto__']],
      ['view=tracked&cursor=a&cursor=b', ['cursor']],
    ];
    for (const [query, paths] of cases) {
      assert.deepEqual(invalid(await home.get(`/transactions?${query}`)), paths, query);
    }
  });
});
