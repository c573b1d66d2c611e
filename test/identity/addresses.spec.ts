// One mailbox is one address, however its domain is spelt.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sharedMailboxes } from '#identity/accounts/accounts';
import { ACCOUNTS } from '#identity/accounts/account-records';
import { Passwords } from '#identity/accounts/passwords';
import { SIGN_UPS } from '#identity/accounts/sign-up-records';
import { HOUSEHOLDS } from '#identity/households/household-records';
import { IdentityServer, PASSWORD, type Answer, type Person } from './identity.scenario.js';

let server: IdentityServer;
let networks = 0;
before(async () => {
  server = await IdentityServer.start();
});
after(() => server.stop());

const post = (path: string, body: object, at = server): Promise<Answer> => {
  networks += 1;
  return at.call('POST', `/auth/password/${path}`, { headers: at.from(500_000 + networks), body });
};
const signIn = (email: string, password = PASSWORD, at = server): Promise<Answer> =>
  post('sign-in', { email, password, client: 'mobile' }, at);
const outcome = ({ status, body }: Answer): unknown[] => [status, body['code']];
const userOf = ({ body }: Answer): unknown => (body['me'] as { user?: { id: string } } | undefined)?.user?.id;
const listed = async (person: Person): Promise<unknown[]> => {
  const { body } = await server.call('GET', '/invites', { token: person.token });
  return (body['invites'] as { email: string }[]).map(({ email }) => email);
};

/** Ways to write one mailbox. */
const spellingsOf = (name: string): readonly [string, string, string] => [
  `${name}@bücher.example`,
  `${name}@xn--bcher-kva.example`,
  ` ${name.toUpperCase()}@ⓑÜCHER.Example`,
];

describe('the ways to spell a domain', () => {
  it('all sign in, and all get the mail for a new password', async () => {
    const [unicode, ascii, wide] = spellingsOf('ida');
    const ida = await server.person('Ida', ascii);
    for (const email of [unicode, ascii, wide]) {
      const answer = await signIn(email);
      assert.deepEqual([answer.status, userOf(answer)], [200, ida.id], email);
      assert.equal((await post('forgot', { email })).status, 202);
    }
    const resets = (await server.mailsTo(ascii)).filter(({ links = [] }) => /\/reset\?/.test(String(links)));
    assert.equal(resets.length, 3);
  });

  it('have one account', async () => {
    const [unicode, ascii, wide] = spellingsOf('otto');
    await server.person('Otto', unicode);
    for (const email of [ascii, wide]) {
      await post('sign-up', { email, name: 'Other', password: 'another good password' });
      assert.deepEqual(outcome(await signIn(email, 'another good password')), [401, 'invalid_credentials']);
    }
    await server.queue.idle();
    assert.equal((await server.mailsTo(ascii)).length, 0);
    assert.equal((await server.mailsTo(unicode)).length, 3);
  });

  it('make one account of two links that were redeemed', async () => {
    const [unicode, ascii] = spellingsOf('twice');
    for (const email of [unicode, ascii]) await post('sign-up', { email, name: 'Two', password: PASSWORD });
    const [one, other] = [
      await server.mailedToken(unicode, 'verify'),
      await server.mailedToken(ascii, 'verify'),
    ];
    assert.equal((await post('verify', { token: one, client: 'mobile' })).status, 200);
    assert.deepEqual(outcome(await post('verify', { token: other, client: 'mobile' })), [
      410,
      'invalid_link',
    ]);
  });

  it('get one sign-up a new link', async () => {
    const [unicode, ascii, wide] = spellingsOf('late');
    await post('sign-up', { email: unicode, name: 'Late', password: PASSWORD });
    assert.deepEqual(outcome(await signIn(ascii)), [403, 'email_not_verified']);
    assert.equal((await post('resend', { email: wide })).status, 202);
    assert.equal((await server.mailsTo(unicode)).length, 2);
  });

  it('are invited as one, and know their members', async () => {
    const [unicode, ascii, wide] = spellingsOf('guest');
    const host = await server.person('Host');
    const guest = await server.person('Guest', unicode);
    for (const email of [wide, unicode, ascii]) {
      assert.equal((await server.invite(host, host.home, email)).status, 201);
      assert.deepEqual(await listed(guest), [email.trim()]);
    }
    const { body } = await server.invite(host, host.home, wide);
    assert.equal(
      (await server.call('POST', `/invites/${String(body['id'])}/accept`, { token: guest.token })).status,
      200,
    );
    for (const email of [unicode, ascii, wide]) {
      assert.deepEqual(outcome(await server.invite(host, host.home, email)), [409, 'already_a_member']);
    }
  });

  it('are throttled as one', async () => {
    const spellings = spellingsOf('guessed');
    await server.person('Guessed', spellings[0]);
    for (let guess = 0; guess < 10; guess += 1) await signIn(spellings[guess % 3]!, 'a wrong password');
    for (const email of spellings) {
      assert.deepEqual(outcome(await signIn(email)), [429, 'too_many_attempts'], email);
    }
    await post('forgot', { email: spellings[1] });
    const token = await server.mailedToken(spellings[0], 'reset');
    assert.equal((await post('reset', { token, password: PASSWORD })).status, 204);
    assert.equal((await signIn(spellings[2])).status, 200);
  });

  it('are admitted as one', async () => {
    const [unicode, ascii] = spellingsOf('member');
    for (const allowed of ['*@bücher.example', '*@XN--bcher-kva.example', unicode, ascii]) {
      const admitting = await IdentityServer.start({ allowedEmails: [allowed] });
      for (const email of allowed.startsWith('*') ? [unicode, ascii.replace('member', 'other')] : [unicode]) {
        await post('sign-up', { email, name: 'M', password: PASSWORD }, admitting);
        const token = await admitting.mailedToken(email, 'verify');
        const { status } = await post('verify', { token, client: 'mobile' }, admitting);
        assert.equal(status, 200, `${allowed} and ${email}`);
      }
      await admitting.stop();
    }
  });
});

