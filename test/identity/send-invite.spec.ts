import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wireAddress } from '#mail/mailer';
import { IdentityServer, type Answer, refused, useServer } from './identity.scenario.js';
import { inviteCalls } from './invites.scenario.js';

const HOUR = 3_600_000;

const DAY = 24 * HOUR;

let server: IdentityServer;

useServer('invites', started => (server = started));

const { answerInvite, lookUp, listed } = inviteCalls(() => server);

describe('POST /households/{householdId}/invites', () => {
  it('answers the invite whole, lists it to members and to the invited, and mails the link', async () => {
    const [host, guest] = [await server.person('Ada'), await server.person('Ben')];
    const household = await server.household(host, 'Maple Street');
    const answer = await server.invite(host, household, ' BEN@example.org ');
    const { id, created_at, expires_at, token, ...rest } = answer.body;
    assert.equal(answer.status, 201);
    assert.deepEqual(rest, {
      household_id: household,
      household_name: 'Maple Street',
      email: 'BEN@example.org',
      inviter_id: host.id,
      inviter_name: 'Ada',
      status: 'pending',
      path: `/invites/${String(token)}`,
      member_names: ['Ada'],
    });
    assert.match(String(id), /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.match(String(token), /^[\w-]{43}$/);
    assert.equal(Date.parse(String(expires_at)) - Date.parse(String(created_at)), 7 * DAY);
    assert.deepEqual(await listed(`/households/${household}/invites`, host), [answer.body]);
    assert.deepEqual(await listed('/invites', guest), [answer.body]);
    assert.equal(await server.mailedToken('ben@example.org', 'invites'), token);
    const mail = (await server.mailsTo('ben@example.org')).at(-1);
    assert.match(mail?.text ?? '', /Ada/);
    assert.match(mail?.text ?? '', /Maple Street/);
  });

  it('is for any member', async () => {
    const [host, guest] = [await server.person('Cleo'), await server.person('Dan')];
    await server.join(guest, host, host.home);
    const answer = await server.invite(guest, host.home, 'friend-of-dan@example.org');
    assert.deepEqual([answer.status, answer.body['member_names']], [201, ['Cleo', 'Dan']]);
  });

  it('replaces the pending invite of the same address', async () => {
    const host = await server.person('Eva');
    const first = await server.invite(host, host.home, 'fred@example.org');
    const second = await server.invite(host, host.home, 'FRED@example.org');
    assert.notEqual(second.body['token'], first.body['token']);
    const invites = await listed(`/households/${host.home}/invites`, host);
    assert.deepEqual(
      invites.map(({ id }) => id),
      [second.body['id']],
    );
    assert.equal((await lookUp(first.body['token'])).body['status'], 'replaced');
    const fred = await server.person('Fred');
    assert.deepEqual(refused(await answerInvite(fred, first.body['id'], 'accept')), [
      409,
      'invite_not_pending',
    ]);
    assert.equal((await answerInvite(fred, second.body['id'], 'accept')).status, 200);
  });

  it('refuses members and what is no address', async () => {
    const [host, guest] = [await server.person('Gil'), await server.person('Hal')];
    await server.join(guest, host, host.home);
    for (const email of [host.email, guest.email.toUpperCase()]) {
      assert.deepEqual(refused(await server.invite(host, host.home, email)), [409, 'already_a_member']);
    }
    assert.deepEqual(refused(await server.invite(host, host.home, 'nowhere')), [422, 'validation_failed']);
  });

  it('mails one invite once, also where it is sent several times at once under one key', async () => {
    const host = await server.person('Keyed');
    const send = (): Promise<Answer> =>
      server.call('POST', `/households/${host.home}/invites`, {
        token: host.token,
        headers: { 'Idempotency-Key': 'one-invite' },
        body: { email: 'once@example.org' },
      });
    const answers = await Promise.all(Array.from({ length: 6 }, send));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201]);
    assert.equal((await server.mailsTo('once@example.org')).length, 1);
  });

  it('mails each of several invites once that are sent at once under keys of their own', async () => {
    const host = await server.person('Busy');
    const emails = Array.from({ length: 12 }, (_, n) => `many${n}@example.org`);
    const answers = await Promise.all(
      emails.map(email =>
        server.call('POST', `/households/${host.home}/invites`, {
          token: host.token,
          headers: { 'Idempotency-Key': email },
          body: { email },
        }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    for (const email of emails) assert.equal((await server.mailsTo(email)).length, 1, email);
  });

  it('floods nobody: five mails an hour to an address, while the invites stand', async () => {
    const host = await server.person('Ida');
    for (let invite = 0; invite < 7; invite += 1) {
      assert.equal((await server.invite(host, host.home, 'flooded@example.org')).status, 201);
    }
    assert.equal((await server.mailsTo('flooded@example.org')).length, 5);
    assert.equal((await listed(`/households/${host.home}/invites`, host)).length, 1);
  });

  it('counts all ways to spell the domain of an invited address as one mailbox', async () => {
    const host = await server.person('Speller');
    for (const domain of ['flood.example', 'ⓕlood.example', 'flooⓓ.example']) {
      for (let invite = 0; invite < 2; invite += 1) {
        assert.equal((await server.invite(host, host.home, `guest@${domain}`)).status, 201);
      }
    }
    await server.queue.idle();
    const mailboxes = server.mailer.sent.map(({ to }) => wireAddress(to));
    assert.equal(mailboxes.filter(mailbox => mailbox === 'guest@flood.example').length, 5);
  });

  it('mails fifty an hour for who invites, while the invites stand', async () => {
    const host = await server.person('Eager');
    const mailed = async (): Promise<number> => {
      await server.queue.idle();
      return server.mailer.sent.filter(({ to }) => /^eager\d+@/.test(to)).length;
    };
    for (let invite = 0; invite < 52; invite += 1) {
      assert.equal((await server.invite(host, host.home, `eager${invite}@example.org`)).status, 201);
    }
    assert.equal(await mailed(), 50);
    assert.equal((await listed(`/households/${host.home}/invites`, host)).length, 52);
    server.clock.pass(HOUR);
    await server.invite(host, host.home, 'eager52@example.org');
    assert.equal(await mailed(), 51);
  });
});
