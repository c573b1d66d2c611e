// `ledger projections verify`: finds nothing beside a server at work, and everything that was changed behind its back.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { monotonicFactory } from 'ulid';
import { LEDGER_FILE, LedgerDatabase } from '#storage/sqlite/ledger-database';
import { HOUSEHOLDS } from '#identity/households/household-records';
import { LedgerProcess } from '../ledger-process.js';
import { ledger, ledgerJson } from './ledger-program.scenario.js';

interface Report {
  readonly ok: boolean;
  readonly events: number;
  readonly documents: number;
  readonly households: { readonly household_id: string; readonly revision: number; readonly hash: string }[];
  readonly broken_links: Record<string, unknown>[];
  readonly lost_heads: Record<string, unknown>[];
  readonly unfoldable: { readonly revision: number; readonly reason: string }[];
  readonly differences: {
    readonly household_id: string;
    readonly collection: string;
    readonly key: string;
    readonly kind: string;
    readonly fields: { readonly path: string; readonly expected: unknown; readonly found: unknown }[];
  }[];
  readonly differences_total: number;
}

const ulid = monotonicFactory();
const NOBODY = '01K00000000000000000000000';
const VERIFY = ['projections', 'verify'];

describe('ledger projections verify', () => {
  let directory: string;
  let base: string;
  let original: string;
  let household: string;
  let itemId: string;
  let export_: string;
  let noted: Report;
  const months = 'months_g1';
  const transactions = 'transactions_g1';

  before(async () => {
    base = mkdtempSync(join(tmpdir(), 'ledger-verify-'));
    original = join(base, 'original');
    mkdirSync(original);
    const server = await LedgerProcess.start({ directory: original });
    const token = await server.signUp(original);
    household = String((await server.call('GET', '/me', { token })).body['default_household_id']);
    const month = await server.call('POST', '/months/2026-01', { token });
    const groups = month.body['groups'] as {
      readonly items: { readonly id: string; readonly kind: string }[];
    }[];
    itemId = groups.flatMap(({ items }) => items).find(({ kind }) => kind === 'expense')!.id;
    await besideAtWork(server, token);
    const untracked = {
      id: ulid(),
      type: 'expense',
      amount: 250,
      date: '2026-01-11',
      merchant: 'Kiosk',
      splits: [],
    };
    assert.equal((await server.call('POST', '/transactions', { token, body: untracked })).status, 201);
    await server.call('POST', '/months/2026-02', { token });
    export_ = JSON.stringify((await server.call('GET', '/export', { token })).body);
    assert.equal(await server.end('SIGTERM'), 0);
    noted = await ledgerJson<Report>(VERIFY, { directory: original });
  });
  after(() => rmSync(base, { recursive: true, force: true }));
  beforeEach(() => {
    directory = mkdtempSync(join(base, 'copy-'));
    cpSync(original, directory, { recursive: true });
  });

  /** Verifies several times while transactions are made, changed and deleted. */
  async function besideAtWork(server: LedgerProcess, token: string): Promise<void> {
    const stopping = new AbortController();
    const writer = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        const id = ulid();
        const splits = [{ item_id: itemId, amount: 100 }];
        const body = { id, type: 'expense', amount: 100, date: '2026-01-10', merchant: 'Bakery', splits };
        assert.equal((await server.call('POST', '/transactions', { token, body })).status, 201);
        await server.call('PATCH', `/transactions/${id}`, { token, body: { merchant: `Bakery ${id}` } });
        await server.call('DELETE', `/transactions/${id}`, { token });
      }
    };
    const writers = Promise.all([writer(), writer(), writer()]);
    try {
      for (let round = 0; round < 3; round++) {
        const report = await ledgerJson<Report>(VERIFY, { directory: original });
        assert.equal(report.ok, true, JSON.stringify(report.differences));
      }
    } finally {
      stopping.abort();
      await writers;
    }
  }

  function tamper(sql: string, ...values: (string | number)[]): void {
    const db = new DatabaseSync(join(directory, LEDGER_FILE));
    try {
      assert.ok(db.prepare(sql).run(...values).changes > 0, sql);
    } finally {
      db.close();
    }
  }

  function report(code: number, ...args: string[]): Promise<Report> {
    return ledgerJson<Report>([...VERIFY, ...args], { directory, code });
  }

  it('says what it does not cover, also where all is sound', async () => {
    const always = /names and invites.*outbox.*snapshots/;
    const all = await ledger(VERIFY, { directory });
    assert.match(all.stdout, /\nNot covered: accounts, sessions[^\n]*--expect covers them\)\.\n$/);
    assert.match(all.stdout, always);
    writeFileSync(join(directory, 'heads.json'), JSON.stringify(noted));
    const one = [...VERIFY, '--household', household, '--expect', join(directory, 'heads.json')];
    const { not_covered } = await ledgerJson<{ readonly not_covered: string[] }>(one, { directory });
    assert.match(not_covered.join(), always);
    assert.ok(not_covered.includes('other households'));
    assert.ok(!not_covered.some(part => part.includes('--expect')));
  });

  it('prints the head of each household, and says that all is sound', async () => {
    assert.equal(noted.ok, true);
    assert.equal(noted.households.length, 1);
    const [{ household_id, revision, hash }] = noted.households as [Report['households'][number]];
    assert.equal(household_id, household);
    assert.equal(noted.events, revision + 1);
    assert.match(hash, /^[0-9a-f]{64}$/);
    const { code, stdout, stderr } = await ledger(VERIFY, { directory });
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.match(
      stdout,
      new RegExp(`^HOUSEHOLD +REVISION +HASH\n${household} +${revision} +${hash}\n\nSound: `),
    );
  });

  it('finds a document that was changed, by its field', async () => {
    tamper(
      `UPDATE "documents:${months}" SET body = json_set(body, '$.left_to_budget', 777) WHERE key LIKE '%|2026-01'`,
    );
    const { differences, ok } = await report(1);
    assert.equal(ok, false);
    assert.equal(differences.length, 1);
    const { fields, ...rest } = differences[0]!;
    assert.deepEqual(rest, {
      household_id: household,
      collection: months,
      key: `${household}|2026-01`,
      kind: 'differs',
    });
    assert.deepEqual(fields, [{ path: 'left_to_budget', expected: 0, found: 777 }]);
    const { code, stdout } = await ledger(VERIFY, { directory });
    assert.equal(code, 1);
    assert.match(stdout, /months_g1 \S+ does not match the events\n {2}left_to_budget: 777 instead of 0\n/);
    assert.match(stdout, /NOT SOUND: 1 wrong document /);
  });

  it('finds documents of any kind that are gone or should not be there', async () => {
    const kinds = [
      'months',
      'identities',
      'untracked_counts',
      'transactions',
      'transaction_changes',
      'merchant_items',
    ];
    for (const kind of kinds) {
      const table = `"documents:${kind}_g1"`;
      tamper(`UPDATE ${table} SET key = key || 'x', body = json_set(body, '$.key', key || 'x')
         WHERE id = (SELECT min(id) FROM ${table})`);
    }
    const { differences } = await report(1);
    for (const kind of kinds) {
      const found = differences.filter(({ collection }) => collection === `${kind}_g1`);
      assert.ok(
        found.some(difference => difference.kind === 'missing'),
        `${kind} missing`,
      );
      assert.ok(
        found.some(difference => difference.kind === 'unexpected'),
        `${kind} unexpected`,
      );
    }
  });

  it('names each document of which the text is damaged, and checks the others', async () => {
    const damage = (collection: string, where: string): void =>
      tamper(`UPDATE "documents:${collection}" SET body = substr(body, 1, 20) WHERE ${where}`);
    damage(months, `key LIKE '%|2026-01'`);
    damage('heads_g1', 'true');
    damage(transactions, 'true');
    tamper(`UPDATE "documents:merchant_items_g1" SET body = json_set(body, '$.revision', 0) WHERE id = 1`);
    const found = await report(1);
    assert.deepEqual(found.unfoldable, []);
    assert.equal(found.documents, noted.documents);
    const kindsIn = (collection: string): string[] =>
      found.differences.filter(each => each.collection === collection).map(({ kind }) => kind);
    assert.deepEqual(kindsIn(months), ['damaged']);
    assert.deepEqual(kindsIn('heads_g1'), ['damaged']);
    const damaged = kindsIn(transactions);
    assert.ok(damaged.length > 1 && damaged.every(kind => kind === 'damaged'));
    assert.deepEqual(kindsIn('merchant_items_g1'), ['behind']);
    const { stdout } = await ledger(VERIFY, { directory });
    assert.match(stdout, /: months_g1 \S+\|2026-01 is damaged and cannot be read$/m);
  });

  it('finds an event that was changed, and what it would make', async () => {
    tamper(`UPDATE events SET data = json_set(data, '$.content.amount', 999)
       WHERE json_extract(data, '$.content.merchant') = 'Kiosk'`);
    const { broken_links, differences } = await report(1);
    assert.equal(broken_links.length, 1);
    const { household_id, kind, revision } = broken_links[0]!;
    assert.deepEqual({ household_id, kind }, { household_id: household, kind: 'hash' });
    assert.ok(Number(revision) > 1);
    assert.ok(
      differences.some(({ collection, kind: is }) => collection === transactions && is === 'differs'),
    );
    const { stdout } = await ledger(VERIFY, { directory });
    assert.match(
      stdout,
      new RegExp(`the hash chain breaks at revision ${String(revision)} \\(event [0-9a-f-]{36}\\)`),
    );
  });

  it('finds an event that was taken out', async () => {
    tamper(`DELETE FROM events WHERE revision = 2`);
    const { broken_links } = await report(1);
    assert.equal(broken_links.length, 1);
    const { revision, kind, expected, found } = broken_links[0]!;
    assert.deepEqual(
      { revision, kind, expected, found },
      { revision: 3, kind: 'gap', expected: 2, found: 3 },
    );
  });

  it('finds a rewritten history, by a head that was noted', async () => {
    const heads = join(directory, 'heads.json');
    writeFileSync(heads, JSON.stringify(noted));
    assert.equal((await report(0, '--expect', heads)).ok, true);
    writeFileSync(join(directory, 'export.json'), export_);
    assert.equal((await report(0, '--expect', join(directory, 'export.json'))).ok, true);
    const last = noted.households[0]!.revision;
    // The last event is followed by none that could tell.
    tamper(`UPDATE events SET metadata = json_set(metadata, '$.requestId', 'x') WHERE revision = ${last}`);
    assert.equal((await report(0)).ok, true);
    const { lost_heads } = await report(1, '--expect', heads);
    assert.equal(lost_heads.length, 1);
    const { household_id, revision, expected, found } = lost_heads[0]!;
    assert.deepEqual([household_id, revision, expected], [household, last, noted.households[0]!.hash]);
    assert.match(String(found), /^[0-9a-f]{64}$/);
    tamper(`DELETE FROM events WHERE revision = ${last}`);
    const shorter = await report(1, '--expect', heads, '--household', household);
    assert.equal(shorter.lost_heads[0]!['found'], null);
    const { stdout } = await ledger([...VERIFY, '--expect', heads], { directory });
    assert.match(
      stdout,
      new RegExp(`does not contain the expected head: it ends before revision ${last}\\.`),
    );
  });

  it('takes a history that has grown since for the same', async () => {
    const server = await LedgerProcess.start({ directory });
    const token = await server.signUp(directory, 'ben@example.com');
    await server.call('POST', '/months/2026-01', { token });
    await server.end('SIGTERM');
    const heads = join(directory, 'heads.json');
    writeFileSync(heads, JSON.stringify(noted));
    const grown = await report(0, '--expect', heads);
    assert.equal(grown.households.length, 2);
    const one = await ledger([...VERIFY, '--expect', heads, '--household', household], { directory });
    assert.match(one.stdout, /^Sound: 1 household, .* 1 expected head was found\.$/m);
    writeFileSync(heads, '{"households":[]}');
    const none = await ledger([...VERIFY, '--expect', heads], { directory });
    assert.match(none.stdout, /^Sound: 2 households, .* There were no expected heads to check\.$/m);
  });

  it('names a member who was made owner in the file by hand', async () => {
    const { documents } = LedgerDatabase.open({ directory });
    await documents.ensure([HOUSEHOLDS]);
    const [record] = await documents.range(HOUSEHOLDS, {
      from: household,
      before: `${household}~`,
      limit: 1,
    });
    const { userId } = record!.members[0]!;
    const members = [{ ...record!.members[0]!, role: 'member' as const }];
    await documents.put(HOUSEHOLDS, [{ ...record!, members, revision: record!.revision + 1 }]);
    await documents.close();
    const { code, stdout } = await ledger(VERIFY, { directory });
    assert.equal(code, 1);
    const sentence = `Household ${household}: user ${userId} is member, but the membership log says owner`;
    assert.ok(stdout.includes(sentence), stdout);
    assert.match(stdout, /^NOT SOUND: 1 wrong membership /m);
  });

  it('names a household whose events cannot be folded, and checks the others', async () => {
    tamper(`UPDATE events SET type = 'MoneyPrinted' WHERE revision = 1`);
    const { unfoldable, broken_links } = await report(1);
    assert.equal(unfoldable.length, 1);
    assert.match(unfoldable[0]!.reason, /MoneyPrinted/);
    assert.equal(broken_links.length, 1);
  });

  it('names a household of which the text of an event is damaged, and checks the others', async () => {
    tamper(`UPDATE events SET data = '{"name":"Dr. M' WHERE revision = 1`);
    const { unfoldable, broken_links } = await report(1);
    assert.equal(unfoldable.length, 1);
    assert.match(unfoldable[0]!.reason, /^event \S+ of type \w+ has no schema version: it is damaged/);
    assert.equal(broken_links.length, 1);
    tamper(`UPDATE events SET data = '{"name":"Dr. M'`);
    const events = await ledger(['events', household], { directory });
    assert.equal(events.code, 0, events.stderr);
    assert.match(events.stdout, /^ +1 +unknown +\w+ +This event is damaged, or another program wrote it\.$/m);
    const households = await ledger(['households'], { directory });
    assert.equal(households.code, 0, households.stderr);
    assert.match(households.stdout, new RegExp(`^${household} .* unknown$`, 'm'));
  });

  it('tells in a sentence that a history names what it never made, also where a fund is asked for', async () => {
    tamper(`UPDATE events SET data = json_set(data, '$.content.splits', json('[{"itemId":"${NOBODY}","amount":250}]'))
       WHERE json_extract(data, '$.content.merchant') = 'Kiosk'`);
    const history = await ledger(['fund-history', household, itemId], { directory });
    assert.deepEqual([history.code, history.stdout], [1, '']);
    assert.equal(history.stderr, `ledger: the history refers to item ${NOBODY}, which it never created\n`);
  });

  it('says in a sentence what it cannot use', async () => {
    writeFileSync(join(directory, 'list.json'), '{"months":[]}');
    writeFileSync(join(directory, 'text.json'), 'heads');
    const heads = join(directory, 'heads.json');
    writeFileSync(heads, JSON.stringify(noted));
    const refusals: [string[], RegExp][] = [
      [['--household', NOBODY], /^ledger: There is no household .*\.\n$/],
      [['--expect', join(directory, 'none.json')], /^ledger: .*none\.json cannot be read\.\n$/],
      [['--expect', join(directory, 'text.json')], /^ledger: .*text\.json is not JSON\.\n$/],
      [['--expect', join(directory, 'list.json')], /^ledger: .*list\.json contains no heads\. .*\n$/],
      [
        ['--household', NOBODY, '--expect', heads],
        /^ledger: .*heads\.json contains no head of household .*\.\n$/,
      ],
    ];
    for (const [args, sentence] of refusals) {
      const { code, stdout, stderr } = await ledger([...VERIFY, ...args], { directory });
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, sentence);
    }
  });
});
