import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityJobs } from '#identity/mails/identity-jobs';
import { IdentityServer, NO_TOKENS, NOBODY, refused, useServer } from './identity.scenario.js';
import { inviteCalls } from './invites.scenario.js';

const HOUR = 3_600_000;

const DAY = 24 * HOUR;

let server: IdentityServer;

useServer('invites', started => (server = started));

const { answerInvite, lookUp, revoke, listed } = inviteCalls(() => server);

describe('GET /invites/lookup', () => {
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
