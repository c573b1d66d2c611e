// Memberships are evidence: what the log says is what members may do, and a change past the service is found.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keysUnder } from '#storage/documents/declared';
import type { Document } from '#storage/documents/documents';
import {
  HOUSEHOLDS,
  MEMBERSHIP_LOG,
  SETTLED_INVITES,
  type HouseholdRecord,
} from '#identity/households/household-records';
import { chainMembershipLogs, verifyMemberships } from '#identity/households/membership-chain';
import { IdentityServer, type Person } from './identity.scenario.js';

let server: IdentityServer;
let owner: Person;
let member: Person;
let household: string;

before(async () => {
  server = await IdentityServer.start();
  [owner, member] = [await server.person('Ada'), await server.person('Ben')];
  household = await server.household(owner, 'A telling name');
  await server.join(member, owner, household);
  const path = `/households/${household}`;
  for (const role of ['owner', 'member']) {
    await server.call('PATCH', `${path}/members/${member.id}`, { token: owner.token, body: { role } });
  }
  await server.invite(owner, household, 'cleo@example.org');
  await server.invite(owner, household, 'cleo@example.org');
  await server.call('PATCH', path, { token: owner.token, body: { name: 'Another telling name' } });
});
after(() => server.stop());

const record = async (): Promise<HouseholdRecord> => (await server.documents.get(HOUSEHOLDS, household))!;
const findings = async () => verifyMemberships(server.documents, await record());
const logged = async () => server.documents.range(MEMBERSHIP_LOG, { ...keysUnder(household), limit: 100 });

/** As somebody with the file at hand does it. */
async function tamper<T extends Document>(collection: typeof HOUSEHOLDS | typeof MEMBERSHIP_LOG, to: T) {
  await server.documents.put<Document>(collection, [{ ...to, revision: to.revision + 1 }]);
}

describe('the membership log', () => {
  it('holds ids, roles and kinds of change only', async () => {
    const text = JSON.stringify([await logged(), (await record()).unlogged]);
    assert.doesNotMatch(text, /telling|example\.org|Ada|Ben|token/);
    assert.equal((await logged()).length, (await record()).sequence);
  });

  it('is a chain, and says who may do what now', async () => {
    assert.deepEqual(await findings(), []);
  });

  it('tells of a member who was made owner in the file by hand', async () => {
    const before = await record();
    const members = before.members.map(one => (one.userId === member.id ? { ...one, role: 'owner' } : one));
    await tamper(HOUSEHOLDS, { ...before, members } as HouseholdRecord);
    const found = { householdId: household, sequence: null, userId: member.id };
    assert.deepEqual(await findings(), [{ ...found, kind: 'member', logged: 'member', present: 'owner' }]);
    await tamper(HOUSEHOLDS, { ...(await record()), members: [before.members[0]!], memberIds: [owner.id] });
    assert.deepEqual(await findings(), [{ ...found, kind: 'member', logged: 'member', present: null }]);
    await tamper(HOUSEHOLDS, { ...before, revision: (await record()).revision });
    assert.deepEqual(await findings(), []);
  });

  it('tells of entries that were changed, removed or cut off', async () => {
    const entries = await logged();
    const joined = entries.find(({ userId, role }) => userId === member.id && role === 'member')!;
    await tamper(MEMBERSHIP_LOG, { ...joined, role: 'owner' });
    const broken = (sequence: number) => ({
      householdId: household,
      kind: 'broken',
      sequence,
      userId: null,
      logged: null,
      present: null,
    });
    assert.deepEqual(await findings(), [broken(joined.sequence + 1)]);
    await tamper(MEMBERSHIP_LOG, { ...joined, revision: joined.revision + 1 });
    assert.deepEqual(await findings(), []);
    await server.documents.remove(MEMBERSHIP_LOG, joined.key);
    assert.deepEqual((await findings())[0], broken(joined.sequence + 1));
    await server.documents.put(MEMBERSHIP_LOG, [joined]);
    const cut = await record();
    await tamper(HOUSEHOLDS, { ...cut, sequence: 3, unlogged: [] });
    assert.deepEqual((await findings())[0], broken(3));
    await tamper(HOUSEHOLDS, { ...cut, revision: cut.revision + 1 });
    assert.deepEqual(await findings(), []);
  });

  it('of an earlier version gets its chain, and names and addresses go beside it', async () => {
    const id = `01JZ${'0'.repeat(21)}7`;
    const invite = {
      id: `01JZ${'0'.repeat(21)}8`,
      email: 'old@example.org',
      inviterId: owner.id,
      token: 't',
    };
    const settled = { ...invite, createdAt: 1, endsAt: 9, status: 'accepted', settledAt: server.clock.now() };
    const entries = [
      { sequence: 1, at: 1, by: owner.id, kind: 'household_created', name: 'Old name' },
      { sequence: 2, at: 1, by: owner.id, kind: 'member_joined', userId: owner.id, role: 'owner' },
      { sequence: 3, at: 2, by: member.id, kind: 'invite_settled', inviteId: invite.id, settled },
      { sequence: 4, at: 2, by: member.id, kind: 'member_joined', userId: member.id, role: 'member' },
    ];
    const { logHash: _, settled: __, ...former } = await record();
    const members = [
      { userId: owner.id, role: 'owner', joinedAt: 1 },
      { userId: member.id, role: 'member', joinedAt: 2 },
    ];
    const old = {
      ...former,
      key: id,
      revision: 1,
      members,
      sequence: 4,
      unlogged: entries.slice(2),
      invites: [],
      inviteIds: [invite.id],
      inviteTokens: [],
    };
    await server.documents.insert<Document>(HOUSEHOLDS, old);
    const documents = entries.slice(0, 2).map(entry => ({
      ...entry,
      householdId: id,
      key: `${id}|000000000${entry.sequence}`,
      revision: 1,
    }));
    await server.documents.put<Document>(MEMBERSHIP_LOG, documents);
    for (let run = 0; run < 2; run++) await chainMembershipLogs(server.documents);
    const chained = (await server.documents.get(HOUSEHOLDS, id))!;
    assert.deepEqual(await verifyMemberships(server.documents, chained), []);
    const log = await server.documents.range(MEMBERSHIP_LOG, { ...keysUnder(id), limit: 9 });
    assert.deepEqual(
      log.map(({ sequence, status }) => [sequence, status]),
      [
        [1, undefined],
        [2, undefined],
        [3, 'accepted'],
        [4, undefined],
      ],
    );
    assert.doesNotMatch(JSON.stringify([log, chained.unlogged]), /Old name|old@example/);
    assert.equal((await server.documents.get(SETTLED_INVITES, invite.id))?.email, 'old@example.org');
  });
});
