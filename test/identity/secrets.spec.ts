// No secret is kept or told where it is not needed: not in the store, not in the log, not in an error.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THROTTLES } from '#identity/accounts/throttle';
import { IDENTITY_COLLECTIONS } from '#identity/identity-services.module';
import { IdentityServer, type Person } from './identity.scenario.js';

const OWN_PASSWORD = 'the secret of seven seals';
const NEW_PASSWORD = 'the secret of eight seals';

let server: IdentityServer;
let person: Person;
/** By what they are. */
const secrets = new Map<string, string>();

before(async () => {
  server = await IdentityServer.start({ allowedEmails: ['*@example.org'] });
  const headers = server.from(1);
  const post = (path: string, body: unknown) =>
    server.call('POST', `/auth/password/${path}`, { headers, body });
  const email = 'ada@example.org';
  await post('sign-up', { email, name: 'Ada', password: OWN_PASSWORD });
  secrets.set('password', OWN_PASSWORD);
  const link = await server.mailedToken(email, 'verify');
  secrets.set('redeemed verification link', link);
  const { body } = await post('verify', { token: link, client: 'web' });
  const me = body['me'] as { user: { id: string }; default_household_id: string };
  person = {
    id: me.user.id,
    email,
    name: 'Ada',
    token: String(body['token']),
    home: me.default_household_id,
  };
  secrets.set('session', person.token);
  secrets.set('access token', await server.accessToken(person));
  await post('sign-up', { email: 'ben@example.org', name: 'Ben', password: 'a password still pending' });
  secrets.set('password of a pending sign-up', 'a password still pending');
  secrets.set('pending verification link', await server.mailedToken('ben@example.org', 'verify'));
  await post('sign-up', { email: 'cleo@elsewhere.org', name: 'Cleo', password: 'a password not admitted' });
  secrets.set('password of somebody not admitted', 'a password not admitted');
  const refused = await server.mailedToken('cleo@elsewhere.org', 'verify');
  await post('verify', { token: refused, client: 'mobile' });
  const headersOfAda = { token: person.token, headers };
  const email2 = { email: 'ada2@example.org', password: OWN_PASSWORD };
  await server.call('POST', '/auth/email', { ...headersOfAda, body: email2 });
  secrets.set('link for a new address', await server.mailedToken('ada2@example.org', 'confirm-email'));
  await post('forgot', { email });
  secrets.set('open reset link', await server.mailedToken(email, 'reset'));
  await post('forgot', { email });
  const reset = await server.mailedToken(email, 'reset');
  await server.call('PUT', '/auth/password', {
    token: person.token,
    headers,
    body: { current_password: OWN_PASSWORD, new_password: NEW_PASSWORD },
  });
  secrets.set('new password', NEW_PASSWORD);
  await post('reset', { token: reset, password: 'the secret of nine seals' });
  secrets.set('password after a reset', 'the secret of nine seals');
  // Mistakes that carry secrets.
  await post('sign-in', { email, password: 'a mistyped secret', client: 'mobile' });
  secrets.set('mistyped password', 'a mistyped secret');
  await server.call('GET', '/me', { token: `${secrets.get('access token') ?? ''}x` });
  await server.call('GET', `/me?access_token=${person.token}`);
  await server.call('GET', `/invites/lookup?token=${reset}`);
  await post('verify', { token: reset, client: 'mobile', [person.token]: 1 });
  await server.call('POST', '/auth/password/sign-in', { headers, body: `{"password":"${OWN_PASSWORD}"` });
  await server.queue.idle();
});
after(() => server.stop());

describe('secrets', () => {
  it('are not in the stored records', async () => {
    let records = 0;
    for (const collection of IDENTITY_COLLECTIONS) {
      const documents = await server.documents.range(collection, {
        from: '',
        before: '\u{10ffff}',
        limit: 1000,
      });
      records += documents.length;
      const text = JSON.stringify(documents);
      for (const [what, secret] of secrets) {
        assert.ok(!text.includes(secret), `${what} stands in ${collection.name}`);
      }
    }
    assert.ok(records > 10, `${records} records were looked at`);
  });

  it('are not in the files either', async () => {
    const bytes = await server.storedBytes();
    assert.ok(bytes.includes('ada@example.org'), 'the files were looked at');
    for (const [what, secret] of secrets) assert.ok(!bytes.includes(secret), what);
  });

  it('are not in the log', () => {
    const log = server.log.join('\n');
    assert.ok(log.includes('/v1/auth/password/sign-in'), 'the log was looked at');
    for (const [what, secret] of secrets) assert.ok(!log.includes(secret), what);
    assert.ok(!log.includes('ada@example.org'), 'an address');
  });

  it('are also whose attempts and mails are counted', async () => {
    const throttles = await server.documents.range(THROTTLES, {
      from: '',
      before: '\u{10ffff}',
      limit: 1000,
    });
    const text = JSON.stringify(throttles);
    assert.match(text, /"mail-email\|[\w-]{43}"/);
    assert.match(text, /"sign-in-network\|[\w-]{43}"/);
    for (const subject of ['@example.org', '@elsewhere.org', '10.0.0.1', '127.0.0.1']) {
      assert.ok(!text.includes(subject), subject);
    }
  });

  it('are hashed by argon2id as OWASP recommends', async () => {
    const bytes = await server.storedBytes();
    const hashes = new Set(bytes.match(/\$argon2[a-z]*\$v=\d+\$m=\d+,t=\d+,p=\d+\$/g));
    assert.deepEqual([...hashes], ['$argon2id$v=19$m=19456,t=2,p=1$']);
  });
});
