import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ActivityEntry } from '../../libs/budget/src/activity/activity.response.js';
import {
  groupNamed,
  invalid,
  itemNamed,
  NOWHERE,
  ok,
  refused,
  useService,
  type Household,
} from './household.scenario.js';

interface Activity {
  readonly activity: readonly ActivityEntry[];
  readonly next_cursor: string | null;
}

async function everything(home: Household, limit: number): Promise<ActivityEntry[]> {
  const entries: ActivityEntry[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page: Activity = ok(await home.get<Activity>(`/activity?limit=${limit}${after}`));
    assert.ok(page.activity.length <= limit);
    entries.push(...page.activity);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return entries;
}

describe('GET /activity', () => {
  const service = useService();

  it('is empty for a household in which nothing happened', async () => {
    const home = await service.household();
    assert.deepEqual(ok(await home.get('/activity')), { activity: [], next_cursor: null });
  });

  it('tells who did what, newest first, one entry a command', async () => {
    const home = await service.household();
    const fuel = itemNamed(await home.createMonth('2026-01'), 'Fuel').id;
    await home.createMonth('2026-02');
    const guest = await service.member(home, 'Grace Hopper');
    ok(await guest.patch(`/months/2026-01/items/${fuel}`, { planned: 60_000, note: 'Cheap' }));
    const { transaction } = await home.spend({ amount: 4500, splits: [{ item_id: fuel, amount: 4500 }] });
    const [spent, planned, second, first, ...others] = ok(await home.get<Activity>('/activity')).activity;
    assert.deepEqual(others, []);
    const { event_id, at, ...rest } = planned!;
    assert.match(event_id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(rest, {
      revision: 2,
      by: guest.user.id,
      by_name: 'Grace Hopper',
      type: 'ItemPlanned',
      summary:
        'Grace Hopper planned 600.00 for Fuel in 2026-01 instead of 0.00 and wrote a note on Fuel in 2026-01.',
      months: ['2026-01'],
      transaction_id: null,
    });
    assert.equal(spent!.transaction_id, transaction.id);
    assert.equal(spent!.revision, 4);
    assert.equal(spent!.summary, 'Ada Lovelace recorded an expense of 45.00 at Corner Shop.');
    assert.deepEqual([second!.months, first!.months], [['2026-02'], ['2026-01']]);
  });

  it('never splits a command between pages, and ends', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    for (const [index, name] of ['Fuel', 'Water', 'Phone', 'Doctor'].entries()) {
      const path = `/months/2026-01/items/${itemNamed(month, name).id}`;
      ok(await home.patch(path, { planned: index + 1, note: 'both' }));
    }
    const whole = await everything(home, 200);
    assert.equal(whole.length, 5);
    for (const limit of [1, 2, 3, 4, 5]) assert.deepEqual(await everything(home, limit), whole);
  });

  it('continues where it was while more happens', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const first = ok(await home.get<Activity>('/activity?limit=1'));
    await home.createMonth('2026-03');
    const next = ok(await home.get<Activity>(`/activity?limit=1&cursor=${first.next_cursor}`));
    assert.deepEqual([next.activity[0]!.months, next.next_cursor], [['2026-01'], null]);
  });

  it('says what an undoing did, not the opposite', async () => {
    const home = await service.household();
    const { transaction } = await home.spend({ amount: 1250, merchant: 'Bakery' });
    const path = `/transactions/${transaction.id}`;
    const latest = async (): Promise<ActivityEntry> =>
      ok(await home.get<Activity>('/activity?limit=1')).activity[0]!;
    const undo = async (): Promise<string> => {
      ok(await home.post(`/activity/${(await latest()).event_id}/undo`));
      return (await latest()).summary;
    };
    const deleted = 'Ada Lovelace deleted the expense of 12.50 at Bakery (undid its addition).';
    const restored = 'Ada Lovelace restored the expense of 12.50 at Bakery (undid its deletion).';
    assert.equal(await undo(), deleted);
    assert.equal(await undo(), restored);
    ok(await home.delete(path));
    assert.equal((await latest()).summary, 'Ada Lovelace deleted the expense of 12.50 at Bakery.');
    assert.equal(await undo(), restored);
  });

  it('tells the amount of a deletion as it was, whatever the transaction says since', async () => {
    const home = await service.household();
    const { transaction } = await home.spend({ amount: 1250, merchant: 'Bakery' });
    const path = `/transactions/${transaction.id}`;
    ok(await home.delete(path));
    ok(await home.post(`${path}/restore`));
    ok(await home.patch(path, { amount: 9900, merchant: 'Butcher' }));
    const { activity } = ok(await home.get<Activity>('/activity'));
    assert.deepEqual(
      activity.map(({ summary }) => summary.replace('Ada Lovelace ', '')),
      [
        'changed the expense of 12.50 at Bakery: amount to 99.00, merchant to Butcher.',
        'restored the expense of 12.50 at Bakery.',
        'deleted the expense of 12.50 at Bakery.',
        'recorded an expense of 12.50 at Bakery, untracked.',
      ],
    );
  });

  it('uses present names', async () => {
    const home = await service.household();
    const food = groupNamed(await home.createMonth('2026-01'), 'Food').id;
    ok(await home.delete(`/months/2026-01/groups/${food}`));
    await home.createMonth('2026-02');
    ok(await home.post('/months/2026-02/groups', { group_id: food }), 201);
    ok(await home.patch(`/groups/${food}`, { name: 'Meals' }));
    const { activity } = ok(await home.get<Activity>('/activity'));
    assert.match(activity[1]!.summary, /put the group Meals into 2026-02/);
  });

  it('refuses cursors of others, and limits out of range', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const { next_cursor } = ok(await home.get<Activity>('/activity?limit=1'));
    const other = await service.household();
    refused(await other.get(`/activity?cursor=${next_cursor}`), 400, 'invalid_cursor');
    refused(await home.get('/activity?cursor=nonsense'), 400, 'invalid_cursor');
    for (const limit of ['0', '201', 'x'])
      assert.deepEqual(invalid(await home.get(`/activity?limit=${limit}`)), ['limit']);
    assert.deepEqual(invalid(await home.get('/activity?what=1')), ['what']);
  });
});