describe('an address with characters that cannot be seen', () => {
  it('is refused wherever an address is taken', async () => {
    const person = await server.person('Zoe');
    for (const email of [
      'zoe@exam\u200bple.com',
      '\u202ezoe@example.com',
      'z\u2066oe@example.com',
      'zoe@example.com\ufeff',
    ]) {
      const answers = [
        await post('sign-up', { email, name: 'Zoe', password: PASSWORD }),
        await signIn(email),
        await post('forgot', { email }),
        await post('resend', { email }),
        await server.invite(person, person.home, email),
      ];
      for (const answer of answers) assert.deepEqual(outcome(answer), [422, 'validation_failed']);
    }
  });
});

describe('records from before all spellings of a domain were one', () => {
  /** As an account was recorded then. */
  async function formerAccount(name: string, email: string): Promise<Person> {
    const person = await server.person(name);
    const account = await server.documents.get(ACCOUNTS, person.id);
    assert.ok(account);
    const former = { ...account, email, emailFolded: email, revision: account.revision + 1 };
    assert.ok(await server.documents.replace(ACCOUNTS, former, account.revision));
    return { ...person, email };
  }

  it('have accounts that are found by every spelling', async () => {
    const [unicode, ascii, wide] = spellingsOf('former');
    const person = await formerAccount('Former', unicode);
    for (const email of [unicode, ascii, wide]) assert.equal(userOf(await signIn(email)), person.id);
    await post('sign-up', { email: ascii, name: 'Thief', password: 'another good password' });
    assert.deepEqual(outcome(await signIn(ascii, 'another good password')), [401, 'invalid_credentials']);
    assert.deepEqual(await sharedMailboxes(server.documents), []);
  });

  it('may have two accounts of one mailbox: each answers to its spelling, any other one reaches the older', async () => {
    const [unicode, ascii, wide] = spellingsOf('shared');
    const older = await formerAccount('Older', unicode);
    const younger = await formerAccount('Younger', ascii);
    assert.equal(userOf(await signIn(unicode.toUpperCase())), older.id);
    assert.equal(userOf(await signIn(ascii)), younger.id);
    assert.equal(userOf(await signIn(wide)), older.id);
    const host = await server.person('Hostess');
    await server.invite(host, host.home, ascii);
    assert.deepEqual([await listed(older), await listed(younger)], [[], [ascii]]);
    await server.invite(host, host.home, unicode);
    assert.deepEqual([await listed(older), await listed(younger)], [[unicode], []]);
    assert.deepEqual(await sharedMailboxes(server.documents), [[older.id, younger.id]]);
  });

  it('have sign-ups that go on', async () => {
    const [unicode, ascii, wide] = spellingsOf('waiting');
    await post('sign-up', { email: unicode, name: 'Waiting', password: PASSWORD });
    const link = await server.mailedToken(unicode, 'verify');
    const record = await server.documents.get(SIGN_UPS, ascii);
    assert.ok(record);
    const passwordHash = await server.app.get(Passwords, { strict: false }).hashForSignUp(unicode, PASSWORD);
    const signUps = record.signUps.map(signUp => ({ ...signUp, passwordHash }));
    await server.documents.remove(SIGN_UPS, ascii);
    await server.documents.insert(SIGN_UPS, { ...record, key: unicode, signUps });
    assert.deepEqual(outcome(await signIn(wide)), [403, 'email_not_verified']);
    assert.deepEqual(outcome(await signIn(wide, 'a wrong password')), [401, 'invalid_credentials']);
    assert.equal(await server.documents.get(SIGN_UPS, unicode), null);
    const answer = await post('verify', { token: link, client: 'mobile' });
    assert.equal(answer.status, 200);
    assert.equal(await server.documents.get(SIGN_UPS, ascii), null);
    assert.equal(userOf(await signIn(ascii)), userOf(answer));
  });

  it('have invites that are found', async () => {
    const [unicode, ascii] = spellingsOf('invited');
    const host = await server.person('Inviter');
    await server.invite(host, host.home, unicode);
    const household = await server.documents.get(HOUSEHOLDS, host.home);
    assert.ok(household);
    const invites = household.invites.map(invite => ({ ...invite, emailFolded: unicode }));
    const former = { ...household, invites, inviteEmails: [unicode], revision: household.revision + 1 };
    assert.ok(await server.documents.replace(HOUSEHOLDS, former, household.revision));
    const guest = await server.person('Invited', ascii);
    assert.deepEqual(await listed(guest), [unicode]);
  });
});
