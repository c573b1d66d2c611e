import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Collection, Document } from '#storage/documents/documents';
import { ACCOUNTS } from '#identity/accounts/account-records';
import { SIGN_UPS } from '#identity/accounts/sign-up-records';
import { IdentityServer, PASSWORD, refused, useServer, NO_TOKENS } from './identity.scenario.js';

const DAY = 24 * 3_600_000;

let server: IdentityServer;

useServer('sign-up', started => (server = started));

describe('POST /auth/password/verify', () => {
  it('mails a link that makes the account, signs in and answers who one is', async () => {
    const ada = server.visitor();
    const signedUp = await ada.signUp(' Ada@Example.org ', '  Ada  ');
    assert.deepEqual([signedUp.status, signedUp.body], [202, {}]);
    const [mail] = await server.mailsTo('Ada@Example.org');
    assert.match(mail?.text ?? '', /Ada/);
    assert.match(mail?.links?.[0] ?? '', /^https:\/\/app\.example\/verify\?token=[\w-]{43}$/);
    const answer = await ada.verify(await server.mailedToken('ada@example.org', 'verify'));
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body), ['token', 'me']);
    assert.match(String(answer.body['token']), /^hbs_[\w-]{43}$/);
    const me = answer.body['me'] as { user: { id: string }; households: Record<string, unknown>[] };
    const household = me.households[0]!;
    assert.deepEqual(me, {
      user: { id: me.user.id, email: 'Ada@Example.org', name: 'Ada' },
      household: { id: household['id'], name: "Ada's household", role: 'owner' },
      default_household_id: household['id'],
      households: [
        {
          id: household['id'],
          name: "Ada's household",
          currency: 'USD',
          role: 'owner',
          personal: true,
          default: true,
          archived: false,
          member_count: 1,
          joined_at: household['joined_at'],
        },
      ],
    });
    assert.match(String(household['joined_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const own = await server.call('GET', '/me', { token: String(answer.body['token']) });
    assert.deepEqual(own.body, me);
  });

  it('leaves nothing of the sign-ups where there is an account', async () => {
    const email = 'tidy@example.org';
    for (const name of ['First', 'Second']) await server.visitor().signUp(email, name);
    assert.equal((await server.documents.get(SIGN_UPS, email))?.signUps.length, 2);
    await server.visitor().verify(await server.mailedToken(email, 'verify'));
    assert.equal(await server.documents.get(SIGN_UPS, email), null);
  });

  it('a link works once', async () => {
    await server.visitor().signUp('once@example.org');
    const token = await server.mailedToken('once@example.org', 'verify');
    assert.equal((await server.visitor().verify(token)).status, 200);
    assert.deepEqual(refused(await server.visitor().verify(token)), [410, 'invalid_link']);
  });

  it('a link works for 24 hours', async () => {
    await server.visitor().signUp('late@example.org');
    const token = await server.mailedToken('late@example.org', 'verify');
    server.clock.pass(DAY);
    assert.deepEqual(refused(await server.visitor().verify(token)), [410, 'invalid_link']);
    await server.visitor().signUp('intime@example.org');
    const other = await server.mailedToken('intime@example.org', 'verify');
    server.clock.pass(DAY - 60_000);
    assert.equal((await server.visitor().verify(other)).status, 200);
  });

  it('garbage is no link', async () => {
    for (const token of ['garbage', 'A'.repeat(43), 'ü', '__proto__', ...NO_TOKENS]) {
      assert.deepEqual(
        refused(await server.visitor().verify(token)),
        [410, 'invalid_link'],
        token.slice(0, 50),
      );
    }
  });

  it('what can be no token asks no store', async () => {
    await server.visitor().signUp('asks@example.org');
    const token = await server.mailedToken('asks@example.org', 'verify');
    server.operations.length = 0;
    for (const text of ['garbage', `${token}x`, `${token.slice(1)}ü`, ...NO_TOKENS]) {
      await server.visitor().verify(text);
      await server.visitor().post('reset', { token: text, password: PASSWORD });
      await server.call('GET', `/invites/lookup?token=${encodeURIComponent(text.slice(0, 5000))}`);
    }
    assert.deepEqual(server.operations, []);
    assert.equal((await server.visitor().verify(` ${token} `)).status, 200);
  });

  it('a token that is none by its type is a field that is not valid', async () => {
    for (const token of [undefined, null, 1, {}, ['a']]) {
      const answer = await server.visitor().post('verify', { token, client: 'mobile' });
      assert.deepEqual(refused(answer), [422, 'validation_failed'], JSON.stringify(token));
    }
  });

  it('of twenty redemptions of one link at once exactly one wins', async () => {
    await server.visitor().signUp('race@example.org');
    const token = await server.mailedToken('race@example.org', 'verify');
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.visitor().verify(token)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array<number>(19).fill(410)]);
  });

  it('each link activates the name and password sent with it, and the first redeemed ends the others', async () => {
    const email = 'several@example.org';
    await server.visitor().signUp(email, 'First', 'first password ever');
    const first = await server.mailedToken(email, 'verify');
    await server.visitor().signUp(email, 'Second', 'second password ever');
    const second = await server.mailedToken(email, 'verify');
    assert.notEqual(first, second);
    const answer = await server.visitor().verify(first);
    assert.equal((answer.body['me'] as { user: { name: string } }).user.name, 'First');
    assert.deepEqual(refused(await server.visitor().verify(second)), [410, 'invalid_link']);
    assert.equal((await server.visitor().signIn(email, 'first password ever')).status, 200);
    assert.deepEqual(refused(await server.visitor().signIn(email, 'second password ever')), [
      401,
      'invalid_credentials',
    ]);
  });

  it('of different links of one address redeemed at once exactly one wins', async () => {
    const email = 'rivals@example.org';
    const tokens: string[] = [];
    for (const name of ['A', 'B', 'C', 'D']) {
      await server.visitor().signUp(email, name, `the password of ${name}`);
      tokens.push(await server.mailedToken(email, 'verify'));
    }
    const answers = await Promise.all(tokens.map(token => server.visitor().verify(token)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410, 410]);
  });
});

