import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { EVERY_KEY } from '#storage/documents/declared';
import { Erasures } from '#storage/documents/erasures';
import { ErasureWork } from '#identity/erasure/erasure-work';
import { HOUSEHOLDS, MEMBERSHIP_LOG, SETTLED_INVITES } from '#identity/households/household-records';
import { OUTBOX_MESSAGES } from '#identity/mails/outbox-messages';
import { IdentityServer, type Answer, type Person, refused, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('erasure', started => (server = started));

let people = 0;

const work = (): ErasureWork => server.app.get(ErasureWork, { strict: false });

const erasures = (): Erasures => new Erasures(server.documents);

async function subjectsTo({ email }: Person): Promise<string[]> {
  return (await server.mailsTo(email)).map(({ subject }) => subject);
}

describe('a deleted household', () => {
  let owner: Person;
  let member: Person;
  let household: string;

  beforeEach(async () => {
    people += 1;
    owner = await server.person(`Owner${people}`);
    member = await server.person(`Member${people}`);
    household = await server.household(owner, `Street ${people}`);
    await server.join(member, owner, household);
    await server.invite(owner, household, `friend${people}@example.org`);
  });

  const remove = (): Promise<Answer> =>
    server.call('DELETE', `/households/${household}`, {
      token: owner.token,
      body: { name: `Street ${people}` },
    });

  async function assertGone(): Promise<void> {
    const range = { from: household, before: `${household}~`, limit: 9 };
    assert.equal(await server.documents.get(HOUSEHOLDS, household), null);
    assert.deepEqual(await server.documents.range(MEMBERSHIP_LOG, range), []);
    const settled = await server.documents.range(SETTLED_INVITES, { ...EVERY_KEY, limit: 1000 });
    assert.ok(!settled.some(({ householdId }) => householdId === household));
    assert.equal((await erasures().find(household))?.finished, true);
  }

  it('is told to the other members by mail, once, with who did it', async () => {
    assert.equal((await remove()).status, 204);
    const mail = (await server.mailsTo(member.email)).at(-1);
    assert.equal(mail?.subject, 'A household was deleted');
    const text = (mail?.text ?? '').replaceAll(/\s+/g, ' ');
    assert.match(text, new RegExp(`Owner${people}.* deleted the household .*Street ${people}`));
    await work().repeatRecent();
    const subjects = await subjectsTo(member);
    assert.equal(subjects.filter(subject => subject === 'A household was deleted').length, 1);
    assert.ok(!(await subjectsTo(owner)).includes('A household was deleted'));
    await assertGone();
  });

  it('takes its invites and the mails with it that were not sent yet', async () => {
    server.queue.away = true;
    const email = `late${people}@example.org`;
    const invited = await server.invite(owner, household, email);
    server.queue.away = false;
    assert.equal((await remove()).status, 204);
    const lookup = await server.call('GET', `/invites/lookup?token=${String(invited.body['token'])}`);
    assert.deepEqual(refused(lookup), [410, 'invalid_link']);
    assert.deepEqual(await server.mailsTo(email), []);
    const messages = await server.documents.range(OUTBOX_MESSAGES, { ...EVERY_KEY, limit: 100 });
    assert.ok(!JSON.stringify(messages).includes(household));
    await assertGone();
  });

  for (const operation of [
    'insert mail_duties',
    'remove households',
    'removePrefix membership_log',
    'query settled_invites',
    'range mail_duties',
    'scrub ',
  ]) {
    it(`is finished by the next start where the store goes away at “${operation.trim()}”`, async () => {
      server.failing.add(operation);
      assert.equal((await remove()).status, 503, operation);
      assert.ok(await erasures().find(household));
      await work().finishAll();
      await assertGone();
      for (const { token } of [owner, member]) {
        const headers = { 'x-service-household': household };
        assert.deepEqual(refused(await server.call('GET', '/probe', { token, headers })), [
          403,
          'not_a_member',
        ]);
      }
      const told = (await subjectsTo(member)).filter(subject => subject === 'A household was deleted');
      assert.equal(told.length, 1);
    });
  }

  it('stays where nothing was recorded', async () => {
    server.failing.add('insert erasures');
    assert.equal((await remove()).status, 503);
    await work().finishAll();
    const headers = { 'x-service-household': household };
    assert.equal((await server.call('GET', '/probe', { token: member.token, headers })).status, 200);
  });
});
