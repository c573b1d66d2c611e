// `ledger import` against a running server: what it prints, records and passes over, and how it ends.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { LedgerProcess } from '../ledger-process.js';
import { ledger, ledgerJson, type Ending } from './ledger-program.scenario.js';

const STATEMENT = `Date,Payee,Amount,Category
2026-01-03,Bakery,-12.50,Groceries
2026-01-03,Bakery,-12.50,Groceries
2026-01-04,Employer,2500.00,Paycheck
2026-01-05,Bakery,much,Groceries
`;

interface Told {
  readonly counts: Readonly<Record<string, number>>;
  readonly imported: { readonly recorded: number; readonly known: number; readonly refused: object[] } | null;
  readonly rows: readonly { readonly state: string; readonly operation: { readonly id: string } | null }[];
}

describe('ledger import', () => {
  let directory: string;
  let server: LedgerProcess;
  let token: string;
  let environment: Record<string, string>;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ledger-import-'));
    server = await LedgerProcess.start({ directory });
    token = await server.signUp(directory);
    environment = { LEDGER_URL: server.url, LEDGER_TOKEN: token };
    assert.equal((await server.call('POST', '/months/2026-01', { token })).status, 201);
    writeFileSync(join(directory, 'statement.csv'), STATEMENT);
  });

  after(async () => {
    await server.end('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  });

  const run = (...args: readonly string[]): Promise<Ending> =>
    ledger(['import', 'statement.csv', ...args], { directory, environment });

  async function listed(view: string): Promise<readonly Record<string, unknown>[]> {
    const { body } = await server.call('GET', `/transactions?view=${view}`, { token });
    return body['transactions'] as Record<string, unknown>[];
  }

  it('prints what is in the file, and records nothing when it is only tried', async () => {
    const { code, stdout, stderr } = await run('--dry-run');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ROW +STATE +DATE +AMOUNT +MERCHANT +CATEGORY +REMARK\n/);
    assert.match(stdout, /^ *2 +new +2026-01-03 +-12\.50 +Bakery +Groceries$/m);
    assert.match(stdout, /^ *4 +new +2026-01-04 +2500\.00 +Employer +Paycheck$/m);
    assert.match(stdout, /^ *5 +invalid +\S/m);
    assert.match(stdout, /Nothing was recorded\. 3 new, 0 known, 0 deleted before, 1 unreadable\.\n$/);
    assert.deepEqual(await listed('all'), []);
  });

  it('records what is new, untracked, and passes over what is known when it is run once more', async () => {
    const first = await run();
    assert.equal(first.code, 0, first.stderr);
    assert.match(
      first.stdout,
      /Recorded 3 transactions\. 3 new, 0 known, 0 deleted before, 1 unreadable, 0 refused\.\n$/,
    );
    assert.equal((await listed('untracked')).length, 3);
    const second = await run();
    assert.match(second.stdout, /Recorded 0 transactions\. 0 new, 3 known, /);
    assert.equal((await listed('all')).length, 3);
  });

  it('tracks what has a suggested item where that is wanted, under another source', async () => {
    const told = await ledgerJson<Told>(['import', 'statement.csv', '--track', '--source', 'card'], {
      directory,
      environment,
    });
    assert.deepEqual(told.imported, { recorded: 3, known: 0, refused: [] });
    assert.equal(told.counts['new'], 3);
    assert.equal((await listed('tracked')).length, 3);
  });

  it('says in a sentence what is wrong, and ends with 1, or with 2 where it was asked wrongly', async () => {
    for (const [args, code, sentence] of [
      [['nowhere.csv'], 1, /^ledger: There is no file nowhere\.csv\.\n$/],
      [['statement.csv', '--token', 'hbp_wrong'], 1, /^ledger: .+\.\n$/],
      [
        ['statement.csv', '--url', 'http://127.0.0.1:1'],
        1,
        /^ledger: No server answers at http:\/\/127\.0\.0\.1:1\.\n$/,
      ],
      [['statement.csv', '--household', 'home'], 2, /^ledger: 'home' is not a household id\./],
    ] as const) {
      const ending = await ledger(['import', ...args], { directory, environment });
      assert.equal(ending.code, code, args.join(' '));
      assert.match(ending.stderr, sentence);
    }
    writeFileSync(join(directory, 'letter.txt'), 'Dear Sir or Madam');
    const unreadable = await ledger(['import', 'letter.txt'], { directory, environment });
    assert.equal(unreadable.code, 1);
    assert.match(unreadable.stderr, /^ledger: .+\n$/);
    const unset = await ledger(['import', 'statement.csv'], { directory });
    assert.equal(unset.code, 2);
  });
});
