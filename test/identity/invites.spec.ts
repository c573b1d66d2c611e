import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { IdentityJobs } from '#identity/mails/identity-jobs';
import { wireAddress } from '#mail/mailer';
import { IdentityServer, NO_TOKENS, NOBODY, type Answer, type Person } from './identity.scenario.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let server: IdentityServer;

before(async () => {
  server = await IdentityServer.start();
});
after(() => server.stop());

const refused = ({ status, body }: Answer): unknown[] => [status, body['code']];
const answerInvite = (person: Person, id: unknown, how: 'accept' | 'decline'): Promise<Answer> =>
  server.call('POST', `/invites/${String(id)}/${how}`, { token: person.token });
const lookUp = (token: unknown): Promise<Answer> =>
  server.call('GET', `/invites/lookup?token=${encodeURIComponent(String(token))}`);
const revoke = (person: Person, household: string, id: unknown): Promise<Answer> =>
  server.call('DELETE', `/households/${household}/invites/${String(id)}`, { token: person.token });
const listed = async (path: string, person: Person): Promise<Record<string, unknown>[]> =>
  (await server.call('GET', path, { token: person.token })).body['invites'] as Record<string, unknown>[];

describe('inviting', () => {
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

describe('answering an invite', () => {
  it('accepting joins as a member and answers the household', async () => {
    const [host, guest] = [await server.person('Jan'), await server.person('Kim')];
    const household = await server.household(host, 'Lake House');
    const invite = await server.invite(host, household, guest.email);
    const answer = await answerInvite(guest, invite.body['id'], 'accept');
    const { joined_at: _joined, ...rest } = answer.body;
    assert.deepEqual(
      [answer.status, rest],
      [
        200,
        {
          id: household,
          name: 'Lake House',
          currency: 'USD',
          role: 'member',
          personal: false,
          default: true,
          archived: false,
          member_count: 2,
        },
      ],
    );
    assert.deepEqual(await listed('/invites', guest), []);
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'accepted');
    assert.deepEqual(refused(await answerInvite(guest, invite.body['id'], 'accept')), [
      409,
      'invite_not_pending',
    ]);
    assert.deepEqual(refused(await answerInvite(guest, invite.body['id'], 'decline')), [
      409,
      'invite_not_pending',
    ]);
  });

  it('makes the household the default of a guest whose own was never used', async () => {
    const [host, guest] = [await server.person('Ona'), await server.person('Pim')];
    const defaultOf = async (): Promise<unknown> =>
      (await server.call('GET', '/me', { token: guest.token })).body['default_household_id'];
    // One that is personal, though another's, gives way as well.
    await server.join(guest, host, host.home);
    assert.equal(await defaultOf(), host.home);
    const [second, third] = [await server.household(host), await server.household(host)];
    await server.join(guest, host, second);
    assert.equal(await defaultOf(), second);
    await server.join(guest, host, third);
    assert.equal(await defaultOf(), second);
  });

  it('leaves the default as it is where the own household was used', async () => {
    const [host, guest] = [await server.person('Quim'), await server.person('Rut')];
    server.used.add(guest.home);
    await server.join(guest, host, await server.household(host));
    const me = await server.call('GET', '/me', { token: guest.token });
    assert.equal(me.body['default_household_id'], guest.home);
  });

  it('changes the default also by the repetition of a call that the store failed', async () => {
    const [host, guest] = [await server.person('Sol'), await server.person('Tea')];
    const invite = await server.invite(host, host.home, guest.email);
    const path = `/invites/${String(invite.body['id'])}/accept`;
    const headers = { 'idempotency-key': 'accepted' };
    server.failing.add('replace accounts');
    assert.deepEqual(refused(await server.call('POST', path, { token: guest.token, headers })), [
      503,
      'unavailable',
    ]);
    const again = await server.call('POST', path, { token: guest.token, headers });
    assert.deepEqual([again.status, again.body['default']], [200, true]);
    // It is done once: what the user chooses later stays.
    const body = { default_household_id: guest.home };
    await server.call('PATCH', '/me', { token: guest.token, body });
    const third = await server.call('POST', path, { token: guest.token, headers });
    assert.deepEqual([third.status, third.body['default']], [200, false]);
  });

  it('of twenty acceptances at the same moment exactly one joins', async () => {
    const [host, guest] = [await server.person('Lea'), await server.person('Max')];
    const invite = await server.invite(host, host.home, guest.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => answerInvite(guest, invite.body['id'], 'accept')),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(19).fill(409)]);
    const members = await server.call('GET', `/households/${host.home}/members`, { token: host.token });
    assert.equal((members.body['members'] as unknown[]).length, 2);
  });

  it('of accepting, declining and revoking at the same moment one counts', async () => {
    const [host, guest] = [await server.person('Nia'), await server.person('Oda')];
    const invite = await server.invite(host, host.home, guest.email);
    const { id } = invite.body;
    const answers = await Promise.all([
      answerInvite(guest, id, 'accept'),
      answerInvite(guest, id, 'decline'),
      revoke(host, host.home, id),
    ]);
    assert.equal(answers.filter(({ status }) => status < 300).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 2);
  });

  it('declining says no', async () => {
    const [host, guest] = [await server.person('Pia'), await server.person('Quin')];
    const invite = await server.invite(host, host.home, guest.email);
    const answer = await answerInvite(guest, invite.body['id'], 'decline');
    assert.deepEqual([answer.status, answer.body], [204, {}]);
    assert.deepEqual(await listed(`/households/${host.home}/invites`, host), []);
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'declined');
  });

  it('somebody else’s invite is not there', async () => {
    const [host, guest, other] = [
      await server.person('Rosa'),
      await server.person('Sam'),
      await server.person('Tom'),
    ];
    const invite = await server.invite(host, host.home, guest.email);
    for (const person of [host, other]) {
      for (const how of ['accept', 'decline'] as const) {
        for (const id of [invite.body['id'], NOBODY]) {
          const answer = await answerInvite(person, id, how);
          assert.deepEqual(
            [...refused(answer), answer.body['details']],
            [404, 'not_found', { resource: 'invite' }],
          );
        }
      }
    }
    assert.deepEqual(refused(await answerInvite(guest, 'x', 'accept')), [422, 'validation_failed']);
    assert.equal((await answerInvite(guest, invite.body['id'], 'accept')).status, 200);
  });

  it('an archived household takes nobody in, but hears a no', async () => {
    const [host, guest] = [await server.person('Uma'), await server.person('Vera')];
    const household = await server.household(host);
    const invite = await server.invite(host, household, guest.email);
    await server.call('PATCH', `/households/${household}`, { token: host.token, body: { archived: true } });
    const answer = await answerInvite(guest, invite.body['id'], 'accept');
    assert.deepEqual([...refused(answer), answer.body['details']], [409, 'conflict', { reason: 'archived' }]);
    assert.equal((await answerInvite(guest, invite.body['id'], 'decline')).status, 204);
  });
});

