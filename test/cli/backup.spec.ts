// Backups that are made while a server writes, restored, and found to be whole; and what is refused.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { monotonicFactory } from 'ulid';
import { LEDGER_FILE } from '#storage/sqlite/ledger-database';
import { leaveFormerFiles, makeFormerBackup, type FormerSummary } from '../former-ledger.js';
import { LedgerProcess } from '../ledger-process.js';
import { ledger, ledgerJson, ledgerProcess, RunningLedger } from './ledger-program.scenario.js';

interface Made {
  readonly file: string;
  readonly bytes: number;
  readonly events: number;
  readonly holds_secret_key: boolean;
  readonly households: { readonly household_id: string; readonly revision: number; readonly hash: string }[];
  readonly broken_links: object[];
}

const ulid = monotonicFactory();

function setVersion(file: string, version: number): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
}

function inDatabase(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

/** Overwrites the last page of a table. */
function damageTable(file: string, table: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  // By `all`: what is left to read would keep a lock.
  const [{ page }] = db.prepare('SELECT max(pageno) AS page FROM dbstat WHERE name = ?').all(table) as [
    { readonly page: number },
  ];
  const [{ page_size: size }] = db.prepare('PRAGMA page_size').all() as [{ readonly page_size: number }];
  db.close();
  const bytes = readFileSync(file);
  bytes.fill(0xee, (page - 1) * size, page * size);
  writeFileSync(file, bytes);
}

describe('ledger backup and restore', () => {
  let base: string;
  let directory: string;
  let backup: string;
  let household: string;
  let token: string;
  let made: Made;
  /** Answered before the backup was begun. */
  let answered: string[];
  let target: string;

  before(async () => {
    base = mkdtempSync(join(tmpdir(), 'ledger-backup-'));
    directory = join(base, 'data');
    backup = join(base, 'made.backup');
    mkdirSync(directory);
    const server = await LedgerProcess.start({ directory });
    token = await server.signUp(directory);
    household = String((await server.call('GET', '/me', { token })).body['default_household_id']);
    await server.call('POST', '/months/2026-01', { token });
    ({ made, answered } = await backUpUnderLoad(server));
    await refusedBesideAServer();
    assert.equal(await server.end('SIGTERM'), 0);
  });
  after(() => rmSync(base, { recursive: true, force: true }));
  beforeEach(() => {
    target = join(mkdtempSync(join(base, 'restored-')), 'data');
  });

  async function backUpUnderLoad(server: LedgerProcess): Promise<{ made: Made; answered: string[] }> {
    const ids: string[] = [];
    const stopping = new AbortController();
    const writer = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        const id = ulid();
        const body = { id, type: 'expense', amount: 100, date: '2026-01-10', merchant: 'Bakery', splits: [] };
        assert.equal((await server.call('POST', '/transactions', { token, body })).status, 201);
        ids.push(id);
      }
    };
    const writers = Promise.all([writer(), writer(), writer()]);
    await server.until(async () => ids.length > 100, 'to write');
    const before = [...ids];
    const result = await ledgerJson<Made>(['backup', backup], { directory });
    stopping.abort();
    await writers;
    return { made: result, answered: before };
  }

  async function refusedBesideAServer(): Promise<void> {
    for (const more of [[], ['--replace']]) {
      const { code, stderr } = await ledger(['restore', backup, ...more], { directory });
      assert.equal(code, 1);
      assert.match(stderr, /^ledger: Another server or ledger command is using the data directory .*\n$/);
    }
  }

  function copyOfLedger(): string {
    const copy = mkdtempSync(join(base, 'copy-'));
    for (const name of [LEDGER_FILE, 'secret.key']) copyFileSync(join(directory, name), join(copy, name));
    return copy;
  }

  it('makes one file that nobody else can read, with the heads', () => {
    assert.equal(made.file, backup);
    assert.equal(statSync(backup).mode & 0o777, 0o600);
    assert.equal(statSync(backup).size, made.bytes);
    assert.equal(made.holds_secret_key, true);
    assert.deepEqual(made.broken_links, []);
    assert.equal(made.households[0]!.household_id, household);
    assert.ok(made.events > answered.length);
    assert.deepEqual(
      readdirSync(base).filter(name => name.startsWith('made.')),
      ['made.backup'],
    );
  });

  it('restores everything that was answered before, sound, on a machine that has nothing', async () => {
    const there = { directory: base, environment: { DATA_DIR: target } };
    const { code, stdout, stderr } = await ledger(['restore', backup], there);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      new RegExp(`^Restored 1 household with ${made.events.toLocaleString('en')} events, as of `),
    );
    const server = await LedgerProcess.start({ directory: target });
    await server.ready();
    for (const id of [answered[0]!, answered.at(-1)!]) {
      assert.equal((await server.call('GET', `/transactions/${id}`, { token })).status, 200);
    }
    const { body } = await server.call('GET', '/months/2026-01', { token });
    assert.ok(Number(body['untracked_count']) >= answered.length);
    const report = await ledgerJson<{ ok: boolean; households: Made['households'] }>(
      ['projections', 'verify', '--expect', backup],
      there,
    );
    assert.equal(report.ok, true);
    assert.deepEqual(report.households, made.households);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.equal(
      readFileSync(join(target, 'secret.key'), 'utf8'),
      readFileSync(join(directory, 'secret.key'), 'utf8'),
    );
    assert.ok(readdirSync(join(target, 'outbox')).length > 0);
  });

  it('restores a backup of a former version, without its jobs and read models', async () => {
    const former = copyOfLedger();
    mkdirSync(join(former, 'outbox'));
    writeFileSync(join(former, 'outbox', 'mail.eml'), 'To: ann@example.com');
    const { madeAt, events, heads } = await madeOf(former);
    leaveFormerFiles(former);
    const file = join(base, 'former.backup');
    const names = ['views.db', 'events.db', 'records.db', 'jobs.db', 'secret.key', 'outbox/mail.eml'];
    makeFormerBackup(file, former, names, { madeAt, events, heads });
    const there = { directory: base, environment: { DATA_DIR: target } };
    const { code, stderr } = await ledger(['restore', file], there);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      readdirSync(target)
        .filter(name => !name.startsWith('lock.db'))
        .sort(),
      [LEDGER_FILE, 'outbox', 'secret.key'],
    );
    const server = await LedgerProcess.start({ directory: target });
    await server.ready();
    const { status } = await server.call('GET', `/transactions/${answered[0]!}`, { token });
    assert.equal(status, 200);
    assert.equal(await server.end('SIGTERM'), 0);
    const verify = ['projections', 'verify', '--expect', file];
    assert.equal((await ledgerJson<{ ok: boolean }>(verify, there)).ok, true);
  });

  /** What `ledger backup` says of a ledger. */
  async function madeOf(source: string): Promise<FormerSummary> {
    const file = join(mkdtempSync(join(base, 'made-')), 'backup');
    const found = await ledgerJson<Made>(['backup', file], { directory: source });
    return { madeAt: new Date().toISOString(), events: found.events, heads: found.households };
  }

  it('leaves out what is damaged and can be made again, and says so', async () => {
    const file = join(base, 'half.backup');
    copyFileSync(backup, file);
    damageTable(file, 'documents:transactions_g1');
    const db = new DatabaseSync(file);
    const mails = db.prepare("UPDATE files SET bytes = x'00' WHERE name LIKE 'outbox/%'").run().changes;
    db.close();
    assert.ok(mails > 0);
    const there = { directory: base, environment: { DATA_DIR: target } };
    const { left_out } = await ledgerJson<{ left_out: string[] }>(['restore', file], there);
    assert.deepEqual([left_out[0], left_out.length], ['read models', 1 + mails]);
    const server = await LedgerProcess.start({ directory: target });
    await server.ready();
    const { body } = await server.call('GET', '/months/2026-01', { token });
    assert.ok(Number(body['untracked_count']) >= answered.length);
    assert.equal(await server.end('SIGTERM'), 0);
    const verify = ['projections', 'verify', '--expect', backup];
    assert.equal((await ledgerJson<{ ok: boolean }>(verify, there)).ok, true);
    const { stdout } = await ledger(['restore', '--replace', file], there);
    assert.match(stdout, /^Left out, because it is damaged in the backup: read models, outbox\/.*\.$/m);
  });

  it('does not overwrite a ledger unless told, and then puts it aside', async () => {
    const there = { directory: base, environment: { DATA_DIR: target } };
    mkdirSync(target);
    writeFileSync(join(target, 'secret.key'), 'of another ledger');
    const refused = await ledger(['restore', backup], there);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^ledger: .* already contains a ledger\. Use --replace .*\n$/);
    assert.equal(readFileSync(join(target, 'secret.key'), 'utf8'), 'of another ledger');
    const { replaced } = await ledgerJson<{ replaced: string }>(['restore', backup, '--replace'], there);
    assert.equal(readFileSync(join(replaced, 'secret.key'), 'utf8'), 'of another ledger');
    assert.ok(existsSync(join(target, LEDGER_FILE)));
  });

  it('does not overwrite a file unless told', async () => {
    const file = join(base, 'kept.backup');
    writeFileSync(file, 'somebody needs this');
    const refused = await ledger(['backup', file], { directory });
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^ledger: .*kept\.backup already exists\. Use --overwrite to replace it\.\n$/,
    );
    assert.equal(readFileSync(file, 'utf8'), 'somebody needs this');
    await ledgerJson<Made>(['backup', file, '--overwrite'], { directory });
    assert.notEqual(readFileSync(file, 'latin1').slice(0, 9), 'somebody ');
  });

  /** A ledger as no server would start with it, as what is said of it. */
  const faults: readonly (readonly [make: (file: string) => void, sentence: string])[] = [
    [file => writeFileSync(file, ''), 'it is empty'],
    [file => setVersion(file, 99), 'it has schema version 99, but this'],
    [file => setVersion(file, 0), 'it is damaged'],
    [file => damageTable(file, 'events'), 'it is damaged'],
    [file => copyFileSync(backup, file), 'it belongs to another program'],
  ];

  it('does not take what no server would start on for a backup', async () => {
    const file = join(base, 'latest.backup');
    writeFileSync(file, 'the former backup');
    const backedUp = async (source: string): Promise<string> => {
      const { code, stderr } = await ledger(['backup', '--overwrite', file], { directory: source });
      assert.equal(code, 1);
      assert.equal(readFileSync(file, 'utf8'), 'the former backup');
      return stderr;
    };
    for (const [make, sentence] of faults) {
      const source = copyOfLedger();
      make(join(source, LEDGER_FILE));
      const said = await backedUp(source);
      assert.ok(
        said.startsWith(`ledger: The file ${join(source, LEDGER_FILE)} cannot be used: ${sentence}`),
        said,
      );
    }
    const source = copyOfLedger();
    writeFileSync(join(source, 'secret.key'), '');
    assert.match(await backedUp(source), /secret\.key contains no secret key, /);
    const SECRET_KEY = Buffer.alloc(32, 1).toString('base64');
    const options = { directory: source, environment: { SECRET_KEY } };
    assert.equal((await ledgerJson<Made>(['backup', '--overwrite', file], options)).holds_secret_key, false);
  });

  it('restores no backup without a secret key unless another one is set', async () => {
    const file = join(base, 'unusable.backup');
    copyFileSync(backup, file);
    const db = new DatabaseSync(file);
    const hash = createHash('sha256').update('').digest('hex');
    db.prepare("UPDATE files SET bytes = x'', sha256 = ? WHERE name = 'secret.key'").run(hash);
    db.close();
    const there = { directory: base, environment: { DATA_DIR: target } };
    const { code, stderr } = await ledger(['restore', file], there);
    assert.equal(code, 1);
    assert.ok(!existsSync(join(target, LEDGER_FILE)));
    assert.ok(
      stderr.startsWith(`ledger: The file secret.key in ${file} cannot be used: it contains no `),
      stderr,
    );
    const SECRET_KEY = Buffer.alloc(32, 1).toString('base64');
    const environment = { DATA_DIR: target, SECRET_KEY };
    assert.equal((await ledger(['restore', file], { directory: base, environment })).code, 0);
  });

  it('does not take the place of a file of the data directory, by whatever path', async () => {
    const source = copyOfLedger();
    const link = join(base, 'link');
    symlinkSync(source, link);
    const before = readdirSync(source).map(name => [name, readFileSync(join(source, name), 'hex')]);
    const names = [LEDGER_FILE, 'events.db', 'secret.key', 'lock.db', `${LEDGER_FILE}-wal`];
    for (const file of [...names, join(link, LEDGER_FILE), join(link, `${LEDGER_FILE}-shm`)]) {
      const { code, stderr } = await ledger(['backup', '--overwrite', file], { directory: source });
      assert.equal(code, 1);
      assert.match(stderr, /^ledger: .* belongs to DATA_DIR\. Choose another name for the backup\.\n$/);
    }
    const after = readdirSync(source).map(name => [name, readFileSync(join(source, name), 'hex')]);
    assert.deepEqual(after, before);
    await ledgerJson<Made>(['backup', join(link, 'a.backup')], { directory: source });
  });

  it('does not overwrite what another backup has made meanwhile', async () => {
    const file = join(base, 'twice.backup');
    const endings = await Promise.all([
      ledgerProcess(['backup', file], { directory }),
      ledgerProcess(['backup', file], { directory }),
    ]);
    assert.deepEqual(endings.map(({ code }) => code).sort(), [0, 1]);
    assert.match(endings.find(({ code }) => code === 1)!.stderr, /already exists\. Use --overwrite/);
    assert.deepEqual(
      readdirSync(base).filter(name => name.startsWith('twice.')),
      ['twice.backup'],
    );
  });

  it(
    'gives what root restores to the user of the directory',
    { skip: process.getuid?.() !== 0 },
    async () => {
      const user = 12_345;
      for (const args of [[], ['--replace']]) {
        mkdirSync(target, { recursive: true });
        chownSync(target, user, user);
        const { code, stderr } = await ledger(['restore', backup, ...args], { directory: target });
        assert.equal(code, 0, stderr);
        const files = readdirSync(target, { recursive: true, encoding: 'utf8' });
        assert.ok(files.includes(LEDGER_FILE) && files.includes('lock.db'));
        for (const file of files) assert.equal(statSync(join(target, file)).uid, user, file);
      }
    },
  );

  it(
    'gives nothing of root to that user but what it has restored',
    { skip: process.getuid?.() !== 0 },
    async () => {
      const user = 12_345;
      const others = mkdtempSync(join(base, 'of-root-'));
      mkdirSync(join(others, 'outbox'));
      writeFileSync(join(others, 'outbox', 'notes.eml'), 'of root');
      mkdirSync(target);
      chownSync(target, user, user);
      symlinkSync(others, join(target, 'link'));
      // Put aside as the ledger's that was there before.
      symlinkSync(join(others, 'outbox'), join(target, 'outbox'));
      writeFileSync(join(target, 'notes'), 'of root');
      const there = { directory: base, environment: { DATA_DIR: target } };
      const { replaced } = await ledgerJson<{ replaced: string }>(['restore', backup, '--replace'], there);
      assert.equal(lstatSync(join(replaced, 'outbox')).isSymbolicLink(), true);
      for (const file of [replaced, join(target, 'outbox'), join(target, LEDGER_FILE)])
        assert.equal(lstatSync(file).uid, user, file);
      for (const name of ['', 'outbox', 'outbox/notes.eml'])
        assert.equal(lstatSync(join(others, name)).uid, 0, name);
      assert.equal(lstatSync(join(target, 'notes')).uid, 0);
    },
  );

  it('refuses a damaged backup and changes nothing', async () => {
    const there = { directory: base, environment: { DATA_DIR: target } };
    const damages: [(file: string) => void, RegExp][] = [
      [file => damageTable(file, 'events'), /it is damaged|is damaged/],
      [file => damageTable(file, 'documents:accounts'), /is damaged/],
      [file => inDatabase(file, 'DELETE FROM backup'), /the backup is incomplete/],
      [
        file => inDatabase(file, `UPDATE heads SET hash = '${'0'.repeat(64)}'`),
        /the heads of the events differ from those/,
      ],
      [
        file => inDatabase(file, `UPDATE files SET name = '../secret.key' WHERE name = 'secret.key'`),
        /not part of a ledger/,
      ],
    ];
    for (const [at, [damage, sentence]] of damages.entries()) {
      const damaged = join(base, `damaged-${at}.backup`);
      copyFileSync(backup, damaged);
      damage(damaged);
      const { code, stderr } = await ledger(['restore', damaged], there);
      assert.equal(code, 1);
      assert.match(stderr, sentence);
      assert.equal(stderr.trim().split('\n').length, 1);
      assert.deepEqual(
        existsSync(target) ? readdirSync(target).filter(name => !name.startsWith('lock.db')) : [],
        [],
      );
    }
  });

  it('leaves out what is in the outbox and no mail of the service', async () => {
    const source = mkdtempSync(join(base, 'outbox-'));
    for (const name of [LEDGER_FILE, 'secret.key']) copyFileSync(join(directory, name), join(source, name));
    mkdirSync(join(source, 'outbox', 'folder.eml'), { recursive: true });
    for (const name of ['mail.eml', 'verify link (copy).eml']) {
      writeFileSync(join(source, 'outbox', name), 'To: ann@example.com');
    }
    const file = join(base, 'outbox.backup');
    await ledgerJson<Made>(['backup', file], { directory: source });
    const there = { directory: base, environment: { DATA_DIR: target } };
    assert.equal((await ledger(['restore', file], there)).code, 0);
    assert.deepEqual(readdirSync(join(target, 'outbox')), ['mail.eml']);
    // As backups once took it along.
    const db = new DatabaseSync(file);
    db.exec(`UPDATE files SET name = 'outbox/../a (copy).eml' WHERE name = 'outbox/mail.eml'`);
    db.close();
    assert.equal((await ledger(['restore', file, '--replace'], there)).code, 0);
    assert.ok(!existsSync(join(target, 'outbox')));
    assert.ok(!existsSync(join(target, 'a (copy).eml')));
  });

  it('refuses what is no backup', async () => {
    const file = join(base, 'notes.txt');
    writeFileSync(file, 'Notes of somebody.\n'.repeat(100));
    for (const [name, sentence] of [
      [file, /is not a SQLite database/],
      [join(directory, LEDGER_FILE), /it belongs to another program/],
      [join(base, 'none'), /The file .* does not exist\./],
    ] as const) {
      const { code, stderr } = await ledger(['restore', name], {
        directory: base,
        environment: { DATA_DIR: target },
      });
      assert.equal(code, 1);
      assert.match(stderr, sentence);
    }
  });

  it('refuses a directory that cannot be made', async () => {
    const environment = { DATA_DIR: join(backup, 'data') };
    const { code, stderr } = await ledger(['restore', backup], { directory: base, environment });
    assert.equal(code, 1);
    // Versions of Node differ in what they call it.
    assert.match(
      stderr,
      /^[^\n]*DATA_DIR must be a directory; .* cannot be created \((?:ENOTDIR|EEXIST)\)\.\n$/,
    );
  });

  it('goes on after an interrupted restore, on which no server starts', async () => {
    const there = { directory: base, environment: { DATA_DIR: target } };
    mkdirSync(target);
    writeFileSync(join(target, 'restore-unfinished'), '');
    copyFileSync(join(directory, LEDGER_FILE), join(target, LEDGER_FILE));
    const ending = await LedgerProcess.ending({ directory: target });
    assert.equal(ending.code, 1);
    assert.match(
      ending.output,
      /^Cannot start: A restore into .* was interrupted\. Run `ledger restore` again first\./,
    );
    assert.equal((await ledger(['restore', backup], there)).code, 0);
    const server = await LedgerProcess.start({ directory: target });
    assert.equal(await server.end('SIGTERM'), 0);
  });

  it('leaves no file of the name when it is interrupted, nor any other', async () => {
    const folder = mkdtempSync(join(base, 'interrupted-'));
    const file = join(folder, 'never.backup');
    const running = new RunningLedger(['backup', file], { directory });
    await running.until(() => readdirSync(folder).length > 0);
    running.child.kill('SIGTERM');
    const { code } = await running.ended();
    // It may have been faster than the signal, or about to end.
    const left = readdirSync(folder);
    assert.ok(code === 0 || code === 1, `ended with ${code}`);
    if (code === 0 || left.length > 0) assert.deepEqual(left, ['never.backup']);
  });

  it('leaves nothing that it unpacked when a restore is interrupted', async () => {
    mkdirSync(target);
    const running = new RunningLedger(['restore', backup], {
      directory: base,
      environment: { DATA_DIR: target },
    });
    await running.until(() => ['restoring', LEDGER_FILE].some(name => existsSync(join(target, name))));
    running.child.kill('SIGHUP');
    const { code } = await running.ended();
    assert.ok(!existsSync(join(target, 'restoring')));
    // It may have been faster than the signal, or about to end: then the ledger is whole.
    if (code === 0) assert.ok(existsSync(join(target, LEDGER_FILE)));
    assert.ok(!existsSync(join(target, 'restore-unfinished')), `ended with ${code}`);
  });

  it('tells of a broken chain, and backs up and restores all the same', async () => {
    const tampered = mkdtempSync(join(base, 'tampered-'));
    copyFileSync(join(directory, LEDGER_FILE), join(tampered, LEDGER_FILE));
    inDatabase(
      join(tampered, LEDGER_FILE),
      `UPDATE events SET data = json_set(data, '$.content.amount', 9) WHERE revision = 5`,
    );
    const file = join(base, 'tampered.backup');
    const { code, stdout } = await ledger(['backup', file], { directory: tampered });
    assert.equal(code, 1);
    assert.match(stdout, /the hash chain breaks at revision 6/);
    assert.match(
      stdout,
      /\nThe backup does not contain a secret key, because DATA_DIR has no secret\.key\. /,
    );
    assert.ok(existsSync(file));
    const there = { directory: base, environment: { DATA_DIR: target } };
    const restored = await ledger(['restore', file], there);
    assert.equal(restored.code, 1);
    assert.match(restored.stdout, /the hash chain breaks at revision 6/);
    assert.ok(existsSync(join(target, LEDGER_FILE)));
  });

  it('takes the file of a key only where that is the one in use', async () => {
    const file = join(base, 'other-key.backup');
    const made = async (SECRET_KEY: string): Promise<boolean> => {
      const options = { directory, environment: { SECRET_KEY } };
      return (await ledgerJson<Made>(['backup', file, '--overwrite'], options)).holds_secret_key;
    };
    assert.equal(await made(readFileSync(join(directory, 'secret.key'), 'utf8').trim()), true);
    const SECRET_KEY = Buffer.alloc(32, 1).toString('base64');
    assert.equal(await made(SECRET_KEY), false);
    const { stdout } = await ledger(['backup', file, '--overwrite'], {
      directory,
      environment: { SECRET_KEY },
    });
    assert.match(
      stdout,
      /\nThe backup does not contain SECRET_KEY, which the environment sets\. Back it up separately\.\n$/,
    );
  });

  it('says in a sentence what it does not copy', async () => {
    const SECRET_KEY = Buffer.alloc(32, 1).toString('base64');
    const MONGODB_URL = 'mongodb://127.0.0.1:1/ledger';
    for (const command of ['backup', 'restore']) {
      const { code, stderr } = await ledger([command, join(base, 'x')], {
        directory,
        environment: { SECRET_KEY, MONGODB_URL },
      });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^ledger: This command copies only embedded stores, but MONGODB_URL names a server\. .*\n$/,
      );
    }
    const EVENTSTORE_URL = 'esdb://127.0.0.1:1?tls=false';
    const both = await ledger(['backup', join(base, 'x')], {
      directory,
      environment: { SECRET_KEY, MONGODB_URL, EVENTSTORE_URL },
    });
    assert.match(both.stderr, / only embedded stores, but EVENTSTORE_URL and MONGODB_URL name servers\. /);
    const nothing = await ledger(['backup', join(base, 'x')], { directory: base });
    assert.equal(nothing.code, 1);
    assert.match(nothing.stderr, /^ledger: The directory .* contains no ledger: .*\n$/);
    const nowhere = await ledger(['backup', join(base, 'no', 'x')], { directory });
    assert.match(nowhere.stderr, /^ledger: The directory .*no does not exist\.\n$/);
    assert.equal((await ledger(['backup'], { directory })).code, 2);
  });
});
