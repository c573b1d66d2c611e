import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonthView } from '#projections/month-document';
import type { TransactionView } from '#projections/transaction-document';
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

  const rowsOf = async (home: Household): Promise<string[]> => {
    const bytes = Buffer.from(await (await csvOf(home)).arrayBuffer());
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf], 'a byte order mark');
    const [header, ...rows] = bytes.subarray(3).toString('utf8').split('\r\n');
    assert.equal(
      header,
      'transaction_id,date,budget_month,type,merchant,amount,group,item,split_amount,note,status,created_by,created_at',
    );
    assert.equal(rows.pop(), '');
    return rows;
  };

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
    const group = (await home.month('2026-01')).groups.find(({ items }) =>
      items.some(item => item.id === id),
    );
    assert.deepEqual(await rowsOf(home), [
      `${transaction.id},2026-01-15,2026-01,expense,"'=SUM(A1,""x"")",45.00,${group?.name},Fuel,45.00,'@home,` +
        `tracked,Ada Lovelace,${transaction.created_at}`,
    ]);
  });

  it('gives a row for each split, and one of a transaction without, deleted ones included', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const [fuel, doctor] = [itemNamed(month, 'Fuel'), itemNamed(month, 'Doctor')];
    const groupOf = ({ group_id }: { readonly group_id: string }) =>
      month.groups.find(({ id }) => id === group_id)?.name;
    const splits = [
      { item_id: fuel.id, amount: 1000 },
      { item_id: doctor.id, amount: 250 },
    ];
    await home.spend({ amount: 1250, splits });
    await home.spend({ amount: 5, type: 'income', merchant: 'Käufer' });
    const gone = await home.spend({ amount: 700, splits: [{ item_id: doctor.id, amount: 700 }] });
    ok(await home.delete(`/transactions/${gone.transaction.id}`));
    const middle = async (): Promise<string[]> =>
      (await rowsOf(home)).map(row => row.split(',').slice(3, 11).join(','));
    assert.deepEqual(await middle(), [
      `expense,Corner Shop,12.50,${groupOf(fuel)},Fuel,10.00,,tracked`,
      `expense,Corner Shop,12.50,${groupOf(doctor)},Doctor,2.50,,tracked`,
      'income,Käufer,0.05,,,,,untracked',
      `expense,Corner Shop,7.00,${groupOf(doctor)},Doctor,7.00,,deleted`,
    ]);
    ok(await home.delete(`/months/2026-01/items/${doctor.id}`));
    assert.deepEqual(await middle(), [
      'expense,Corner Shop,12.50,,,,,untracked',
      'income,Käufer,0.05,,,,,untracked',
      'expense,Corner Shop,7.00,,Doctor,7.00,,deleted',
    ]);
  });

  it('knows no other format', async () => {
    const home = await service.household();
    assert.deepEqual(invalid(await home.get('/export?format=xml')), ['format']);
  });
});
