import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-view';
import type { TransactionView } from '#projections/transaction-view';
import { invalid, itemNamed, ok, useService, type Household } from './household.scenario.js';

interface Exported {
  readonly household_id: string;
  readonly head: { readonly revision: number; readonly hash: string | null };
  readonly groups: readonly object[];
  readonly items: readonly object[];
  readonly months: readonly MonthView[];
  readonly transactions: readonly TransactionView[];
}

describe('GET /export', () => {
  const service = useService();

  const csvOf = async (home: Household): Promise<Response> =>
    fetch(`${home.service.origin}/v1/export?format=csv`, {
      headers: { Authorization: `Bearer ${home.user.token}`, 'X-Service-Household': home.id },
    });

  it('is the household as the API shows it elsewhere', async () => {
    const home = await service.household();
    const created = await home.createMonth('2026-01');
    const { id } = itemNamed(created, 'Fuel');
    ok(await home.patch(`/items/${id}`, { favorite: true }));
    const doctor = itemNamed(created, 'Doctor').id;
    await home.openFund('2026-01', doctor, 100);
    ok(await home.patch(`/items/${doctor}`, { fund_target: 900 }));
    const spent = [
      await home.spend({ amount: 5, splits: [{ item_id: id, amount: 5 }] }),
      await home.spend({ amount: 7 }),
    ];
    ok(await home.delete(`/transactions/${spent[1]!.transaction.id}`));
    await home.createMonth('2026-02');
    const reply = await home.get<Exported>('/export');
    assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; filename="household-/);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
    const exported = ok(reply);
    assert.equal(exported.household_id, home.id);
    assert.equal(exported.head.revision, 7);
    assert.match(exported.head.hash ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(exported.months, [await home.month('2026-01'), await home.month('2026-02')]);
    const transactions = await Promise.all(spent.map(({ transaction }) => home.transaction(transaction.id)));
    assert.deepEqual(exported.transactions, transactions);
    const { groups } = await home.month('2026-02');
    assert.deepEqual(
      exported.groups,
      groups.map(({ id, name, color, is_income }) => ({ id, name, color, is_income })),
    );
    assert.deepEqual(
      exported.items,
      groups
        .flatMap(({ items }) => items)
        .map(({ id, name, kind, is_fund, favorite, fund_target }) => {
          return { id, name, kind, is_fund, favorite, fund_target };
        }),
    );
  });

  it('is whole for a household in which nothing happened, and says nothing of others', async () => {
    await (await service.household()).spend({ amount: 5 });
    const { head, groups, items, months, transactions } = ok(
      await (await service.household()).get<Exported>('/export'),
    );
    assert.deepEqual(head, { revision: -1, hash: null });
    assert.deepEqual([groups, items, months, transactions], [[], [], [], []]);
  });

  it('gives the transactions as CSV that no spreadsheet computes', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const { transaction } = await home.spend({
      amount: 4500,
      merchant: '=SUM(A1,"x")',
      note: '@home',
      splits: [{ item_id: id, amount: 4500 }],
    });
    const reply = await csvOf(home);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; filename="transactions-/);
    const [header, line, ...others] = (await reply.text()).split('\r\n');
    assert.deepEqual(others, ['']);
    assert.equal(
      header,
      'id,date,type,amount,merchant,note,budget_month,status,splits,created_by_name,created_at,updated_by_name,updated_at,deleted_at',
    );
    const { created_at } = transaction;
    assert.equal(
      line,
      `${transaction.id},2026-01-15,expense,4500,"'=SUM(A1,""x"")",'@home,2026-01,tracked,Fuel: 4500,Ada Lovelace,${created_at},,${created_at},`,
    );
  });

  it('knows no other format', async () => {
    const home = await service.household();
    assert.deepEqual(invalid(await home.get('/export?format=xml')), ['format']);
  });
});
