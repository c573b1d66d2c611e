import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { HOUSEHOLDS, type HouseholdRecord } from '#identity/households/household-records';
import { Households } from '#identity/households/households';
import { SystemRandomness } from '#identity/surroundings';
import { IdentityServer, NOBODY, type Answer, type Person } from './identity.scenario.js';

let server: IdentityServer;

before(async () => {
  server = await IdentityServer.start();
});
after(() => server.stop());

const refused = ({ status, body }: Answer): unknown[] => [status, body['code']];
const as = (person: Person) => ({
  get: (path: string) => server.call('GET', path, { token: person.token }),
  post: (path: string, body?: unknown) => server.call('POST', path, { token: person.token, body }),
  patch: (path: string, body: unknown) => server.call('PATCH', path, { token: person.token, body }),
  delete: (path: string) => server.call('DELETE', path, { token: person.token }),
});

const membersOf = async (person: Person, household: string): Promise<Record<string, unknown>[]> =>
  (await as(person).get(`/households/${household}/members`)).body['members'] as Record<string, unknown>[];

describe('households', () => {
  it('are made by anybody, who then owns them', async () => {
    const person = await server.person('Ada');
    const answer = await as(person).post('/households', { name: '  Maple  Street ' });
    const { id, joined_at, ...rest } = answer.body;
    assert.equal(answer.status, 201);
    assert.deepEqual(rest, {
      name: 'Maple  Street',
      currency: 'USD',
      role: 'owner',
      personal: false,
      default: false,
      archived: false,
      member_count: 1,
    });
    const { body } = await as(person).get('/households');
    const households = body['households'] as Record<string, unknown>[];
    assert.deepEqual(households[1], answer.body);
    assert.deepEqual([households[0]?.['personal'], households[0]?.['default']], [true, true]);
    assert.match(String(id), /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.match(String(joined_at), /Z$/);
    for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'x', role: 'owner' }]) {
      assert.deepEqual(refused(await as(person).post('/households', body)), [422, 'validation_failed']);
    }
  });

  it('are renamed by owners', async () => {
    const person = await server.person('Bea');
    const path = `/households/${person.home}`;
    const answer = await as(person).patch(path, { name: 'Harbour' });
    assert.deepEqual([answer.status, answer.body['name'], answer.body['personal']], [200, 'Harbour', true]);
    server.operations.length = 0;
    assert.equal((await as(person).patch(path, { name: 'Harbour' })).status, 200);
    assert.equal((await as(person).patch(path, {})).status, 200);
    assert.ok(!server.operations.some(operation => operation.startsWith('replace households')));
  });

  it('have a currency, which owners change and the membership log remembers', async () => {
    const [owner, member] = [await server.person('Kasia'), await server.person('Kofi')];
    const made = await as(owner).post('/households', { name: 'Shared', currency: 'EUR' });
    assert.deepEqual([made.status, made.body['currency']], [201, 'EUR']);
    const household = String(made.body['id']);
    await server.join(member, owner, household);
    const path = `/households/${household}`;
    assert.deepEqual(refused(await as(member).patch(path, { currency: 'JPY' })), [403, 'owner_required']);
    for (let time = 1; time <= 2; time += 1) {
      const changed = await as(owner).patch(path, { currency: 'JPY' });
      assert.deepEqual(
        [changed.status, changed.body['currency'], changed.body['name']],
        [200, 'JPY', 'Shared'],
      );
    }
    const households = server.app.get(Households, { strict: false });
    const log = await households.log(household, 0, 100);
    assert.deepEqual(
      log.filter(({ kind }) => kind === 'currency_changed').map(({ by, currency }) => [by, currency]),
      [[owner.id, 'JPY']],
    );
    assert.equal((await as(owner).patch(path, { archived: true })).status, 200);
    assert.deepEqual(refused(await as(owner).patch(path, { currency: 'EUR' })), [409, 'conflict']);
  });

  it('made before there were currencies have the default one, and keep it with the next change', async () => {
    const person = await server.person('Formerly');
    const record = await server.documents.get(HOUSEHOLDS, person.home);
    const { currency: _, ...former } = record!;
    const stored = { ...former, revision: former.revision + 1 } as HouseholdRecord;
    await server.documents.put(HOUSEHOLDS, [stored]);
    const { body } = await as(person).get('/households');
    assert.equal((body['households'] as Record<string, unknown>[])[0]?.['currency'], 'USD');
    const renamed = await as(person).patch(`/households/${person.home}`, { name: 'Renamed' });
    assert.equal(renamed.body['currency'], 'USD');
    assert.equal((await server.documents.get(HOUSEHOLDS, person.home))?.currency, 'USD');
  });

  it('are archived and brought back; archived ones are read, not written', async () => {
    const [owner, member] = [await server.person('Cleo'), await server.person('Dora')];
    const household = await server.household(owner);
    await server.join(member, owner, household);
    const path = `/households/${household}`;
    const invite = String((await server.invite(owner, household, 'later@example.org')).body['id']);
    const archived = await as(owner).patch(path, { name: 'Old', archived: true });
    assert.deepEqual([archived.body['name'], archived.body['archived']], ['Old', true]);
    assert.equal((await as(member).get(`${path}/members`)).status, 200);
    assert.equal((await as(member).get(`${path}/invites`)).status, 200);
    const writes = [
      await as(owner).patch(path, { name: 'New' }),
      await as(owner).patch(path, { name: 'New', archived: true }),
      await as(member).post(`${path}/invites`, { email: 'x@example.org' }),
      await as(member).delete(`${path}/invites/${invite}`),
    ];
    for (const answer of writes) {
      assert.deepEqual(
        [...refused(answer), answer.body['details']],
        [409, 'conflict', { reason: 'archived' }],
      );
    }
    assert.equal((await as(owner).patch(path, { archived: true })).status, 200);
    const back = await as(owner).patch(path, { name: 'New', archived: false });
    assert.deepEqual([back.body['name'], back.body['archived']], ['New', false]);
  });

  it('that are archived can be left, and owners settle who stays', async () => {
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
    assert.equal((await as(owner).patch(path, { archived: true })).status, 200);
    assert.deepEqual(refused(await as(guest).delete(member(heir))), [403, 'owner_required']);
    assert.deepEqual(refused(await as(guest).patch(member(guest), { role: 'owner' })), [
      403,
      'owner_required',
    ]);
    assert.equal((await as(guest).delete(member(guest))).status, 204);
    assert.deepEqual(refused(await as(guest).get(`${path}/members`)), [403, 'not_a_member']);
    const lookedUp = await server.call('GET', `/invites/lookup?token=${String(invite.body['token'])}`);
    assert.equal(lookedUp.body['status'], 'revoked');
    assert.equal((await as(owner).delete(member(third))).status, 204);
    assert.deepEqual(refused(await as(owner).delete(member(owner))), [409, 'last_owner']);
    assert.deepEqual(refused(await as(owner).patch(member(owner), { role: 'member' })), [409, 'last_owner']);
    assert.equal((await as(owner).patch(member(heir), { role: 'owner' })).body['role'], 'owner');
    assert.equal((await as(owner).delete(member(owner))).status, 204);
    assert.equal((await as(heir).patch(path, { archived: false })).status, 200);
  });

  it('that are personal are never archived', async () => {
    const person = await server.person('Eva');
    const answer = await as(person).patch(`/households/${person.home}`, { archived: true });
    assert.deepEqual(refused(answer), [409, 'personal_household']);
  });

  it('are personal only to the one whose they are', async () => {
    const [owner, member] = [await server.person('Fay'), await server.person('Gil')];
    await server.join(member, owner, owner.home);
    const { body } = await as(member).get('/households');
    const households = body['households'] as Record<string, unknown>[];
    assert.deepEqual(
      households.map(({ id, personal, role }) => [id, personal, role]),
      [
        [member.home, true, 'owner'],
        [owner.home, false, 'member'],
      ],
    );
  });

  it('are at most 200 a user, also where they are made at the same time', async () => {
    const person = await server.person('Hasty');
    for (let count = 1; count < 190; count += 1) await server.household(person);
    const make = (): Promise<Answer> => as(person).post('/households', { name: 'At once' });
    const answers = await Promise.all(Array.from({ length: 30 }, make));
    assert.equal(answers.filter(({ status }) => status === 201).length, 10);
  });

  it('are at most 200 a user', async () => {
    const person = await server.person('Hal');
    const households = server.app.get(Households, { strict: false });
    const ids = new SystemRandomness();
    for (let one = 1; one < 200; one += 1) {
      await households.create(ids.ulid(one), { name: 'One of many' }, person.id);
    }
    const answer = await as(person).post('/households', { name: 'One too many' });
    assert.deepEqual(
      [...refused(answer), answer.body['details']],
      [409, 'conflict', { reason: 'limit_reached', limit: 200 }],
    );
    const host = await server.person('Ida');
    const invite = await server.invite(host, host.home, person.email);
    const accepting = await as(person).post(`/invites/${String(invite.body['id'])}/accept`);
    assert.deepEqual(refused(accepting), [409, 'conflict']);
  });
});

