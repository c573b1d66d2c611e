import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IdentityServer, type Person, refused, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('households', started => (server = started));

describe('members', () => {
  it('leave by themselves, and are removed by owners, from the very next request on', async () => {
    const [owner, one, two] = [
      await server.person('Nia'),
      await server.person('Oda'),
      await server.person('Pia'),
    ];
    for (const member of [one, two]) await server.join(member, owner, owner.home);
    const path = (person: Person): string => `/households/${owner.home}/members/${person.id}`;
    assert.deepEqual(refused(await server.as(one).delete(path(two))), [403, 'owner_required']);
    assert.equal((await server.as(one).delete(path(one))).status, 204);
    assert.equal((await server.as(owner).delete(path(two))).status, 204);
    for (const member of [one, two]) {
      const headers = { 'x-service-household': owner.home };
      const answer = await server.call('GET', '/probe', { token: member.token, headers });
      assert.deepEqual(refused(answer), [403, 'not_a_member']);
    }
    assert.equal((await server.membersOf(owner, owner.home)).length, 1);
  });

  it('never leave a household without an owner', async () => {
    const [owner, member] = [await server.person('Quin'), await server.person('Rosa')];
    const household = await server.household(owner);
    await server.join(member, owner, household);
    const path = `/households/${household}/members/${owner.id}`;
    assert.deepEqual(refused(await server.as(owner).delete(path)), [409, 'last_owner']);
    assert.deepEqual(refused(await server.as(owner).patch(path, { role: 'member' })), [409, 'last_owner']);
    await server.as(owner).patch(`/households/${household}/members/${member.id}`, { role: 'owner' });
    assert.equal((await server.as(owner).delete(path)).status, 204);
    const last = `/households/${household}/members/${member.id}`;
    assert.deepEqual(refused(await server.as(member).delete(last)), [409, 'last_owner']);
  });

  it('of two owners who leave at the same moment one stays', async () => {
    const [one, two] = [await server.person('Sam'), await server.person('Tom')];
    const household = await server.household(one);
    await server.join(two, one, household);
    await server.as(one).patch(`/households/${household}/members/${two.id}`, { role: 'owner' });
    const answers = await Promise.all(
      [one, two].map(person => server.as(person).delete(`/households/${household}/members/${person.id}`)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
  });

  it('do not leave their own personal household, nor are they thrown out of it', async () => {
    const [owner, member] = [await server.person('Uma'), await server.person('Vera')];
    const path = `/households/${owner.home}/members/${owner.id}`;
    assert.deepEqual(refused(await server.as(owner).delete(path)), [409, 'personal_household']);
    await server.join(member, owner, owner.home);
    await server.as(owner).patch(`/households/${owner.home}/members/${member.id}`, { role: 'owner' });
    assert.deepEqual(refused(await server.as(member).delete(path)), [409, 'personal_household']);
    assert.equal(
      (await server.as(member).delete(`/households/${owner.home}/members/${member.id}`)).status,
      204,
    );
  });

  it('leave archived households, in which owners settle who stays', async () => {
    const [owner, heir, guest, third] = [
      await server.person('Founder'),
      await server.person('Heiress'),
      await server.person('Goer'),
      await server.person('Gone'),
    ];
    const household = await server.household(owner);
    for (const member of [heir, guest, third]) await server.join(member, owner, household);
    const invite = await server.invite(guest, household, 'later@example.org');
    const path = `/households/${household}`;
    const member = (person: Person): string => `${path}/members/${person.id}`;
    assert.equal((await server.as(owner).patch(path, { archived: true })).status, 200);
    assert.deepEqual(refused(await server.as(guest).delete(member(heir))), [403, 'owner_required']);
    assert.deepEqual(refused(await server.as(guest).patch(member(guest), { role: 'owner' })), [
      403,
      'owner_required',
    ]);
    assert.equal((await server.as(guest).delete(member(guest))).status, 204);
    assert.deepEqual(refused(await server.as(guest).get(`${path}/members`)), [403, 'not_a_member']);
    const lookedUp = await server.call('GET', `/invites/lookup?token=${String(invite.body['token'])}`);
    assert.equal(lookedUp.body['status'], 'revoked');
    assert.equal((await server.as(owner).delete(member(third))).status, 204);
    assert.deepEqual(refused(await server.as(owner).delete(member(owner))), [409, 'last_owner']);
    assert.deepEqual(refused(await server.as(owner).patch(member(owner), { role: 'member' })), [
      409,
      'last_owner',
    ]);
    assert.equal((await server.as(owner).patch(member(heir), { role: 'owner' })).body['role'], 'owner');
    assert.equal((await server.as(owner).delete(member(owner))).status, 204);
    assert.equal((await server.as(heir).patch(path, { archived: false })).status, 200);
  });
});
