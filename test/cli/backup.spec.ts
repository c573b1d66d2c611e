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
import type { Database } from '#sqlite/open-database';
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

function damagePages(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xee, 16_384, 40_960);
  writeFileSync(file, bytes);
}

/** A database that holds nothing, as backups once made of an empty file. */
function makeHollow(file: string): void {
  rmSync(file);
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL');
  db.close();
}

/** As if it had been put in so. */
function replaceInBackup(backup: string, name: string, bytes: Buffer): void {
  const db = new DatabaseSync(backup);
  const file = `(SELECT id FROM files WHERE name = '${name}')`;
  db.exec(`DELETE FROM chunks WHERE file = ${file}`);
  db.prepare(`INSERT INTO chunks (file, number, bytes) VALUES (${file}, 0, ?)`).run(bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  db.prepare('UPDATE files SET size = ?, sha256 = ? WHERE name = ?').run(bytes.length, hash, name);
  db.close();
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
    for (const name of ['events.db', 'records.db', 'views.db', 'secret.key']) {
      copyFileSync(join(directory, name), join(copy, name));
    }
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

  it('restores a backup of before that holds jobs, without them', async () => {
    const file = join(base, 'with-jobs.backup');
    copyFileSync(backup, file);
    const db = new DatabaseSync(file);
    db.exec("INSERT INTO files (name, size, sha256) VALUES ('jobs.db', 0, '')");
    db.close();
    replaceInBackup(file, 'jobs.db', Buffer.from('of whatever form'));
    const { code, stderr } = await ledger(['restore', file], {
      directory: base,
      environment: { DATA_DIR: target },
    });
    assert.equal(code, 0, stderr);
    assert.ok(existsSync(join(target, 'events.db')));
    assert.ok(!existsSync(join(target, 'jobs.db')));
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
    assert.ok(existsSync(join(target, 'events.db')));
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

  /** Files as no server would start with them, as what is said of them. */
  const faults: readonly (readonly [name: string, make: (file: string) => void, sentence: string])[] = [
    ['records.db', file => writeFileSync(file, ''), 'it is empty'],
    ['records.db', makeHollow, 'it is empty'],
    ['records.db', file => copyFileSync(join(directory, 'events.db'), file), 'it belongs to another program'],
    ['records.db', file => copyFileSync(join(directory, 'views.db'), file), 'it holds none of the accounts'],
    ...['views.db', 'events.db', 'records.db'].map(
      name => [name, (file: string) => setVersion(file, 99), 'it has schema version 99, but this'] as const,
    ),
    ['events.db', file => setVersion(file, 0), 'it is damaged'],
    ['events.db', damagePages, 'it is damaged'],
    ['views.db', damagePages, 'it is damaged'],
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
    for (const [name, make, sentence] of faults) {
      const source = copyOfLedger();
      make(join(source, name));
      const said = await backedUp(source);
      assert.ok(said.startsWith(`ledger: The file ${join(source, name)} cannot be used: ${sentence}`), said);
    }
    const source = copyOfLedger();
    writeFileSync(join(source, 'secret.key'), '');
    assert.match(await backedUp(source), /secret\.key contains no secret key, /);
    const SECRET_KEY = Buffer.alloc(32, 1).toString('base64');
    const options = { directory: source, environment: { SECRET_KEY } };
    assert.equal((await ledgerJson<Made>(['backup', '--overwrite', file], options)).holds_secret_key, false);
  });

  it('restores nothing on which no server would start', async () => {
    const file = join(base, 'unusable.backup');
    const there = { directory: base, environment: { DATA_DIR: target } };
    const restored = async (name: string, make: (file: string) => void): Promise<string> => {
      const source = copyOfLedger();
      make(join(source, name));
      copyFileSync(backup, file);
      replaceInBackup(file, name, readFileSync(join(source, name)));
      const { code, stderr } = await ledger(['restore', file], there);
      assert.equal(code, 1);
      assert.ok(!existsSync(join(target, 'events.db')));
      return stderr;
    };
    for (const [name, make, sentence] of faults) {
      const said = await restored(name, make);
      assert.ok(said.startsWith(`ledger: The file ${name} in ${file} cannot be used: ${sentence}`), said);
    }
    const said = await restored('secret.key', key => writeFileSync(key, ''));
    assert.ok(
      said.startsWith(`ledger: The file secret.key in ${file} cannot be used: it contains no `),
      said,
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
    const names = ['events.db', 'records.db', 'views.db', 'secret.key', 'lock.db', 'events.db-wal'];
    for (const file of [...names, join(link, 'events.db'), join(link, 'events.db-shm')]) {
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
        assert.ok(files.includes('events.db') && files.includes('lock.db'));
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
      for (const file of [replaced, join(target, 'outbox'), join(target, 'events.db')])
        assert.equal(lstatSync(file).uid, user, file);
      for (const name of ['', 'outbox', 'outbox/notes.eml'])
        assert.equal(lstatSync(join(others, name)).uid, 0, name);
      assert.equal(lstatSync(join(target, 'notes')).uid, 0);
    },
  );

  it('refuses a damaged backup and changes nothing', async () => {
    const there = { directory: base, environment: { DATA_DIR: target } };
    const damaged = join(base, 'damaged.backup');
    const damages: [(db: Database) => void, RegExp][] = [
      [
        db =>
          db.exec(
            `UPDATE chunks SET bytes = zeroblob(length(bytes)) WHERE file = (SELECT id FROM files WHERE name = 'events.db')`,
          ),
        /events\.db cannot be used: it is damaged in the backup\./,
      ],
      [db => db.exec('DELETE FROM backup'), /the backup is incomplete/],
      [
        db => db.exec(`UPDATE heads SET hash = '${'0'.repeat(64)}'`),
        /the heads of the events differ from those/,
      ],
      [
        db => db.exec(`UPDATE files SET name = '../secret.key' WHERE name = 'secret.key'`),
        /not part of a ledger/,
      ],
    ];
    for (const [damage, sentence] of damages) {
      copyFileSync(backup, damaged);
      const db = new DatabaseSync(damaged);
      damage(db);
      db.close();
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
    for (const name of ['events.db', 'records.db', 'secret.key']) {
      copyFileSync(join(directory, name), join(source, name));
    }
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
      [join(directory, 'events.db'), /it belongs to another program/],
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
    copyFileSync(join(directory, 'events.db'), join(target, 'events.db'));
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
    // It may have been faster than the signal.
    if (code === 0) assert.deepEqual(readdirSync(folder), ['never.backup']);
    else assert.deepEqual([code, readdirSync(folder)], [1, []]);
  });

  it('leaves nothing that it unpacked when a restore is interrupted', async () => {
    mkdirSync(target);
    const running = new RunningLedger(['restore', backup], {
      directory: base,
      environment: { DATA_DIR: target },
    });
    await running.until(() => ['restoring', 'events.db'].some(name => existsSync(join(target, name))));
    running.child.kill('SIGHUP');
    const { code } = await running.ended();
    assert.ok(!existsSync(join(target, 'restoring')));
    // It may have been faster than the signal.
    assert.equal(existsSync(join(target, 'events.db')), code === 0, `ended with ${code}`);
  });

  it('tells of a broken chain, and backs up and restores all the same', async () => {
    const tampered = mkdtempSync(join(base, 'tampered-'));
    for (const name of ['events.db', 'records.db', 'views.db']) {
      copyFileSync(join(directory, name), join(tampered, name));
    }
    const db = new DatabaseSync(join(tampered, 'events.db'));
    db.exec(`UPDATE events SET data = json_set(data, '$.content.amount', 9) WHERE revision = 5`);
    db.close();
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
    assert.ok(existsSync(join(target, 'events.db')));
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
