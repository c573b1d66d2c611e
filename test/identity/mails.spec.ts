import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { IdentityJobs, SWEEP_AFTER_MS } from '#identity/mails/identity-jobs';
import { OUTBOX_MESSAGES, OutboxMessages, type MailErrand } from '#identity/mails/outbox-messages';
import { MailRefused, MailUnavailable } from '#mail/mailer';
import { IdentityServer, NOBODY, PASSWORD, type Answer } from './identity.scenario.js';

const HOUR = 3_600_000;

let server: IdentityServer;
let networks = 0;

before(async () => {
  server = await IdentityServer.start();
});
after(() => server.stop());

function signUp(email: string): Promise<Answer> {
  networks += 1;
  return server.call('POST', '/auth/password/sign-up', {
    headers: server.from(90_000 + networks),
    body: { email, name: 'Ada', password: PASSWORD },
  });
}

const owed = (): Promise<unknown[]> =>
  server.documents.query(OUTBOX_MESSAGES, { index: 'owed', equals: { owed: true }, limit: 100 });
const sweep = (): Promise<void> => server.app.get(IdentityJobs, { strict: false }).sweepOutbox();

const DAY_MS = 86_400_000;

/** How long each mail is worth sending: as long as its link works. */
const OWED_HOURS: readonly (readonly [MailErrand, number])[] = [
  [{ kind: 'sign-up', email: 'x@example.org', signUpId: NOBODY }, 24],
  [{ kind: 'resend', email: 'x@example.org' }, 24],
  [{ kind: 'reset', email: 'x@example.org' }, 1],
  [{ kind: 'password-changed', userId: NOBODY, how: 'changed' }, 24],
  [{ kind: 'email-change', userId: NOBODY, changeId: NOBODY }, 24],
  [{ kind: 'email-change-note', email: 'x@example.org' }, 24],
  [{ kind: 'household-deleted', userId: NOBODY, householdName: 'Elm', by: NOBODY }, 7 * 24],
  [{ kind: 'invite', householdId: NOBODY, inviteId: NOBODY }, 7 * 24],
];

/** Records messages while no queue takes them. */
async function oweUnqueued(...errands: readonly MailErrand[]): Promise<void> {
  const messages = server.app.get(OutboxMessages, { strict: false });
  server.queue.away = true;
  await Promise.all(errands.map(errand => messages.record(errand)));
  server.queue.away = false;
}

