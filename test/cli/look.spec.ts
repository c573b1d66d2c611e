// What operators and auditors look at beside a running server, and the sentences that they read when there is nothing.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SERVICE_VERSION } from '#runtime/service-version';
import { LedgerProcess } from '../ledger-process.js';
import { ledger, ledgerJson, ledgerProcess, RunningLedger } from './ledger-program.scenario.js';

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const NOBODY = '01K00000000000000000000000';

interface Item {
  readonly id: string;
  readonly kind: string;
}

interface EventLine {
  readonly revision: number;
  readonly type: string;
  readonly hash: string;
  readonly metadata: { readonly previousHash: string | null };
}

/** Makes a program fail that loads what only servers need, or what an embedded store does not. */
function withoutServerModules(): Record<string, string> {
  const hook =
    'export async function resolve(specifier, context, next) {' +
    'if (/^(@nestjs|mongodb|bullmq|@eventstore)/.test(specifier)) throw new Error("loads " + specifier);' +
    'return next(specifier, context) }';
  const register =
    'import { register } from "node:module";' +
    `register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hook)}))`;
  // Newer versions of Node warn of `register`, in whose place they have what Node 20 has not.
  return {
    NODE_OPTIONS: `--disable-warning=DEP0205 --import=data:text/javascript,${encodeURIComponent(register)}`,
  };
}

