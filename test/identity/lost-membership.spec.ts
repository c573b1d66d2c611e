import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Households } from '#identity/households/households';
import { IdentityServer, type Answer, type Person, refused, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('households', started => (server = started));

describe('members who lose their place or role while their call is under way', () => {
  /** Lets something happen between the checks that let a call in and what it changes. */
  function meanwhile(context: TestContext, happen: () => Promise<Answer>): void {
    const households = server.app.get(Households, { strict: false });
    const change = households.change.bind(households);
    const overtaken = async (...args: Parameters<Households['change']>) => {
      overtaking.mock.restore();
      assert.ok((await happen()).status < 300);
      return change(...args);
    };
    const overtaking = context.mock.method(households, 'change', overtaken);
  }

  type Call = (person: Person, path: string, guest: Person, invite: string) => Promise<Answer>;
  const calls: readonly (readonly [what: string, fate: 'demoted' | 'removed', Call])[] = [
    ['rename it', 'demoted', (person, path) => server.as(person).patch(path, { name: 'Mine' })],
    [
      'change roles',
      'demoted',
      (person, path, { id }) => server.as(person).patch(`${path}/members/${id}`, { role: 'owner' }),
    ],
    ['remove others', 'demoted', (person, path, { id }) => server.as(person).delete(`${path}/members/${id}`)],
    [
      'invite',
      'removed',
      (person, path) => server.as(person).post(`${path}/invites`, { email: 'too-late@example.org' }),
    ],
    [
      'revoke invites',
      'removed',
      (person, path, _, invite) => server.as(person).delete(`${path}/invites/${invite}`),
    ],
  ];

  for (const [at, [what, fate, call]] of calls.entries()) {
    it(`do not ${what} once they are ${fate}`, async context => {
      const owner = await server.person(`Stays${at}`);
      const [person, guest] = [await server.person(`Loses${at}`), await server.person(`Guest${at}`)];
      const household = await server.household(owner);
      for (const member of [person, guest]) await server.join(member, owner, household);
      const path = `/households/${household}`;
      const member = `${path}/members/${person.id}`;
      await server.as(owner).patch(member, { role: 'owner' });
      const invite = await server.invite(owner, household, 'open@example.org');
      meanwhile(context, () =>
        fate === 'demoted'
          ? server.as(owner).patch(member, { role: 'member' })
          : server.as(owner).delete(member),
      );
      const answer = await call(person, path, guest, String(invite.body['id']));
      const code = fate === 'demoted' ? 'owner_required' : 'not_a_member';
      assert.deepEqual(refused(answer), [403, code]);
      const roles = (await server.membersOf(owner, household)).map(({ role }) => role);
      assert.deepEqual(roles, fate === 'demoted' ? ['owner', 'member', 'member'] : ['owner', 'member']);
    });
  }
});