describe('GET /transactions/{transactionId}/history', () => {
  const service = useService();

  it('tells everything that touched a transaction, oldest first', async () => {
    const home = await service.household();
    const fuel = itemNamed(await home.createMonth('2026-01'), 'Fuel').id;
    const splits = [{ item_id: fuel, amount: 4500 }];
    const { transaction } = await home.spend({ amount: 4500, splits });
    const path = `/transactions/${transaction.id}`;
    await home.spend({ amount: 1 });
    ok(await home.patch(path, { merchant: 'Costco' }));
    ok(await home.delete(`/months/2026-01/items/${fuel}`));
    ok(await home.delete(path));
    ok(await home.post(`${path}/restore`));
    const { history } = ok(await home.get<{ history: ActivityEntry[] }>(`${path}/history`));
    assert.deepEqual(
      history.map(({ type }) => type),
      [
        'TransactionCreated',
        'TransactionChanged',
        'ItemRemoved',
        'TransactionDeleted',
        'TransactionRestored',
      ],
    );
    assert.equal(history[3]!.summary, 'Ada Lovelace deleted the expense of 45.00 at Costco.');
    const { activity } = ok(await home.get<Activity>('/activity'));
    const listed = new Map(activity.map(entry => [entry.event_id, entry]));
    for (const entry of history) assert.deepEqual(entry, listed.get(entry.event_id));
  });

  it('is whole where it is long', async () => {
    const home = await service.household();
    const { transaction } = await home.spend({ amount: 1 });
    const path = `/transactions/${transaction.id}`;
    for (let change = 0; change < 120; change += 1) ok(await home.patch(path, { note: `${change}` }));
    const { history } = ok(await home.get<{ history: ActivityEntry[] }>(`${path}/history`));
    assert.equal(history.length, 121);
    const revisions = history.map(({ revision }) => revision);
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(revisions).size, 121);
  });

  it('knows no transaction of others', async () => {
    const home = await service.household();
    const path = `/transactions/${NOWHERE}/history`;
    assert.deepEqual(refused(await home.get(path), 404, 'not_found'), { resource: 'transaction' });
  });
});