describe('revoking', () => {
  it('is for any member, ends the invite at once, and works once', async () => {
    const [host, guest] = [await server.person('Wes'), await server.person('Xia')];
    await server.join(guest, host, host.home);
    const invite = await server.invite(host, host.home, 'yan@example.org');
    assert.equal((await revoke(guest, host.home, invite.body['id'])).status, 204);
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'revoked');
    assert.deepEqual(refused(await revoke(host, host.home, invite.body['id'])), [409, 'invite_not_pending']);
    const yan = await server.person('Yan');
    assert.deepEqual(refused(await answerInvite(yan, invite.body['id'], 'accept')), [
      409,
      'invite_not_pending',
    ]);
    const unknown = await revoke(host, host.home, NOBODY);
    assert.deepEqual(
      [...refused(unknown), unknown.body['details']],
      [404, 'not_found', { resource: 'invite' }],
    );
  });

  it('reaches no invite of another household', async () => {
    const [host, other] = [await server.person('Zoe'), await server.person('Ann')];
    const invite = await server.invite(host, host.home, 'somebody@example.org');
    assert.deepEqual(refused(await revoke(other, other.home, invite.body['id'])), [404, 'not_found']);
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'pending');
  });

  it('comes with the removal of who sent it', async () => {
    const [host, guest] = [await server.person('Bob'), await server.person('Cai')];
    await server.join(guest, host, host.home);
    const invite = await server.invite(guest, host.home, 'friend-of-cai@example.org');
    await server.call('DELETE', `/households/${host.home}/members/${guest.id}`, { token: host.token });
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'revoked');
  });
});

