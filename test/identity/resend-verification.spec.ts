import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SIGN_UPS } from '#identity/accounts/sign-up-records';
import { IdentityServer, refused, useServer } from './identity.scenario.js';

const DAY = 24 * 3_600_000;

let server: IdentityServer;

useServer('sign-up', started => (server = started));

describe('POST /auth/password/resend', () => {
  it('mails a new link, which makes the older one invalid', async () => {
    const email = 'again@example.org';
    await server.visitor().signUp(email, 'Again');
    const older = await server.mailedToken(email, 'verify');
    const answer = await server.visitor().post('resend', { email: ' AGAIN@example.org' });
    assert.deepEqual([answer.status, answer.body], [202, {}]);
    const newer = await server.mailedToken(email, 'verify');
    assert.notEqual(newer, older);
    assert.deepEqual(refused(await server.visitor().verify(older)), [410, 'invalid_link']);
    assert.equal((await server.visitor().verify(newer)).status, 200);
  });

  it('gives the new link 24 hours of its own', async () => {
    const email = 'longer@example.org';
    await server.visitor().signUp(email);
    server.clock.pass(DAY - 60_000);
    await server.visitor().post('resend', { email });
    const token = await server.mailedToken(email, 'verify');
    server.clock.pass(DAY - 60_000);
    assert.equal((await server.visitor().verify(token)).status, 200);
  });

  it('mails a new link after the end of the former one, which stays invalid', async () => {
    const email = 'nextday@example.org';
    await server.visitor().signUp(email, 'Next');
    const older = await server.mailedToken(email, 'verify');
    server.clock.pass(6 * DAY);
    assert.equal((await server.visitor().post('resend', { email })).status, 202);
    const newer = await server.mailedToken(email, 'verify');
    assert.notEqual(newer, older);
    assert.deepEqual(refused(await server.visitor().verify(older)), [410, 'invalid_link']);
    server.clock.pass(DAY - 60_000);
    const answer = await server.visitor().verify(newer);
    assert.equal(answer.status, 200);
    assert.equal((answer.body['me'] as { user: { name: string } }).user.name, 'Next');
    assert.equal((await server.visitor().signIn(email)).status, 200);
  });

  it('does so for seven days after the sign-up or the latest new link, and not after', async () => {
    const email = 'week@example.org';
    await server.visitor().signUp(email);
    assert.equal((await server.mailsTo(email)).length, 1);
    for (let week = 0; week < 2; week += 1) {
      server.clock.pass(7 * DAY - 60_000);
      assert.deepEqual(refused(await server.visitor().signIn(email)), [403, 'email_not_verified']);
      await server.visitor().post('resend', { email });
      assert.equal((await server.mailsTo(email)).length, week + 2);
    }
    server.clock.pass(7 * DAY);
    assert.deepEqual(refused(await server.visitor().signIn(email)), [401, 'invalid_credentials']);
    await server.visitor().post('resend', { email });
    assert.equal((await server.mailsTo(email)).length, 3);
    assert.equal(await server.documents.get(SIGN_UPS, email), null);
  });

  it('is for the latest sign-up, whose name and password its link activates', async () => {
    const email = 'twonames@example.org';
    await server.visitor().signUp(email, 'First', 'first password ever');
    server.clock.pass(2 * DAY);
    await server.visitor().signUp(email, 'Second', 'second password ever');
    server.clock.pass(2 * DAY);
    for (const password of ['first password ever', 'second password ever']) {
      assert.deepEqual(refused(await server.visitor().signIn(email, password)), [403, 'email_not_verified']);
    }
    await server.visitor().post('resend', { email });
    const answer = await server.visitor().verify(await server.mailedToken(email, 'verify'));
    assert.equal((answer.body['me'] as { user: { name: string } }).user.name, 'Second');
    assert.equal((await server.visitor().signIn(email, 'second password ever')).status, 200);
    assert.equal((await server.visitor().signIn(email, 'first password ever')).status, 401);
  });

  it('is had for seven days by the later of two sign-ups, though the earlier one is over', async () => {
    const email = 'staggered@example.org';
    await server.visitor().signUp(email, 'First', 'first password ever');
    server.clock.pass(5 * DAY);
    await server.visitor().signUp(email, 'Second', 'second password ever');
    await server.queue.idle();
    server.clock.pass(7 * DAY - 60_000);
    assert.equal((await server.visitor().signIn(email, 'first password ever')).status, 401);
    const known = await server.visitor().signIn(email, 'second password ever');
    assert.deepEqual(refused(known), [403, 'email_not_verified']);
    await server.visitor().post('resend', { email });
    const answer = await server.visitor().verify(await server.mailedToken(email, 'verify'));
    assert.equal((answer.body['me'] as { user: { name: string } }).user.name, 'Second');
  });

  it('keeps on a sign-up that was stored when its record ended with its link', async () => {
    const email = 'former@example.org';
    await server.visitor().signUp(email);
    const record = await server.documents.get(SIGN_UPS, email);
    assert.ok(record);
    const former = { ...record, revision: record.revision + 1, expiresAt: record.signUps[0]!.endsAt };
    assert.ok(await server.documents.replace(SIGN_UPS, former, record.revision));
    server.clock.pass(DAY - 60_000);
    await server.visitor().post('resend', { email });
    await server.queue.idle();
    server.clock.pass(2 * DAY);
    assert.deepEqual(refused(await server.visitor().signIn(email)), [403, 'email_not_verified']);
    await server.visitor().post('resend', { email });
    assert.equal((await server.visitor().verify(await server.mailedToken(email, 'verify'))).status, 200);
  });

  it('answers the same for an address that nobody knows, and mails nothing', async () => {
    const answer = await server.visitor().post('resend', { email: 'unknown@example.org' });
    assert.deepEqual([answer.status, answer.body], [202, {}]);
    assert.deepEqual(await server.mailsTo('unknown@example.org'), []);
  });

  it('tells the owner of an account so', async () => {
    const person = await server.person('Owner');
    assert.equal((await server.visitor().post('resend', { email: person.email })).status, 202);
    assert.match((await server.mailsTo(person.email)).at(-1)?.subject ?? '', /already have an account/);
  });
});
