import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { grant, wishes } from './sync-histories.scenario.js';
import { propertyRuns } from '../property-runs.js';
import { Copy, syncPage } from './sync.scenario.js';
import { freshId, invalid, itemNamed, NOWHERE, ok, refused, useService } from './household.scenario.js';

describe('GET /sync', () => {
  const service = useService();

  it('is complete at once for a household without events', async () => {
    const home = await service.household();
    const empty = {
      revision: -1,
      complete: true,
      cursor: null,
      months: [],
      removed_months: [],
      transactions: [],
      untracked_count: 0,
    };
    assert.deepEqual(await syncPage(home), empty);
    assert.deepEqual(await syncPage(home, { since: -1, limit: 1 }), empty);
  });

  it('gives everything without since, each month and transaction as it is now', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const fuel = itemNamed(january, 'Fuel').id;
    const { transaction: tracked } = await home.spend({
      amount: 5,
      splits: [{ item_id: fuel, amount: 5 }],
    });
    const { transaction: untracked } = await home.spend({ amount: 6, date: '2026-03-01' });
    const { transaction: deleted } = await home.spend({ amount: 7 });
    ok(await home.delete(`/transactions/${deleted.id}`));
    ok(await home.patch(`/transactions/${untracked.id}`, { note: 'both' }));
    const page = await syncPage(home);
    assert.deepEqual(page, {
      revision: 5,
      complete: true,
      cursor: null,
      months: [await home.month('2026-01')],
      removed_months: [],
      transactions: await Promise.all([tracked, untracked, deleted].map(({ id }) => home.transaction(id))),
      untracked_count: 1,
    });
    assert.deepEqual(
      page.transactions.map(({ status }) => status),
      ['tracked', 'untracked', 'deleted'],
    );
    assert.deepEqual(await syncPage(home, { since: -1 }), page);
  });

  it('gives only what changed since a revision', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const fuel = itemNamed(january, 'Fuel').id;
    const { transaction } = await home.spend({ amount: 5 });
    const first = await syncPage(home);
    assert.equal(first.revision, 2);
    const nothing = await syncPage(home, { since: 2 });
    assert.deepEqual(nothing, { ...first, months: [], transactions: [] });
    const splits = [{ item_id: fuel, amount: 5 }];
    ok(await home.patch(`/transactions/${transaction.id}`, { splits }));
    const second = await syncPage(home, { since: 2 });
    assert.deepEqual(second, {
      ...nothing,
      revision: 3,
      months: [await home.month('2026-01')],
      transactions: [await home.transaction(transaction.id)],
      untracked_count: 0,
    });
    await home.spend({ amount: 6 });
    const third = await syncPage(home, { since: 3 });
    assert.deepEqual([third.months, third.transactions.length, third.untracked_count], [[], 1, 1]);
  });

  it('gives every month that a change of a fund, a group or an item shows in', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    const fuel = itemNamed(january, 'Fuel').id;
    const group = january.groups[1]!.id;
    for (const month of ['2026-02', '2026-03']) await home.createMonth(month);
    await home.openFund('2026-02', fuel, 10);
    const changedBy = async (change: () => Promise<unknown>): Promise<string[]> => {
      const { revision } = await syncPage(home);
      await change();
      const page = await syncPage(home, { since: revision! });
      for (const month of page.months) assert.deepEqual(month, await home.month(month.month));
      return page.months.map(({ month }) => month);
    };
    const patch = (path: string, body: object) => async () => ok(await home.patch(path, body));
    assert.deepEqual(await changedBy(patch(`/months/2026-02/items/${fuel}`, { planned: 3 })), [
      '2026-02',
      '2026-03',
    ]);
    const every = ['2026-01', '2026-02', '2026-03'];
    assert.deepEqual(await changedBy(patch(`/items/${fuel}`, { name: 'Petrol' })), every);
    assert.deepEqual(await changedBy(patch(`/groups/${group}`, { color: '#abcdef' })), every);
    assert.deepEqual(await changedBy(patch(`/months/2026-03/items/${fuel}`, { note: 'x' })), ['2026-03']);
    assert.deepEqual(await changedBy(patch(`/items/${fuel}`, { is_fund: false })), ['2026-02', '2026-03']);
  });

  it('names a month whose creation was undone, until it is there again', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const { revision } = await syncPage(home);
    await home.createMonth('2026-02');
    const undoLast = async () => {
      const { activity } = ok(await home.get<{ activity: { event_id: string }[] }>('/activity?limit=1'));
      ok(await home.post(`/activity/${activity[0]!.event_id}/undo`));
    };
    await undoLast();
    for (const since of [revision!, -1]) {
      const page = await syncPage(home, { since });
      assert.deepEqual(page.removed_months, ['2026-02']);
      assert.ok(!page.months.some(({ month }) => month === '2026-02'));
    }
    await undoLast();
    const page = await syncPage(home, { since: revision! });
    assert.deepEqual([page.months.map(({ month }) => month), page.removed_months], [['2026-02'], []]);
  });

  it('ends a page after limit transactions, and goes on with its cursor', async () => {
    const home = await service.household();
    for (let count = 0; count < 5; count++) await home.spend({ amount: count + 1 });
    const after = (await syncPage(home)).revision!;
    const ids: string[] = [];
    for (let count = 0; count < 5; count++)
      ids.push((await home.spend({ amount: count + 1 })).transaction.id);
    for (const [since, count] of [
      [-1, 10],
      [after, 5],
    ] as const) {
      for (const limit of [1, 2, 3, 5]) {
        const sizes: number[] = [];
        let page = await syncPage(home, { since, limit });
        for (;;) {
          sizes.push(page.transactions.length);
          assert.equal(page.revision, page.complete ? 9 : null);
          if (page.cursor === null) break;
          page = await syncPage(home, { cursor: page.cursor, limit });
        }
        const full = Array.from({ length: Math.floor(count / limit) }, () => limit);
        assert.deepEqual(sizes, count % limit === 0 ? full : [...full, count % limit]);
      }
    }
    const page = await syncPage(home, { since: after });
    assert.deepEqual(
      page.transactions.map(({ id }) => id),
      ids,
    );
  });

  it('ends a page also inside an event that touched many transactions', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) {
      const { transaction } = await home.spend({ amount: 5, splits: [{ item_id: fuel, amount: 5 }] });
      ids.push(transaction.id);
    }
    const { revision } = await syncPage(home);
    ok(await home.delete(`/months/2026-01/items/${fuel}`));
    const month = await home.month('2026-01');
    let page = await syncPage(home, { since: revision!, limit: 3 });
    const sizes = [page.transactions.length];
    const seen = page.transactions.map(({ id }) => id);
    while (page.cursor !== null) {
      assert.deepEqual(page.months, [month]);
      page = await syncPage(home, { cursor: page.cursor, limit: 3 });
      sizes.push(page.transactions.length);
      seen.push(...page.transactions.map(({ id }) => id));
    }
    assert.deepEqual([sizes, seen.toSorted()], [[3, 3, 1], ids]);
    assert.equal(page.revision, revision! + 1);
  });

  it('gives the months of a command also from the middle of it', async () => {
    const home = await service.household();
    const january = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const fuel = itemNamed(january, 'Fuel').id;
    await home.openFund('2026-01', fuel, 10);
    // Two events: the note comes second, and only the first one names the months with other figures.
    ok(await home.patch(`/months/2026-01/items/${fuel}`, { planned: 5, note: 'both' }));
    const page = await syncPage(home, { since: 3 });
    assert.equal(page.revision, 4);
    assert.deepEqual(
      page.months.map(({ month }) => month),
      ['2026-01', '2026-02'],
    );
  });

  it('has every change in the end, whatever is written between two pages', async () => {
    const home = await service.household();
    const { id: fuel } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const splits = [{ item_id: fuel, amount: 5 }];
    const ids: string[] = [];
    for (let count = 0; count < 9; count++) ids.push((await home.spend({ amount: 5 })).transaction.id);
    const copy = new Copy(home);
    let step = 0;
    await copy.sync(2, async () => {
      // Of those behind the client, of those ahead, and new ones.
      const change = [
        () => home.patch(`/transactions/${ids[0]}`, { splits }),
        () => home.delete(`/transactions/${ids[8]}`),
        () => home.patch(`/items/${fuel}`, { name: 'Petrol' }),
        () => home.post(`/months/2026-02`),
        () => home.patch(`/transactions/${ids[1]}`, { note: 'changed' }),
      ][step++];
      if (change) await change();
      if (step < 5) await home.spend({ amount: 5 });
    });
    assert.ok(step >= 5);
    await copy.assertCurrent();
    await home.spend({ amount: 5 });
    assert.equal(await copy.sync(1), 1);
    await copy.assertCurrent();
  });

  it('makes a copy of any history equal to what the other routes return', async () => {
    const limits = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 1_000 }));
    const rounds = fc.array(fc.record({ limit: limits, first: wishes(12), meanwhile: wishes(6) }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(rounds, async history => {
        const home = await service.stranger();
        await home.createMonth('2026-01');
        const copy = new Copy(home);
        for (const { limit, first, meanwhile } of history) {
          for (const wish of first) await grant(home, wish);
          const waiting = [...meanwhile];
          await copy.sync(limit, async () => {
            const wish = waiting.pop();
            if (wish) await grant(home, wish);
          });
          await copy.assertCurrent();
        }
        const fresh = new Copy(home);
        await fresh.sync(history[0]!.limit);
        await fresh.assertCurrent();
        assert.equal(fresh.revision, copy.revision);
      }),
      { numRuns: propertyRuns(30) },
    );
  });

  it('refuses a since beyond the end', async () => {
    const home = await service.household();
    assert.deepEqual(invalid(await home.get('/sync?since=0')), ['since']);
    await home.createMonth('2026-01');
    ok(await home.get('/sync?since=0'));
    assert.deepEqual(invalid(await home.get('/sync?since=1')), ['since']);
  });

  it('refuses query parameters that are not valid', async () => {
    const home = await service.household();
    const cases: readonly [string, string[]][] = [
      ['since=-2', ['since']],
      ['since=1.0', ['since']],
      ['since=', ['since']],
      ['limit=0', ['limit']],
      ['limit=1001', ['limit']],
      ['view=all', ['view']],
      ['cursor=a&cursor=b', ['cursor']],
    ];
    for (const [query, paths] of cases)
      assert.deepEqual(invalid(await home.get(`/sync?${query}`)), paths, query);
  });

  it('refuses a cursor that is malformed, or of another since, household or listing', async () => {
    const home = await service.household();
    for (let count = 0; count < 4; count++) await home.spend({ amount: 5 });
    const { cursor } = await syncPage(home, { since: 0, limit: 1 });
    const next = await syncPage(home, { cursor: cursor!, limit: 1 });
    assert.deepEqual(await syncPage(home, { since: 0, cursor: cursor!, limit: 1 }), next);
    const other = await service.household();
    const listed = (await home.list({ view: 'all', limit: 1 })).next_cursor!;
    for (const [from, query] of [
      [home, 'cursor='],
      [home, `cursor=${cursor}x`],
      [home, `cursor=${listed}`],
      [home, `since=-1&cursor=${cursor}`],
      [home, `since=1&cursor=${cursor}`],
      [other, `cursor=${cursor}`],
    ] as const) {
      refused(await from.get(`/sync?${query}`), 400, 'invalid_cursor');
    }
  });

  it('needs both scopes', async () => {
    const home = await service.household();
    for (const [scopes, missing] of [
      [['budget:read'], 'transactions:read'],
      [['transactions:read'], 'budget:read'],
    ] as const) {
      const { secret } = ok(await home.post<{ secret: string }>('/tokens', { name: 'T', scopes }), 201);
      const reply = await home.get('/sync', { Authorization: `Bearer ${secret}` });
      assert.equal(refused(reply, 403, 'insufficient_scope')['required_scope'], missing);
    }
  });

  it('knows nothing of other households', async () => {
    const home = await service.household();
    const other = await service.household();
    await other.createMonth('2026-01');
    await other.spend({ amount: 5, id: freshId() });
    const page = await syncPage(home);
    assert.deepEqual([page.months, page.transactions, page.untracked_count], [[], [], 0]);
    refused(await home.get('/sync', { 'X-Service-Household': NOWHERE }), 403, 'not_a_member');
  });
});
