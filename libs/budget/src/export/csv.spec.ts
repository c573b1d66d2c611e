import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TransactionView } from '#projections/transaction-document';
import { csvHeader, csvRows, csvText, quoted } from './csv.js';

const transaction: TransactionView = {
  id: 'T',
  type: 'expense',
  amount: 4_500,
  date: '2026-01-15',
  merchant: 'Costco',
  note: null,
  budget_month: '2026-02',
  splits: [],
  status: 'untracked',
  deleted_at: null,
  location: null,
  created_by: 'ada',
  created_by_name: 'Ada',
  updated_by: null,
  updated_by_name: null,
  created_at: '2026-01-15T12:00:00.000Z',
  updated_at: '2026-01-15T12:00:00.000Z',
};
const END = ',2026-01-15T12:00:00.000Z\r\n';

describe('the rows of a transaction', () => {
  const groupOf = (month: string, itemId: string) => (itemId === 'fuel' ? `Car in ${month}` : null);
  const split = (item_id: string, item_name: string, amount: number) => ({ item_id, item_name, amount });

  it('follow a byte order mark and the names of the columns', () => {
    assert.equal(
      csvHeader(),
      '\uFEFFtransaction_id,date,budget_month,type,merchant,amount,group,item,split_amount,note,status,created_by,created_at\r\n',
    );
  });

  it('are one with empty cells where it has no splits', () => {
    assert.equal(
      csvRows(transaction, { decimals: 2, groupOf }),
      `T,2026-01-15,2026-02,expense,Costco,45.00,,,,,untracked,Ada${END}`,
    );
  });

  it('are one for each split, in the decimals of the currency', () => {
    const splits = [split('fuel', 'Fuel', 4_000), split('gone', '=Gone', 500)];
    const rows = (decimals: number) =>
      csvRows({ ...transaction, status: 'tracked', splits }, { decimals, groupOf });
    assert.equal(
      rows(2),
      `T,2026-01-15,2026-02,expense,Costco,45.00,Car in 2026-02,Fuel,40.00,,tracked,Ada${END}` +
        `T,2026-01-15,2026-02,expense,Costco,45.00,,'=Gone,5.00,,tracked,Ada${END}`,
    );
    assert.match(rows(0), /^[^\r]*,Costco,4500,Car in 2026-02,Fuel,4000,/);
    assert.match(rows(3), /^[^\r]*,Costco,4\.500,Car in 2026-02,Fuel,4\.000,/);
  });

  it('guard every text that people wrote', () => {
    const splits = [split('fuel', '-Item', 4_500)];
    const written = { ...transaction, merchant: '=1', note: '@a,b', created_by_name: '+Ada', splits };
    assert.equal(
      csvRows(written, { decimals: 2, groupOf: () => '=Group' }),
      `T,2026-01-15,2026-02,expense,'=1,45.00,'=Group,'-Item,45.00,"'@a,b",untracked,'+Ada${END}`,
    );
  });
});

describe('a text in CSV', () => {
  it('is not computed by spreadsheets', () => {
    for (const sign of ['=', '+', '-', '@']) assert.equal(csvText(`${sign}1`), `'${sign}1`);
    assert.equal(quoted(csvText('=HYPERLINK("a","b")')), `"'=HYPERLINK(""a"",""b"")"`);
    assert.equal(csvText('a=1'), 'a=1');
    assert.equal(csvText(null), '');
  });

  it('stands in quotes where it has separators, quotes or line breaks', () => {
    assert.equal(quoted('a,b'), '"a,b"');
    assert.equal(quoted('a "b"'), '"a ""b"""');
    assert.equal(quoted('a\nb'), '"a\nb"');
    assert.equal(quoted('plain; text'), 'plain; text');
    assert.equal(quoted(''), '');
  });
});