describe('members', () => {
  it('are listed whole, in the order of joining, with the names they have now', async () => {
    const [owner, member] = [await server.person('Jan'), await server.person('Kim')];
    await server.join(member, owner, owner.home);
    await as(member).patch('/me', { name: 'Kimberly' });
    const members = await membersOf(owner, owner.home);
    assert.deepEqual(
      members.map(({ joined_at, ...rest }) => [rest, typeof joined_at]),
      [
        [{ user_id: owner.id, name: 'Jan', email: owner.email, role: 'owner' }, 'string'],
        [{ user_id: member.id, name: 'Kimberly', email: member.email, role: 'member' }, 'string'],
      ],
    );
  });

  it('become owners and members again by an owner', async () => {
    const [owner, member] = [await server.person('Lea'), await server.person('Max')];
    await server.join(member, owner, owner.home);
    const path = `/households/${owner.home}/members/${member.id}`;
    const answer = await as(owner).patch(path, { role: 'owner' });
    assert.deepEqual([answer.status, answer.body['role'], answer.body['name']], [200, 'owner', 'Max']);
    assert.equal((await as(member).patch(path, { role: 'member' })).status, 200);
    assert.deepEqual(refused(await as(member).patch(path, { role: 'owner' })), [403, 'owner_required']);
    for (const body of [{}, { role: 'king' }, { role: null }]) {
      assert.deepEqual(refused(await as(owner).patch(path, body)), [422, 'validation_failed']);
    }
    for (const method of ['PATCH', 'DELETE']) {
      const unknown = await server.call(method, `/households/${owner.home}/members/${NOBODY}`, {
        token: owner.token,
        ...(method === 'PATCH' && { body: { role: 'owner' } }),
      });
      assert.deepEqual(
        [...refused(unknown), unknown.body['details']],
        [404, 'not_found', { resource: 'member' }],
      );
    }
  });

  it('leave by themselves, and are removed by owners, from the very next request on', async () => {
    const [owner, one, two] = [
      await server.person('Nia'),
      await server.person('Oda'),
      await server.person('Pia'),
    ];
    for (const member of [one, two]) await server.join(member, owner, owner.home);
    const path = (person: Person): string => `/households/${owner.home}/members/${person.id}`;
    assert.deepEqual(refused(await as(one).delete(path(two))), [403, 'owner_required']);
    assert.equal((await as(one).delete(path(one))).status, 204);
    assert.equal((await as(owner).delete(path(two))).status, 204);
    for (const member of [one, two]) {
      const headers = { 'x-service-household': owner.home };
      const answer = await server.call('GET', '/probe', { token: member.token, headers });
      assert.deepEqual(refused(answer), [403, 'not_a_member']);
    }
    assert.equal((await membersOf(owner, owner.home)).length, 1);
  });

  it('never leave a household without an owner', async () => {
    const [owner, member] = [await server.person('Quin'), await server.person('Rosa')];
    const household = await server.household(owner);
    await server.join(member, owner, household);
    const path = `/households/${household}/members/${owner.id}`;
    assert.deepEqual(refused(await as(owner).delete(path)), [409, 'last_owner']);
    assert.deepEqual(refused(await as(owner).patch(path, { role: 'member' })), [409, 'last_owner']);
    await as(owner).patch(`/households/${household}/members/${member.id}`, { role: 'owner' });
    assert.equal((await as(owner).delete(path)).status, 204);
    const last = `/households/${household}/members/${member.id}`;
    assert.deepEqual(refused(await as(member).delete(last)), [409, 'last_owner']);
  });

  it('of two owners who leave at the same moment one stays', async () => {
    const [one, two] = [await server.person('Sam'), await server.person('Tom')];
    const household = await server.household(one);
    await server.join(two, one, household);
    await as(one).patch(`/households/${household}/members/${two.id}`, { role: 'owner' });
    const answers = await Promise.all(
      [one, two].map(person => as(person).delete(`/households/${household}/members/${person.id}`)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
  });

  it('do not leave their own personal household, nor are they thrown out of it', async () => {
    const [owner, member] = [await server.person('Uma'), await server.person('Vera')];
    const path = `/households/${owner.home}/members/${owner.id}`;
    assert.deepEqual(refused(await as(owner).delete(path)), [409, 'personal_household']);
    await server.join(member, owner, owner.home);
    await as(owner).patch(`/households/${owner.home}/members/${member.id}`, { role: 'owner' });
    assert.deepEqual(refused(await as(member).delete(path)), [409, 'personal_household']);
    assert.equal((await as(member).delete(`/households/${owner.home}/members/${member.id}`)).status, 204);
  });
});

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
    ['rename it', 'demoted', (person, path) => as(person).patch(path, { name: 'Mine' })],
    [
      'change roles',
      'demoted',
      (person, path, { id }) => as(person).patch(`${path}/members/${id}`, { role: 'owner' }),
    ],
    ['remove others', 'demoted', (person, path, { id }) => as(person).delete(`${path}/members/${id}`)],
    [
      'invite',
      'removed',
      (person, path) => as(person).post(`${path}/invites`, { email: 'too-late@example.org' }),
    ],
    [
      'revoke invites',
      'removed',
      (person, path, _, invite) => as(person).delete(`${path}/invites/${invite}`),
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
      await as(owner).patch(member, { role: 'owner' });
      const invite = await server.invite(owner, household, 'open@example.org');
      meanwhile(context, () =>
        fate === 'demoted' ? as(owner).patch(member, { role: 'member' }) : as(owner).delete(member),
      );
      const answer = await call(person, path, guest, String(invite.body['id']));
      const code = fate === 'demoted' ? 'owner_required' : 'not_a_member';
      assert.deepEqual(refused(answer), [403, code]);
      const roles = (await membersOf(owner, household)).map(({ role }) => role);
      assert.deepEqual(roles, fate === 'demoted' ? ['owner', 'member', 'member'] : ['owner', 'member']);
    });
  }
});

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
      assert.equal((await as(owner).patch(`/households/${household}`, { name })).status, 200);
    }
    puttingAll.mock.restore();
    assert.equal(calls, 6);
    const log = await server.app.get(Households, { strict: false }).log(household, 2, 100);
    assert.deepEqual(
      log.map(({ sequence, kind }) => [sequence, kind]),
      names.map((_, at) => [at + 3, 'household_renamed']),
    );
  });

  it('is kept in an append-only log, without gap', async () => {
    const [owner, member] = [await server.person('Wes'), await server.person('Xia')];
    const household = await server.household(owner);
    await server.join(member, owner, household);
    await as(owner).patch(`/households/${household}/members/${member.id}`, { role: 'owner' });
    await as(owner).patch(`/households/${household}/members/${member.id}`, { role: 'member' });
    await server.invite(member, household, 'friend@example.org');
    await as(owner).delete(`/households/${household}/members/${member.id}`);
    const log = await server.app.get(Households, { strict: false }).log(household, 0, 100);
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