describe('ledger, beside a running server', () => {
  let directory: string;
  let server: LedgerProcess;
  let token: string;
  let household: string;
  let fund: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ledger-look-'));
    server = await LedgerProcess.start({ directory });
    token = await server.signUp(directory);
    const me = await server.call('GET', '/me', { token });
    household = String(me.body['default_household_id']);
    const month = await server.call('POST', '/months/2026-01', { token });
    const groups = month.body['groups'] as { readonly items: Item[] }[];
    fund = groups.flatMap(({ items }) => items).find(({ kind }) => kind === 'expense')!.id;
    await server.call('POST', `/months/2026-01/items/${fund}/fund`, {
      token,
      body: { current_balance: 20_000 },
    });
    await buy('Bäckerei \u200fnur');
  });
  after(async () => {
    await server.end('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  });

  async function buy(merchant: string): Promise<void> {
    const id = `01K${String(Math.floor(Math.random() * 1e12)).padStart(23, '0')}`;
    const splits = [{ item_id: fund, amount: 1_250 }];
    const body = { id, type: 'expense', amount: 1_250, date: '2026-01-10', merchant, splits };
    assert.equal((await server.call('POST', '/transactions', { token, body })).status, 201);
  }

  it('lists the households', async () => {
    const { households } = await ledgerJson<{ households: Record<string, unknown>[] }>(['households'], {
      directory,
    });
    assert.equal(households.length, 1);
    const { id, name, members, events, created_at, last_event_at, ...rest } = households[0]!;
    assert.equal(id, household);
    assert.equal(typeof name, 'string');
    assert.match((members as { user_id: string }[])[0]!.user_id, ULID);
    assert.ok(Number(events) >= 3);
    assert.match(String(created_at), TIMESTAMP);
    assert.match(String(last_event_at), TIMESTAMP);
    assert.deepEqual(rest, { currency: 'USD', personal_of: rest['personal_of'], archived: false });
    const { code, stdout, stderr } = await ledger(['households'], { directory });
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.match(
      stdout,
      new RegExp(`^HOUSEHOLD +NAME +CURRENCY +MEMBERS +EVENTS +LAST CHANGE\n${household} `),
    );
  });

  it('lists the users', async () => {
    const { users } = await ledgerJson<{ users: Record<string, unknown>[] }>(['users'], { directory });
    assert.deepEqual(
      users.map(({ email, name, households }) => ({ email, name, households })),
      [{ email: 'ann@example.com', name: 'Ann', households: 1 }],
    );
    const { stdout } = await ledger(['users'], { directory });
    assert.match(stdout, /ann@example\.com +1 /);
    assert.doesNotMatch(stdout + JSON.stringify(users), /argon2|password/i);
  });

  it('prints who was invited into a household, and no secret of a link', async () => {
    const made = await server.call('POST', '/households', { token, body: { name: 'Beach house' } });
    const shared = String(made.body['id']);
    const invites = `/households/${shared}/invites`;
    const invited = await server.call('POST', invites, { token, body: { email: 'bob@example.com' } });
    const invite = String(invited.body['id']);
    assert.equal((await server.call('DELETE', `${invites}/${invite}`, { token })).status, 204);
    const { memberships } = await ledgerJson<{ memberships: Record<string, unknown>[] }>(
      ['memberships', shared],
      { directory },
    );
    assert.deepEqual(
      memberships.map(({ sequence, kind, by_name, role, invite_id, invite_email, invite_status }) => {
        return [sequence, kind, by_name, role ?? invite_id, invite_email, invite_status];
      }),
      [
        [1, 'household_created', 'Ann', null, null, null],
        [2, 'member_joined', 'Ann', 'owner', null, null],
        [3, 'invite_sent', 'Ann', invite, null, null],
        [4, 'invite_settled', 'Ann', invite, 'bob@example.com', 'revoked'],
      ],
    );
    const { code, stdout } = await ledger(['memberships', shared], { directory });
    assert.equal(code, 0);
    assert.match(stdout, /^RECORDED +BY +WHAT HAPPENED\n.* Ann +created the household\n/);
    assert.match(stdout, / Ann +Ann joined as owner\n.*\n.* to bob@example\.com: revoked\n$/);
    assert.doesNotMatch(stdout + JSON.stringify(memberships), /token/);
  });

  it('prints events, as a chain of hashes, one object a line', async () => {
    const { code, stdout } = await ledger(['events', household, '--json'], { directory });
    assert.equal(code, 0);
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as EventLine);
    assert.equal(events[0]!.type, 'MonthCreated');
    for (const [at, event] of events.entries()) {
      assert.equal(event.revision, at);
      assert.equal(event.metadata.previousHash, at === 0 ? null : events[at - 1]!.hash);
    }
    const some = await ledger(['events', household.toLowerCase(), '--from', '1', '--limit', '1'], {
      directory,
    });
    assert.match(some.stdout, /^REVISION .*\n +1 .*FundOpened .*Ann made .* a fund/);
    assert.equal(some.stdout.trim().split('\n').length, 2);
  });

  it('shows nothing that a terminal would act on', async () => {
    const { stdout } = await ledger(['events', household], { directory });
    const json = await ledger(['events', household, '--json'], { directory });
    assert.match(stdout, /Bäckerei \\u200fnur/);
    assert.match(json.stdout, /Bäckerei \\u200fnur/);
    assert.doesNotMatch(stdout + json.stdout, /\u200f/);
  });

  it('follows what is recorded', async () => {
    const following = new RunningLedger(['events', household, '--follow', '--json', '--from', '1'], {
      directory,
    });
    await following.until(() => following.stdout.includes('FundOpened'));
    await buy('Kiosk of the moment');
    await following.until(() => following.stdout.includes('Kiosk of the moment'));
    following.child.kill('SIGINT');
    const { code, stdout, stderr } = await following.ended();
    assert.equal(code, 0, stderr);
    const revisions = stdout
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as EventLine).revision);
    assert.deepEqual(
      revisions,
      revisions.map((_, at) => at + 1),
    );
  });

  it('prints what moved a fund', async () => {
    const history = await ledgerJson<{ item_id: string; entries: Record<string, unknown>[] }>(
      ['fund-history', household, fund],
      { directory },
    );
    const served = await server.call('GET', `/items/${fund}/fund-history`, { token });
    assert.deepEqual(history, served.body);
    const { stdout } = await ledger(['fund-history', household, fund], { directory });
    assert.match(stdout, /opened +\+200\.00 +200\.00 +Ann/);
    assert.match(stdout, /spent +-12\.50 +187\.50 +Ann/);
    const before = await ledger(['fund-history', household, fund, '--to', '2020-01-01'], { directory });
    assert.match(before.stdout, /The fund did not change in this period\./);
    const offset = await ledger(['fund-history', household, fund, '--from', '2020-01-01T00:00:00+02:00'], {
      directory,
    });
    assert.equal(offset.stdout, stdout);
    const never = await ledger(['fund-history', household, fund, '--as-of', '2020-01-01'], { directory });
    assert.equal(never.code, 1);
    assert.match(
      never.stderr,
      /^ledger: There is no item .* at 2020-01-01T.*\. Run `ledger items` to list them\.\n$/,
    );
  });

  it('lists the items with the ids that other commands take', async () => {
    const { items } = await ledgerJson<{ items: Record<string, string | number>[] }>(['items', household], {
      directory,
    });
    const line = items.find(({ id }) => id === fund)!;
    const { name, group_id, group_name, fund_balance, ...rest } = line;
    assert.deepEqual(rest, { id: fund, kind: 'expense', is_fund: true, favorite: false, months: 1 });
    assert.match(String(group_id), ULID);
    assert.ok(name && group_name);
    const month = await server.call('GET', '/months/2026-01', { token });
    const groups = month.body['groups'] as { readonly items: (Item & { readonly remaining: number })[] }[];
    const shown = groups.flatMap(group => group.items);
    assert.equal(fund_balance, shown.find(({ id }) => id === fund)!.remaining);
    assert.deepEqual(items.map(({ id }) => id).sort(), shown.map(({ id }) => id).sort());
    const { stdout } = await ledger(['items', household], { directory });
    assert.match(stdout, new RegExp(`^ITEM +NAME +GROUP +KIND +MONTHS +BALANCE\n`));
    assert.match(stdout, new RegExp(`${fund} +${name} .* fund +1 +\\d+\\.\\d\\d\n`));
  });

  it('takes an item by its name where that is unique', async () => {
    const { items } = await ledgerJson<{ items: Record<string, string>[] }>(['items', household], {
      directory,
    });
    const { name } = items.find(({ id }) => id === fund)!;
    const [byName, byId] = await Promise.all(
      [name!.toUpperCase(), fund].map(item => ledger(['fund-history', household, item], { directory })),
    );
    assert.deepEqual(byName, byId);
    const other = items.find(({ id, kind }) => id !== fund && kind === 'expense')!;
    const rename = (id: string, to: string) =>
      server.call('PATCH', `/items/${id}`, { token, body: { name: to } });
    assert.equal((await rename(other['id']!, name!)).status, 200);
    const shared = await ledger(['fund-history', household, name!], { directory });
    assert.equal(shared.code, 1);
    assert.match(shared.stderr, /^ledger: 2 items are named “.*”\. Use an id: \w{26}, \w{26}\.\n$/);
    assert.equal((await rename(other['id']!, other['name']!)).status, 200);
  });

  it('prints a month as it is and as it was', async () => {
    const served = await server.call('GET', '/months/2026-01', { token });
    assert.deepEqual(await ledgerJson(['month', household, '2026-01'], { directory }), served.body);
    const { stdout } = await ledger(['month', household, '2026-01'], { directory });
    assert.match(
      stdout,
      /^2026-01: -?\d+\.\d\d left to budget\nGROUP AND ITEM +PLANNED +SPENT\/RECEIVED +REMAINING\n/,
    );
    const before = await ledger(['month', household, '2026-01', '--as-of', '2020-01-01'], { directory });
    assert.match(before.stderr, /^ledger: This household has no budget for 2026-01 at 2020-01-01T.*\.\n$/);
    const never = await ledger(['month', household, '1999-12'], { directory });
    assert.deepEqual([never.code, never.stdout], [1, '']);
    assert.equal(never.stderr, 'ledger: This household has no budget for 1999-12.\n');
  });

  it('prints who did what, newest first', async () => {
    const served = await server.call('GET', '/activity?limit=2', { token });
    const printed = await ledgerJson<object>(['activity', household, '--limit', '2'], { directory });
    assert.deepEqual(printed, { activity: served.body['activity'] });
    const { stdout } = await ledger(['activity', household], { directory });
    assert.match(stdout, /^RECORDED +WHAT HAPPENED +REVISION\n/);
    assert.match(stdout, / Ann created 2026-01 from the template\. +0\n$/);
  });

  it('says amounts in the currency of the household, as it is now', async () => {
    const currencyIs = async (currency: string): Promise<void> => {
      const path = `/households/${household}`;
      assert.equal((await server.call('PATCH', path, { token, body: { currency } })).status, 200);
    };
    const printed = async (): Promise<string> => {
      const runs = [
        ['fund-history', household, fund],
        ['events', household],
      ];
      const endings = await Promise.all(runs.map(args => ledger(args, { directory })));
      return endings.map(({ stdout }) => stdout).join('');
    };
    for (const [currency, opened, spent] of [
      ['JPY', '20000', '1250'],
      ['KWD', '20.000', '1.250'],
      ['USD', '200.00', '12.50'],
    ] as const) {
      await currencyIs(currency);
      const text = await printed();
      assert.match(text, new RegExp(` opened +\\+${opened} +${opened} `), currency);
      assert.match(text, new RegExp(` recorded an expense of ${spent} at `), currency);
    }
    const { stdout } = await ledger(['memberships', household], { directory });
    assert.match(stdout, / set the currency to KWD\n/);
  });

  it('tells how far the projections are', async () => {
    // The last ones come too soon after the first for a checkpoint of their own, and nothing comes after them.
    for (let at = 0; at < 40; at++) await buy('Grocer');
    await server.until(async () => {
      const status = await ledgerJson<Record<string, unknown>>(['projections', 'status'], { directory });
      assert.deepEqual(Object.keys(status), [
        'version',
        'rebuild',
        'last_rebuild',
        'position',
        'last_position',
        'lag_events',
        'lag_seconds',
        'failing',
        'more_failing',
      ]);
      return status['lag_events'] === 0;
    }, 'to keep up');
    const { stdout } = await ledger(['projections', 'status'], { directory });
    assert.match(stdout, /^Version +1\nPosition +\d+ of \d+\nLag +none\nFailing +no households\n$/);
  });

  it('says in a sentence what it does not know', async () => {
    for (const args of [
      ['events', NOBODY],
      ['items', NOBODY],
      ['month', NOBODY, '2026-01'],
      ['activity', NOBODY],
      ['fund-history', NOBODY, fund],
      ['fund-history', household, NOBODY],
    ]) {
      const { code, stdout, stderr } = await ledger(args, { directory });
      assert.equal(code, 1, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, /^ledger: There is no (household|item) .*\.\n$/);
    }
  });

  it('ends with 2 and a hint when it is asked wrongly', async () => {
    for (const args of [
      [],
      ['projections'],
      ['household'],
      ['events'],
      ['events', 'mine'],
      ['events', household, '--from', '-1'],
      ['month', household, 'January'],
      ['activity', household, '--limit', 'all'],
      ['activity', household, '--limit', '0'],
      ['users', '--csv'],
      ['users', 'all'],
      ['fund-history', household, fund, '--from', '2026-02-30'],
    ]) {
      const { code, stdout, stderr } = await ledger(args, { directory });
      assert.equal(code, 2, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, /--help/);
    }
  });

  it('says its version', async () => {
    const { code, stdout } = await ledger(['--version'], { directory });
    assert.deepEqual([code, stdout], [0, `${SERVICE_VERSION}\n`]);
  });

  it('waits for no module of a server where it is only asked, or looks at embedded stores', async () => {
    const environment = withoutServerModules();
    for (const args of [['--help'], ['--version'], ['households'], ['users'], ['projections', 'status']]) {
      const { code, stderr } = await ledgerProcess(args, { directory, environment });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    }
    const { stderr } = await ledgerProcess(['demo'], { directory, environment });
    assert.match(stderr, /loads @nestjs/, 'the demo does need them');
  });

  it('explains every command with an example', async () => {
    const { code, stdout } = await ledger(['--help'], { directory });
    assert.equal(code, 0);
    const commands = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(match => match[1]!);
    assert.ok(commands.includes('households') && commands.includes('projections'));
    for (const command of commands.filter(name => name !== 'help' && name !== 'projections')) {
      const help = await ledger([command, '--help'], { directory });
      assert.equal(help.code, 0);
      assert.match(help.stdout, /Examples?:\n {2}\$ /, command);
    }
    assert.match((await ledger(['projections', 'status', '--help'], { directory })).stdout, /Examples:/);
  });
});
