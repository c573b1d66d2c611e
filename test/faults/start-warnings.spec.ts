// What a start warns of, in the log, once each.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LedgerProcess } from '../ledger-process.js';

describe('the start of a server', () => {
  let directory: string;
  let started: LedgerProcess[];
  beforeEach(() => {
    started = [];
    directory = mkdtempSync(join(tmpdir(), 'warnings-'));
  });
  afterEach(async () => {
    for (const server of started) await server.end('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<LedgerProcess> {
    const server = await LedgerProcess.start({ directory, environment });
    started.push(server);
    return server;
  }

  async function warningsWith(environment: Readonly<Record<string, string>>): Promise<string[]> {
    const server = await start(environment);
    await server.ready();
    assert.equal(await server.end('SIGTERM'), 0);
    const lines = server.said.trim().split('\n');
    return lines.filter(line => line !== '').map(line => (JSON.parse(line) as { readonly msg: string }).msg);
  }

  const open = 'anyone who reaches this address can open an account: set ALLOWED_EMAILS';
  const proxy = /^APP_URL is https and TRUST_PROXY is not set: /;
  const files = /^invites and links for other users become files .*: set SMTP_URL$/;

  it('warns of registration that is open to other machines', async () => {
    assert.deepEqual(await warningsWith({ HOST: '0.0.0.0' }), [open]);
    assert.deepEqual(await warningsWith({ HOST: '0.0.0.0', ALLOWED_EMAILS: '*@example.com' }), []);
    assert.deepEqual(await warningsWith({ HOST: 'localhost' }), []);
  });

  it('warns of an https address behind a proxy that is not trusted', async () => {
    const https = { APP_URL: 'https://money.example.com' };
    const [warning, ...further] = await warningsWith(https);
    assert.match(warning!, proxy);
    assert.deepEqual(further, []);
    assert.deepEqual(await warningsWith({ ...https, TRUST_PROXY: 'loopback' }), []);
    assert.deepEqual(await warningsWith({ APP_URL: 'http://money.example.com' }), []);
  });

  it('warns of mails that stay in files while somebody is invited', async () => {
    const server = await start();
    const token = await server.signUp(directory);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.deepEqual(await warningsWith({}), [], 'nobody else is there');
    const again = await start();
    const me = await again.call('GET', '/me', { token });
    const household = String(me.body['default_household_id']);
    const body = { email: 'ben@example.com' };
    const invited = await again.call('POST', `/households/${household}/invites`, { token, body });
    assert.equal(invited.status, 201);
    assert.equal(await again.end('SIGTERM'), 0);
    const [warning, ...further] = await warningsWith({});
    assert.match(warning!, files);
    assert.deepEqual(further, []);
    assert.deepEqual(
      await warningsWith({ SMTP_URL: 'smtp://127.0.0.1:1' }).then(all =>
        all.filter(each => files.test(each)),
      ),
      [],
    );
  });

  it('warns of mails that stay in files where others have accounts', async () => {
    const server = await start();
    for (const email of ['ann@example.com', 'ben@example.com']) await server.signUp(directory, email);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.match((await warningsWith({})).join('\n'), files);
  });
});
