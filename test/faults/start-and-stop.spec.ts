// What an operator meets when a server starts, stops, or cannot start.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { SETTINGS } from '#runtime/server-arguments';
import { LedgerProcess } from '../ledger-process.js';

/** More than the log waits for further lines. */
const LOG_WRITTEN_AFTER_MS = 300;
const REQUESTS = 4_000;
const REQUESTS_AT_ONCE = 40;

describe('starting and stopping', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'start-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('ends with code 0 on SIGTERM and goes on where it was', async () => {
    const server = await LedgerProcess.start({ directory });
    const token = await server.signUp(directory);
    await server.call('POST', '/months/2026-01', { token });
    const before = await server.call('GET', '/months/2026-01', { token });
    assert.equal(await server.end('SIGTERM'), 0);
    const again = await LedgerProcess.start({ directory });
    await again.ready();
    assert.deepEqual((await again.call('GET', '/months/2026-01', { token })).body, before.body);
    assert.equal(await again.end('SIGTERM'), 0);
  });

  it('refuses a second server on one data directory with a sentence', async () => {
    const server = await LedgerProcess.start({ directory });
    const second = await LedgerProcess.ending({ directory });
    assert.equal(second.code, 1);
    assert.match(second.output, /^Cannot start: Another server is running on the data directory /);
    assert.equal(second.output.trim().split('\n').length, 1);
    assert.equal(await server.end('SIGTERM'), 0);
    const third = await LedgerProcess.start({ directory });
    assert.equal(await third.end('SIGTERM'), 0);
  });

  it('warns where the secret key of a ledger is lost, once', async () => {
    const first = await LedgerProcess.start({ directory });
    await first.signUp(directory);
    assert.equal(await first.end('SIGTERM'), 0);
    rmSync(join(directory, 'secret.key'));
    const warned: boolean[] = [];
    for (let start = 0; start < 2; start++) {
      const server = await LedgerProcess.start({ directory });
      await server.end('SIGTERM');
      warned.push(/the secret key was missing/.test(server.said));
    }
    assert.deepEqual(warned, [true, false]);
  });

  it('makes a secret key without a warning while there are no accounts', async () => {
    for (let start = 0; start < 2; start++) {
      const server = await LedgerProcess.start({ directory });
      await server.end('SIGTERM');
      assert.doesNotMatch(server.said, /the secret key was missing/);
      rmSync(join(directory, 'secret.key'));
    }
  });

  it('needs nobody to clean up after a kill', async () => {
    const server = await LedgerProcess.start({ directory });
    await server.end('SIGKILL');
    const again = await LedgerProcess.start({ directory });
    assert.equal(await again.end('SIGTERM'), 0);
  });

  it('says in its log where it listens', async () => {
    const server = await LedgerProcess.start({ directory, environment: { LOG_LEVEL: 'info' } });
    const line = `"url":"${server.url}","msg":"listening"`;
    await server.until(async () => server.said.includes(line), 'to say where it listens');
    assert.equal(await server.end('SIGTERM'), 0);
  });

  it('says last why it cannot start, whatever its log has to say', async t => {
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const environment = { LOG_LEVEL: 'trace', PORT: String(port) };
    const { output } = await LedgerProcess.ending({ directory, environment });
    const lines = output.trimEnd().split('\n');
    assert.ok(lines.length > 1, 'nothing was logged');
    assert.match(lines.at(-1)!, /^Cannot start: Port /);
  });

  const FULL = '/dev/full';
  it(
    'serves, and ends, where its log cannot be written',
    { skip: !existsSync(FULL) && `no ${FULL}` },
    async () => {
      const server = await LedgerProcess.start({ directory, environment: { LOG_LEVEL: 'info' }, log: FULL });
      await pause(LOG_WRITTEN_AFTER_MS);
      const token = await server.signUp(directory);
      assert.equal((await server.call('POST', '/months/2026-01', { token })).status, 201);
      await pause(LOG_WRITTEN_AFTER_MS);
      assert.equal((await server.call('GET', '/months/2026-01', { token })).status, 200);
      assert.equal(await server.end('SIGTERM'), 0);
    },
  );

  for (const app of ['standalone', 'api', 'projector'] as const) {
    it(`tells what the program ${app} is and what can be set, and starts nothing`, async () => {
      const { code, output } = await LedgerProcess.ending({ directory, app, args: ['--help'] });
      assert.equal(code, 0);
      assert.match(output, /^Usage: .*\n\n[A-Z]/);
      for (const [name] of SETTINGS) assert.match(output, new RegExp(`^  ${name} `, 'm'));
      assert.deepEqual(readdirSync(directory), []);
    });

    it(`refuses an argument that the program ${app} does not have, and starts nothing`, async () => {
      for (const args of [['--prot', '4000'], ['4000']]) {
        const { code, output } = await LedgerProcess.ending({ directory, app, args });
        assert.equal(code, 2);
        assert.match(output, /^error: .*\n\(--help tells how\)\n$/);
        assert.deepEqual(readdirSync(directory), []);
      }
    });
  }

  it('ends on SIGTERM when whoever read its log has gone', async () => {
    const log = join(directory, 'log');
    execFileSync('mkfifo', [log]);
    const reader = spawn('head', ['-n', '1', log], { stdio: 'ignore' });
    const readerEnded = once(reader, 'exit');
    const server = await LedgerProcess.start({ directory, environment: { LOG_LEVEL: 'info' }, log });
    await readerEnded;
    assert.equal(await server.end('SIGTERM'), 0);
  });

  it('ends on SIGTERM while whoever reads its log takes nothing', async () => {
    const server = await LedgerProcess.start({ directory, environment: { LOG_LEVEL: 'info' } });
    server.child.stdout!.pause();
    // What the channel between the two holds takes some thousand lines.
    for (let round = 0; round < REQUESTS / REQUESTS_AT_ONCE; round++) {
      await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, () => server.call('GET', '/me')));
    }
    await pause(LOG_WRITTEN_AFTER_MS);
    assert.equal(await server.end('SIGTERM'), 0);
  });

  for (const name of ['events.db', 'records.db', 'views.db', 'jobs.db']) {
    it(`refuses a file ${name} that is no database and leaves it as it was`, async () => {
      writeFileSync(join(directory, name), 'These are the notes of somebody else.\n'.repeat(200));
      const bytes = readFileSync(join(directory, name));
      const ending = await LedgerProcess.ending({ directory });
      assert.equal(ending.code, 1);
      assert.match(
        ending.output,
        new RegExp(`^Cannot start: The file .*${name} cannot be used: .*; move it away, .*\\.\\n$`),
      );
      assert.deepEqual(readFileSync(join(directory, name)), bytes);
    });

    it(`refuses a file ${name} of another program and leaves it as it was`, async () => {
      const foreign = new DatabaseSync(join(directory, 'foreign.db'));
      foreign.exec(
        "PRAGMA application_id = 42; CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')",
      );
      foreign.close();
      copyFileSync(join(directory, 'foreign.db'), join(directory, name));
      const bytes = readFileSync(join(directory, name));
      const ending = await LedgerProcess.ending({ directory });
      assert.equal(ending.code, 1);
      assert.match(ending.output, new RegExp(`^Cannot start: .*${name}.*another program; .*\\.\\n$`));
      assert.deepEqual(readFileSync(join(directory, name)), bytes);
    });
  }

  it('names the variable that is wrong in one sentence, and no secret', async t => {
    writeFileSync(join(directory, 'a-file'), 'notes');
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const { port: taken } = other.address() as AddressInfo;
    const wrong: [Record<string, string>, RegExp][] = [
      [{ PORT: 'many' }, /^Cannot start: PORT must be a number/],
      [{ LOG_LEVEL: 'loud' }, /^Cannot start: LOG_LEVEL must be one of/],
      [{ SECRET_KEY: 'c2hvcnQ=' }, /^Cannot start: SECRET_KEY must be base64 of at least 32/],
      [{ MONGODB_URL: 'mongodb://ann:s3cret@db/x' }, /^Cannot start: SECRET_KEY is required/],
      [{ REDIS_URL: 'http://ann:s3cret@queue' }, /^Cannot start: REDIS_URL must be a URL/],
      [{ SMTP_URL: 'smtp://ann:s3cret%@mail' }, /^Cannot start: SMTP_URL has .* percent-encoded/],
      [
        { REDIS_URL: 'redis://:s3cret%b@queue', SECRET_KEY: randomBytes(32).toString('base64') },
        /^Cannot start: REDIS_URL has .* percent-encoded/,
      ],
      [{ ALLOWED_EMAILS: 'ann' }, /^Cannot start: ALLOWED_EMAILS must list addresses/],
      [{ TRUST_PROXY: 'bad' }, /^Cannot start: TRUST_PROXY must be true, false, or addresses/],
      [{ MAIL_FROM: 'nobody' }, /^Cannot start: MAIL_FROM must be an address/],
      [
        { DATA_DIR: join(directory, 'a-file', 'data') },
        /^Cannot start: DATA_DIR must be a directory; .* cannot be made/,
      ],
      [
        { HOST: '192.0.2.1' },
        /^Cannot start: HOST must be an address or a name of this machine; 192\.0\.2\.1 is none/,
      ],
      [
        { HOST: 'nowhere.invalid' },
        /^Cannot start: HOST must be an address or a name of this machine; nowhere\.invalid is none/,
      ],
      [
        { PORT: String(taken) },
        /^Cannot start: Port [0-9]+ on 127\.0\.0\.1 is taken; set PORT to another one\.$/m,
      ],
    ];
    for (const [environment, sentence] of wrong) {
      const { code, output } = await LedgerProcess.ending({ directory, environment });
      assert.equal(code, 1, JSON.stringify(environment));
      assert.match(output, sentence);
      assert.doesNotMatch(output, /s3cret/);
      assert.equal(output.trimEnd().split('\n').length, 1, output);
    }
  });
});