describe('looking up a link', () => {
  it('shows the landing page what it needs, to anybody', async () => {
    const host = await server.person('Dee');
    const invite = await server.invite(host, host.home, 'Eli@example.org');
    const answer = await lookUp(invite.body['token']);
    assert.deepEqual(
      [answer.status, answer.body],
      [
        200,
        {
          invite_id: invite.body['id'],
          household_name: "Dee's household",
          inviter_name: 'Dee',
          email: 'Eli@example.org',
          expires_at: invite.body['expires_at'],
          status: 'pending',
        },
      ],
    );
  });

  it('knows no garbage', async () => {
    const none = NO_TOKENS.filter(token => token.length < 10_000);
    for (const token of ['garbage', NOBODY, 'A'.repeat(43), "' or 1=1", '%00'.repeat(3), ...none]) {
      assert.deepEqual(refused(await lookUp(token)), [410, 'invalid_link'], token);
    }
    for (const query of ['', '?token=a&token=b']) {
      const answer = await server.call('GET', `/invites/lookup${query}`);
      assert.deepEqual(refused(answer), [422, 'validation_failed'], query);
    }
  });

  it('says how an invite ended, long after', async () => {
    const host = await server.person('Fay');
    const invite = await server.invite(host, host.home, 'gus@example.org');
    await revoke(host, host.home, invite.body['id']);
    for (let change = 0; change < 3; change += 1) {
      await server.call('PATCH', `/households/${host.home}`, {
        token: host.token,
        body: { name: `Name ${change}` },
      });
    }
    server.clock.pass(30 * DAY);
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'revoked');
    server.clock.pass(90 * DAY);
    assert.deepEqual(refused(await lookUp(invite.body['token'])), [410, 'invalid_link']);
  });
});

describe('an invite', () => {
  it('is not explained for longer than that, though nothing of its household changed since', async () => {
    const host = await server.person('Fern');
    const revoked = await server.invite(host, host.home, 'gil@example.org');
    await revoke(host, host.home, revoked.body['id']);
    const unanswered = await server.invite(host, host.home, 'gia@example.org');
    const another = await server.person('Farah');
    const last = await server.invite(another, another.home, 'gwen@example.org');
    await revoke(another, another.home, last.body['id']);
    server.clock.pass(89 * DAY);
    for (const { body } of [revoked, last])
      assert.equal((await lookUp(body['token'])).body['status'], 'revoked');
    server.clock.pass(DAY);
    for (const { body } of [revoked, last])
      assert.deepEqual(refused(await lookUp(body['token'])), [410, 'invalid_link']);
    assert.equal((await lookUp(unanswered.body['token'])).body['status'], 'expired');
    server.clock.pass(7 * DAY);
    assert.deepEqual(refused(await lookUp(unanswered.body['token'])), [410, 'invalid_link']);
  });

  it('ends after seven days, whether or not that was written down', async () => {
    const host = await server.person('Hana');
    const invite = await server.invite(host, host.home, 'ivo@example.org');
    server.clock.pass(7 * DAY);
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'expired');
    const again = await server.person('Ivo');
    const token = String(
      (
        await server.call('POST', '/auth/password/sign-in', {
          body: { email: host.email, password: 'four-jars-on-a-shelf', client: 'mobile' },
        })
      ).body['token'],
    );
    const back = { ...host, token };
    assert.deepEqual(await listed(`/households/${host.home}/invites`, back), []);
    assert.deepEqual(await listed('/invites', again), []);
    assert.deepEqual(refused(await answerInvite(again, invite.body['id'], 'accept')), [
      409,
      'invite_not_pending',
    ]);
    assert.deepEqual(refused(await revoke(back, host.home, invite.body['id'])), [409, 'invite_not_pending']);
    await server.app.get(IdentityJobs, { strict: false }).expireInvites();
    assert.equal((await lookUp(invite.body['token'])).body['status'], 'expired');
    server.operations.length = 0;
    await server.app.get(IdentityJobs, { strict: false }).expireInvites();
    assert.deepEqual(server.operations, ['query households']);
  });
});
