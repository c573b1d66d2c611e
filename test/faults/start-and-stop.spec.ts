// What an operator meets when a server starts and stops.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { SETTINGS } from '#runtime/server-arguments';
import { LedgerProcess } from '../ledger-process.js';
import { mailedToken } from '../mailed-token.js';

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

  it('sends the mails that it owed when it was killed', async () => {
    const email = 'ann@example.com';
    const body = { email, password: 'four-jars-on-a-shelf', name: 'Ann' };
    // Nothing listens on the discard port.
    const first = await LedgerProcess.start({ directory, environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    assert.equal((await first.call('POST', '/auth/password/sign-up', { body })).status, 202);
    await first.end('SIGKILL');
    const again = await LedgerProcess.start({ directory });
    assert.ok(await mailedToken(join(directory, 'outbox'), email, 'verify'));
    assert.equal(await again.end('SIGTERM'), 0);
  });

  it('leaves a file in which jobs were queued once as it is', async () => {
    const file = join(directory, 'jobs.db');
    writeFileSync(file, 'of whatever form');
    const server = await LedgerProcess.start({ directory });
    await server.signUp(directory);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.equal(readFileSync(file, 'utf8'), 'of whatever form');
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

  it('dates every line of its log as people do', async () => {
    const server = await LedgerProcess.start({ directory, environment: { LOG_LEVEL: 'trace' } });
    assert.equal(await server.end('SIGTERM'), 0);
    const times = server.said
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { readonly time: unknown }).time);
    assert.ok(times.length > 0);
    for (const time of times) {
      assert.equal(typeof time, 'string');
      assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
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
        assert.match(output, /^error: .*\nRun `.* --help` for usage\.\n$/);
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
});
