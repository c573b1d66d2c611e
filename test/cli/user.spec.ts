// What operators do with users, beside a running server and without one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { userInfo, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { LedgerProcess, type Answer } from '../ledger-process.js';
import { storedBytes } from '../stored-bytes.js';
import { ledger, ledgerJson, type Ending } from './ledger-program.scenario.js';

const PASSWORD = 'a-lighthouse-in-the-fog';

describe('ledger user', () => {
  let directory: string;
  let server: LedgerProcess;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ledger-user-'));
    server = await LedgerProcess.start({ directory, environment: { ALLOWED_EMAILS: 'ann@example.com' } });
  });
  after(async () => {
    await server.end('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  const user = (...args: readonly string[]): Promise<Ending> => ledger(['user', ...args], { directory });
  const signIn = (email: string, password = PASSWORD): Promise<Answer> =>
    server.call('POST', '/auth/password/sign-in', { body: { email, password, client: 'mobile' } });
  const statusOf = async (token: string): Promise<number> =>
    (await server.call('GET', '/me', { token })).status;

  async function done(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await user(...args);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  }

  async function refused(sentence: RegExp, ...args: readonly string[]): Promise<void> {
    const { code, stdout, stderr } = await user(...args);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, sentence);
  }

  it('confirms a sign-up whose mail did not arrive, admitted or not', async () => {
    const email = 'ben@elsewhere.example';
    await refused(/^ledger: No sign-up of ben@elsewhere\.example waits\.\n$/, 'confirm', email);
    const body = { email, name: 'Ben', password: PASSWORD };
    await server.call('POST', '/auth/password/sign-up', { body });
    assert.equal((await signIn(email)).status, 403);
    assert.match(await done('confirm', email), /^ben@elsewhere\.example has an account now/);
    assert.equal((await signIn(email)).status, 200);
    await refused(/has an account already/, 'confirm', email);
  });

  it('prints a link for a new password', async () => {
    const email = 'ben@elsewhere.example';
    const printed = await done('reset-link', email);
    const [, token] = /^http\S+\/reset\?token=([\w-]{43})$/m.exec(printed) ?? [];
    const answer = await server.call('POST', '/auth/password/reset', {
      body: { token, password: 'another-lighthouse' },
    });
    assert.equal(answer.status, 204);
    assert.equal((await signIn(email, 'another-lighthouse')).status, 200);
  });

  it('disables a user at once, sessions and tokens included, and enables them again', async () => {
    const session = await server.signUp(directory);
    const made = await server.call('POST', '/tokens', { token: session, body: { name: 'Script' } });
    const secret = String(made.body['secret']);
    assert.deepEqual([await statusOf(session), await statusOf(secret)], [200, 200]);
    await done('disable', ' ANN@example.com');
    for (const token of [session, secret]) {
      const { status, body } = await server.call('GET', '/me', { token });
      assert.deepEqual([status, body['code']], [401, 'unauthenticated']);
    }
    const { status, body } = await signIn('ann@example.com');
    assert.deepEqual([status, body['code']], [401, 'invalid_credentials']);
    await done('enable', 'ann@example.com');
    assert.deepEqual([await statusOf(session), await statusOf(secret)], [401, 200]);
    assert.equal((await signIn('ann@example.com')).status, 200);
    await refused(
      /^ledger: There is no account of nobody@example\.com\.\n$/,
      'disable',
      'nobody@example.com',
    );
  });

  it('erases a user, also while no server runs, and records who did what', async () => {
    const email = 'ben@elsewhere.example';
    const token = String((await signIn(email, 'another-lighthouse')).body['token']);
    await server.call('POST', '/households', { token, body: { name: 'Theirs alone' } });
    await server.end('SIGTERM');
    assert.match(await done('erase', email), /is erased/);
    assert.doesNotMatch(await storedBytes(directory), /ben@elsewhere|Theirs alone/);
    server = await LedgerProcess.start({ directory });
    await server.ready();
    assert.equal((await signIn(email, 'another-lighthouse')).status, 401);
    const { actions } = await ledgerJson<{ actions: { action: string; by: string }[] }>(['user', 'log'], {
      directory,
    });
    const by = userInfo().username;
    assert.deepEqual(
      actions.map(each => [each.action, each.by]),
      ['confirm', 'reset-link', 'disable', 'enable', 'erase'].map(action => [action, by]),
    );
    assert.match(await done('log'), /^DONE +BY +ACTION +USER\n/);
  });
});