describe('admission', () => {
  let closed: IdentityServer;
  before(async () => {
    closed = await IdentityServer.start({ allowedEmails: ['Boss@Example.org', '*@allowed.example'] });
  });
  after(() => closed.stop());

  it('admits addresses and domains of the list', async () => {
    for (const email of ['boss@example.org', 'anyone@allowed.example', 'ANYONE2@ALLOWED.example']) {
      await closed.visitor().signUp(email);
      const token = await closed.mailedToken(email, 'verify');
      assert.equal((await closed.visitor().verify(token)).status, 200, email);
    }
  });

  it('does not admit others, whose addresses count as verified', async () => {
    for (const email of ['other@example.org', 'a@sub.allowed.example', 'a@notallowed.example']) {
      await closed.visitor().signUp(email);
      const token = await closed.mailedToken(email, 'verify');
      assert.deepEqual(refused(await closed.visitor().verify(token)), [403, 'not_invited'], email);
      assert.deepEqual(refused(await closed.visitor().verify(token)), [410, 'invalid_link'], email);
      assert.deepEqual(refused(await closed.visitor().signIn(email)), [403, 'not_invited'], email);
      assert.deepEqual(refused(await closed.visitor().signIn(email, 'wrong password')), [
        401,
        'invalid_credentials',
      ]);
    }
  });

  it('of twenty redemptions at once one verifies', async () => {
    const email = 'crowd@example.org';
    await closed.visitor().signUp(email);
    const token = await closed.mailedToken(email, 'verify');
    const answers = await Promise.all(Array.from({ length: 20 }, () => closed.visitor().verify(token)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [403, ...Array<number>(19).fill(410)]);
  });

  it('once invited, signing in makes the account', async () => {
    const email = 'later@example.org';
    await closed.visitor().signUp(email, 'Later');
    const token = await closed.mailedToken(email, 'verify');
    assert.deepEqual(refused(await closed.visitor().verify(token)), [403, 'not_invited']);
    const boss = await closed.person('Host', 'host@allowed.example');
    assert.equal((await closed.invite(boss, boss.home, 'LATER@example.org')).status, 201);
    const answers = await Promise.all(Array.from({ length: 5 }, () => closed.visitor().signIn(email)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    const ids = answers.map(({ body }) => (body['me'] as { user: { id: string } }).user.id);
    assert.equal(new Set(ids).size, 1);
  });

  it('a pending invite admits, an ended one does not', async () => {
    const boss = await closed.person('Host2', 'host2@allowed.example');
    await closed.invite(boss, boss.home, 'guest@example.org');
    await closed.visitor().signUp('guest@example.org');
    const guest = await closed.mailedToken('guest@example.org', 'verify');
    assert.equal((await closed.visitor().verify(guest)).status, 200);

    const invite = await closed.invite(boss, boss.home, 'revoked@example.org');
    const path = `/households/${boss.home}/invites/${String(invite.body['id'])}`;
    assert.equal((await closed.call('DELETE', path, { token: boss.token })).status, 204);
    await closed.visitor().signUp('revoked@example.org');
    const revoked = await closed.mailedToken('revoked@example.org', 'verify');
    assert.deepEqual(refused(await closed.visitor().verify(revoked)), [403, 'not_invited']);

    await closed.invite(boss, boss.home, 'expired@example.org');
    closed.clock.pass(7 * DAY);
    await closed.visitor().signUp('expired@example.org');
    const expired = await closed.mailedToken('expired@example.org', 'verify');
    assert.deepEqual(refused(await closed.visitor().verify(expired)), [403, 'not_invited']);
  });

  it('signs nobody in with another password than that of the account which was made meanwhile', async context => {
    const email = 'overtaken@example.org';
    await closed.visitor().signUp(email, 'Old', 'the old password');
    await closed.visitor().verify(await closed.mailedToken(email, 'verify'));
    await closed.visitor().signUp(email, 'New', 'the new password');
    const link = await closed.mailedToken(email, 'verify');
    const boss = await closed.person('Host3', 'host3@allowed.example');
    await closed.invite(boss, boss.home, email);
    const insert = closed.documents.insert.bind(closed.documents);
    async function overtaken<T extends Document>(collection: Collection<T>, document: T): Promise<void> {
      if (collection.name === ACCOUNTS.name) {
        overtaking.mock.restore();
        assert.equal((await closed.visitor().verify(link)).status, 200);
      }
      await insert(collection, document);
    }
    const overtaking = context.mock.method(closed.documents, 'insert', overtaken);
    const late = await closed.visitor().signIn(email, 'the old password');
    assert.deepEqual(refused(late), [401, 'invalid_credentials']);
    assert.equal((await closed.visitor().signIn(email, 'the new password')).status, 200);
  });

  it('a verified address may sign up anew with another password', async () => {
    const email = 'anew@example.org';
    await closed.visitor().signUp(email, 'Old', 'the old password');
    await closed.visitor().verify(await closed.mailedToken(email, 'verify'));
    await closed.visitor().signUp(email, 'New', 'the new password');
    assert.deepEqual(refused(await closed.visitor().signIn(email, 'the new password')), [
      403,
      'email_not_verified',
    ]);
    assert.deepEqual(refused(await closed.visitor().signIn(email, 'the old password')), [403, 'not_invited']);
    const token = await closed.mailedToken(email, 'verify');
    assert.deepEqual(refused(await closed.visitor().verify(token)), [403, 'not_invited']);
    assert.deepEqual(refused(await closed.visitor().signIn(email, 'the new password')), [403, 'not_invited']);
    assert.equal((await closed.visitor().signIn(email, 'the old password')).status, 401);
  });
});
