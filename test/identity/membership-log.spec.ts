import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { IdentityServer, useServer } from './identity.scenario.js';

let server: IdentityServer;

useServer('households', started => (server = started));

describe('what happened to a household', () => {
  it('is kept in the log also where the store failed each time after the change', async context => {
    const owner = await server.person('Yara');
    const household = await server.household(owner);
    const putAll = server.documents.putAll.bind(server.documents);
    let calls = 0;
    const failing = (...args: Parameters<typeof putAll>): Promise<void> => {
      calls += 1;
      // The first call of a change writes what the change before it left.
      return calls % 2 === 1 ? putAll(...args) : Promise.reject(new DocumentsUnavailable('lost on the way'));
    };
    const puttingAll = context.mock.method(server.documents, 'putAll', failing);
    const names = ['One', 'Two', 'Three'];
    for (const name of names) {
      assert.equal((await server.as(owner).patch(`/households/${household}`, { name })).status, 200);
    }
    puttingAll.mock.restore();
    assert.equal(calls, 6);
    const log = (await server.membershipLog(household)).slice(2);
    assert.deepEqual(
      log.map(({ sequence, kind }) => [sequence, kind]),
      names.map((_, at) => [at + 3, 'household_renamed']),
    );
  });

  it('is kept in an append-only log, without gap', async () => {
    const [owner, member] = [await server.person('Wes'), await server.person('Xia')];
    const household = await server.household(owner);
    await server.join(member, owner, household);
    await server.as(owner).patch(`/households/${household}/members/${member.id}`, { role: 'owner' });
    await server.as(owner).patch(`/households/${household}/members/${member.id}`, { role: 'member' });
    await server.invite(member, household, 'friend@example.org');
    await server.as(owner).delete(`/households/${household}/members/${member.id}`);
    const log = await server.membershipLog(household);
    assert.deepEqual(
      log.map(({ kind, by, role, status }) => [kind, by === owner.id ? 'owner' : 'member', role ?? status]),
      [
        ['household_created', 'owner', undefined],
        ['member_joined', 'owner', 'owner'],
        ['invite_sent', 'owner', undefined],
        ['invite_settled', 'member', 'accepted'],
        ['member_joined', 'member', 'member'],
        ['role_changed', 'owner', 'owner'],
        ['role_changed', 'owner', 'member'],
        ['invite_sent', 'member', undefined],
        ['member_removed', 'owner', undefined],
        ['invite_settled', 'owner', 'revoked'],
      ],
    );
    assert.deepEqual(
      log.map(({ sequence }) => sequence),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
  });
});