describe('a mail', () => {
  it('is not owed any more when it has gone', async () => {
    await signUp('gone@example.org');
    assert.equal((await server.mailsTo('gone@example.org')).length, 1);
    assert.deepEqual(await owed(), []);
  });

  it('waits for a queue that is away, which no request notices, and goes once', async () => {
    server.queue.away = true;
    assert.equal((await signUp('patient@example.org')).status, 202);
    assert.equal((await owed()).length, 1);
    server.queue.away = false;
    await sweep();
    assert.deepEqual(await server.mailsTo('patient@example.org'), [], 'it may be on its way');
    server.clock.pass(SWEEP_AFTER_MS);
    await sweep();
    await sweep();
    assert.equal((await server.mailsTo('patient@example.org')).length, 1);
    assert.deepEqual(await owed(), []);
  });

  it('goes in time, too, where the clock was set back since it was recorded', async () => {
    server.queue.away = true;
    server.clock.pass(DAY_MS);
    await signUp('ahead@example.org');
    server.clock.pass(-DAY_MS);
    server.queue.away = false;
    await sweep();
    assert.equal((await server.mailsTo('ahead@example.org')).length, 1);
  });

  it('goes at the start of the next process where one died before it was queued', async () => {
    server.queue.away = true;
    assert.equal((await signUp('orphan@example.org')).status, 202);
    server.clock.pass(1);
    const next = await IdentityServer.start({ beside: server });
    assert.equal((await next.mailsTo('orphan@example.org')).length, 1);
    await next.stop();
    server.queue.away = false;
  });

  it('stays owed while nobody takes it', async () => {
    server.mailer.failure = new MailUnavailable('the mail server is away');
    await signUp('stuck@example.org');
    await server.queue.idle();
    assert.equal((await owed()).length, 1);
    server.mailer.failure = null;
    server.clock.pass(SWEEP_AFTER_MS);
    await sweep();
    const [mail] = await server.mailsTo('stuck@example.org');
    assert.ok(mail);
    // What was tried again is the same message with the same link.
    const token = await server.mailedToken('stuck@example.org', 'verify');
    const answer = await server.call('POST', '/auth/password/verify', { body: { token, client: 'mobile' } });
    assert.equal(answer.status, 200);
  });

  it('that will never be taken is given up', async () => {
    server.mailer.failure = new MailRefused('no such mailbox');
    await signUp('refused@example.org');
    await server.queue.idle();
    server.mailer.failure = null;
    assert.deepEqual(await owed(), []);
  });

  it('goes once, however often the store cannot take down that it has gone', async context => {
    const full = (): Promise<never> => Promise.reject(new DocumentsUnavailable('the disk is full'));
    const remove = context.mock.method(server.documents, 'remove', full);
    await signUp('once@example.org');
    await server.queue.idle();
    for (let tries = 0; tries < 3; tries++) {
      server.clock.pass(SWEEP_AFTER_MS);
      await sweep();
      await server.queue.idle();
    }
    assert.equal((await owed()).length, 1);
    remove.mock.restore();
    await sweep();
    assert.equal((await server.mailsTo('once@example.org')).length, 1);
    assert.deepEqual(await owed(), []);
  });

  it('is not owed any longer than its link works', async () => {
    server.mailer.failure = new MailUnavailable('the mail server is away');
    await signUp('toolate@example.org');
    await server.queue.idle();
    server.mailer.failure = null;
    server.clock.pass(24 * HOUR);
    await sweep();
    assert.deepEqual(await server.mailsTo('toolate@example.org'), []);
    assert.deepEqual(await owed(), []);
  });

  for (const [errand, hours] of OWED_HOURS) {
    it(`of the kind ${errand.kind} is owed for ${hours} hours`, async () => {
      await oweUnqueued(errand);
      server.clock.pass(hours * HOUR - 60_000);
      assert.equal((await owed()).length, 1);
      server.clock.pass(60_000);
      assert.deepEqual(await owed(), []);
    });
  }

  it('is queued again by the first sweep, however many are owed', async context => {
    const email = 'many@example.org';
    await oweUnqueued(...Array.from({ length: 501 }, () => ({ kind: 'reset', email }) as const));
    server.clock.pass(SWEEP_AFTER_MS);
    const queued = context.mock.method(server.queue, 'enqueue', async () => undefined);
    await sweep();
    assert.equal(new Set(queued.mock.calls.map(({ arguments: [job] }) => job?.id)).size, 501);
    queued.mock.restore();
    await sweep();
    await server.queue.idle();
    assert.deepEqual(await owed(), []);
  });

  it('sent twice, because the process died in between, has one id and one link', async () => {
    const person = await server.person('Bea');
    const { mailer } = server;
    const send = mailer.send.bind(mailer);
    let deaths = 1;
    mailer.send = async message => {
      await send(message);
      deaths -= 1;
      if (deaths >= 0) throw new MailUnavailable('the process died');
    };
    await server.call('POST', '/auth/password/forgot', { body: { email: person.email } });
    await server.queue.idle();
    server.clock.pass(SWEEP_AFTER_MS);
    await sweep();
    await server.queue.idle();
    mailer.send = send;
    const mails = (await server.mailsTo(person.email)).slice(-2);
    assert.equal(mails.length, 2);
    assert.deepEqual(mails[0], mails[1]);
  });

  describe('with a new verification link, repeated after a newer one was asked for,', () => {
    const resend = async (email: string): Promise<void> => {
      const headers = server.from(80_000 + (networks += 1));
      const answer = await server.call('POST', '/auth/password/resend', { headers, body: { email } });
      assert.equal(answer.status, 202);
      await server.queue.idle();
      server.clock.pass(1_000);
    };
    const repeat = async (): Promise<void> => {
      server.clock.pass(SWEEP_AFTER_MS);
      await sweep();
      await server.queue.idle();
      assert.deepEqual(await owed(), []);
    };
    const verify = (token: string): Promise<Answer> =>
      server.call('POST', '/auth/password/verify', { body: { token, client: 'mobile' } });

    const hindrances: Readonly<Record<string, { befall(): void; pass(): void }>> = {
      'its own sending failed': {
        befall: () => (server.mailer.failure = new MailUnavailable('the mail server is away')),
        pass: () => (server.mailer.failure = null),
      },
      'its process died after sending it': {
        befall: () => server.failing.add('remove mail_duties'),
        pass: () => assert.ok(!server.failing.has('remove mail_duties'), 'it has failed'),
      },
    };
    for (const [what, { befall, pass }] of Object.entries(hindrances)) {
      it(`does not end that one, because ${what}`, async () => {
        const email = `${what.replaceAll(' ', '-')}@example.org`;
        await signUp(email);
        await server.queue.idle();
        befall();
        await resend(email);
        pass();
        await resend(email);
        const token = await server.mailedToken(email, 'verify');
        await repeat();
        assert.equal((await verify(token)).status, 200);
      });
    }

    it('is no repetition where the clock was put back in between', async () => {
      const email = 'back@example.org';
      await signUp(email);
      await server.queue.idle();
      server.clock.pass(-HOUR);
      await resend(email);
      assert.equal((await server.mailsTo(email)).length, 2);
      assert.equal((await verify(await server.mailedToken(email, 'verify'))).status, 200);
      server.clock.pass(HOUR);
    });
  });

  it('for an invite that has ended meanwhile is not sent', async () => {
    const host = await server.person('Cleo');
    server.queue.away = true;
    const invite = await server.invite(host, host.home, 'over@example.org');
    const path = `/households/${host.home}/invites/${String(invite.body['id'])}`;
    await server.call('DELETE', path, { token: host.token });
    server.queue.away = false;
    server.clock.pass(SWEEP_AFTER_MS);
    await sweep();
    assert.deepEqual(await server.mailsTo('over@example.org'), []);
    assert.deepEqual(await owed(), []);
  });

  it('for an address that has got an account meanwhile says so instead', async () => {
    const email = 'overtaken@example.org';
    await signUp(email);
    const token = await server.mailedToken(email, 'verify');
    server.queue.away = true;
    await signUp(email);
    await server.call('POST', '/auth/password/verify', { body: { token, client: 'mobile' } });
    server.queue.away = false;
    server.clock.pass(SWEEP_AFTER_MS);
    await sweep();
    assert.match((await server.mailsTo(email)).at(-1)?.subject ?? '', /already have an account/);
  });
});
