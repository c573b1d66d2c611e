import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { IdentityServer, type Answer, type Person } from './identity.scenario.js';

const DAY_MS = 24 * 3_600_000;

let one: IdentityServer;
let other: IdentityServer;

before(async () => {
  one = await IdentityServer.start();
  other = await IdentityServer.start({ beside: one });
});
after(async () => {
  await other.stop();
  await one.stop();
});

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly key: string;
}

const send = (person: Person, { method, path, body, key }: Write, at = one): Promise<Answer> =>
  at.call(method, path, { token: person.token, body, headers: { 'Idempotency-Key': key } });

const refused = ({ status, body }: Answer): unknown[] => [status, body['code']];
const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replay') === 'true';

/** Sends a write twice: done by the first call, known to the second one, at whichever instance. */
async function twice(person: Person, write: Write, statuses: readonly [number, number]): Promise<Answer> {
  const first = await send(person, write);
  assert.deepEqual([first.status, isReplay(first)], [statuses[0], false], JSON.stringify(first.body));
  const second = await send(person, write, other);
  assert.deepEqual([second.status, isReplay(second)], [statuses[1], true], JSON.stringify(second.body));
  assert.deepEqual(second.body, first.body);
  return first;
}

const householdsOf = async (person: Person): Promise<readonly { id: string; name: string }[]> => {
  const { body } = await one.call('GET', '/households', { token: person.token });
  return body['households'] as { id: string; name: string }[];
};

const invitesOf = async (person: Person): Promise<readonly { id: string; email: string }[]> => {
  const { body } = await one.call('GET', `/households/${person.home}/invites`, { token: person.token });
  return body['invites'] as { id: string; email: string }[];
};

describe('Idempotency-Key on households, members and invites', () => {
  it('creates a household once', async () => {
    const ada = await one.person('Ada');
    const write = { method: 'POST', path: '/households', body: { name: 'Maple Street' }, key: 'a' };
    await twice(ada, write, [201, 200]);
    assert.equal((await householdsOf(ada)).length, 2);
    const spaced = { ...write, body: { name: ' Maple Street ' } };
    assert.ok(isReplay(await send(ada, spaced)), 'what is asked for counts, not how it is written');
  });

  it('answers a repetition with today’s state', async () => {
    const bea = await one.person('Bea');
    const create = { method: 'POST', path: '/households', body: { name: 'Maple Street' }, key: 'a' };
    const { body } = await send(bea, create);
    const rename = {
      method: 'PATCH',
      path: `/households/${String(body['id'])}`,
      body: { name: 'Elm' },
      key: 'b',
    };
    await twice(bea, rename, [200, 200]);
    await one.call('PATCH', rename.path, { token: bea.token, body: { name: 'Oak' } });
    for (const write of [create, rename]) {
      const repeated = await send(bea, write);
      assert.deepEqual([repeated.status, isReplay(repeated), repeated.body['name']], [200, true, 'Oak']);
    }
  });

  it('sends, revokes, accepts and declines an invite once', async () => {
    const [host, guest] = [await one.person('Cleo'), await one.person('Dora')];
    const invites = `/households/${host.home}/invites`;
    const invite = { method: 'POST', path: invites, body: { email: guest.email }, key: 'a' };
    const sent = await twice(host, invite, [201, 200]);
    assert.deepEqual(
      (await invitesOf(host)).map(({ id }) => id),
      [sent.body['id']],
    );
    assert.equal(
      (await one.mailsTo(guest.email)).filter(({ links }) => /invites/.test(String(links))).length,
      1,
    );
    const decline = { method: 'POST', path: `/invites/${String(sent.body['id'])}/decline`, key: 'a' };
    await twice(guest, decline, [204, 204]);
    const again = await send(host, invite);
    assert.deepEqual(
      [isReplay(again), again.body['id'], again.body['status']],
      [true, sent.body['id'], 'declined'],
    );
    const second = await twice(host, { ...invite, key: 'b' }, [201, 200]);
    const revoke = { method: 'DELETE', path: `${invites}/${String(second.body['id'])}`, key: 'c' };
    await twice(host, revoke, [204, 204]);
    const third = await send(host, { ...invite, key: 'd' });
    const accept = { method: 'POST', path: `/invites/${String(third.body['id'])}/accept`, key: 'b' };
    await twice(guest, accept, [200, 200]);
  });

  it('changes and removes a member once', async () => {
    const [host, guest] = [await one.person('Eva'), await one.person('Fay')];
    await one.join(guest, host, host.home);
    const path = `/households/${host.home}/members/${guest.id}`;
    await twice(host, { method: 'PATCH', path, body: { role: 'owner' }, key: 'a' }, [200, 200]);
    const leave = { method: 'DELETE', path, key: 'a' };
    assert.equal((await send(guest, leave)).status, 204);
    assert.deepEqual(refused(await send(guest, leave)), [403, 'not_a_member'], 'who left is out');
    await one.join(guest, host, host.home);
    const remove = { method: 'DELETE', path, key: 'b' };
    await twice(host, remove, [204, 204]);
    await one.join(guest, host, host.home);
    assert.ok(isReplay(await send(host, remove)));
    const { body } = await one.call('GET', `/households/${host.home}/members`, { token: host.token });
    assert.equal((body['members'] as unknown[]).length, 2, 'a repetition does not remove who has come back');
  });

  it('changes settings and the default household once', async () => {
    const gil = await one.person('Gil');
    await twice(gil, { method: 'PATCH', path: '/settings', body: { theme: 'dark' }, key: 'a' }, [200, 200]);
    await twice(gil, { method: 'PATCH', path: '/me', body: { name: 'Gilbert' }, key: 'b' }, [200, 200]);
    await one.call('PATCH', '/settings', { token: gil.token, body: { theme: 'light' } });
    const late = await send(gil, { method: 'PATCH', path: '/settings', body: { theme: 'dark' }, key: 'a' });
    assert.deepEqual([isReplay(late), late.body['theme']], [true, 'light']);
  });
});

describe('Idempotency-Key on households: the key', () => {
  it('is refused for another command: other values, other route', async () => {
    const hal = await one.person('Hal');
    const home = `/households/${hal.home}`;
    await send(hal, { method: 'PATCH', path: home, body: { name: 'Elm' }, key: 'a' });
    await send(hal, { method: 'POST', path: '/households', body: { name: 'Elm' }, key: 'b' });
    const others: readonly Write[] = [
      { method: 'PATCH', path: home, body: { name: 'Oak' }, key: 'a' },
      { method: 'POST', path: `${home}/invites`, body: { email: 'x@example.org' }, key: 'a' },
      { method: 'POST', path: '/households', body: { name: 'Oak' }, key: 'b' },
      { method: 'PATCH', path: '/settings', body: { theme: 'dark' }, key: 'b' },
    ];
    for (const write of others) {
      assert.deepEqual(refused(await send(hal, write)), [409, 'idempotency_key_conflict']);
    }
    assert.deepEqual(await invitesOf(hal), []);
    assert.deepEqual(
      (await householdsOf(hal)).map(({ name }) => name),
      ['Elm', 'Elm'],
    );
  });

  it('is not used up by what was refused, but by what changed nothing', async () => {
    const ida = await one.person('Ida');
    const path = `/households/${ida.home}`;
    const archive = { method: 'PATCH', path, body: { archived: true }, key: 'a' };
    assert.deepEqual(refused(await send(ida, archive)), [409, 'personal_household']);
    const unarchive = await send(ida, { ...archive, body: { archived: false } });
    assert.deepEqual([unarchive.status, isReplay(unarchive)], [200, false]);
    assert.ok(isReplay(await send(ida, { ...archive, body: { archived: false } }, other)));
    const rename = await send(ida, { ...archive, body: { name: 'Elm' } });
    assert.deepEqual(refused(rename), [409, 'idempotency_key_conflict']);
  });

  it('belongs to one user', async () => {
    const [jan, kim] = [await one.person('Jan'), await one.person('Kim')];
    await one.join(kim, jan, jan.home);
    const write = (email: string): Write => ({
      method: 'POST',
      path: `/households/${jan.home}/invites`,
      body: { email },
      key: 'a',
    });
    assert.equal((await send(jan, write('x@example.org'))).status, 201);
    assert.equal((await send(kim, write('y@example.org'))).status, 201);
  });

  it('is free again after a day', async () => {
    const lea = await one.person('Lea');
    const token = await one.accessToken(lea);
    const create = { method: 'POST', path: '/households', body: { name: 'Elm' }, key: 'a' };
    assert.equal((await send({ ...lea, token }, create)).status, 201);
    one.clock.pass(DAY_MS);
    assert.equal((await send({ ...lea, token }, create)).status, 201);
    assert.equal((await householdsOf({ ...lea, token })).length, 3);
  });

  it('is 1 to 64 visible characters', async () => {
    const mia = await one.person('Mia');
    for (const key of ['x'.repeat(65), 'a b', 'é']) {
      const write = { method: 'POST', path: '/households', body: { name: 'Elm' }, key };
      assert.deepEqual(refused(await send(mia, write)), [422, 'validation_failed']);
    }
    assert.equal((await householdsOf(mia)).length, 1);
  });
});

describe('Idempotency-Key on households: races and failures', () => {
  const simultaneously = async (person: Person, write: Write, created: number): Promise<void> => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(person, write, index % 2 === 0 ? one : other)),
    );
    assert.equal(replies.filter(({ status }) => status === created).length, 1);
    assert.equal(replies.filter(reply => reply.status === 200 && isReplay(reply)).length, 19);
    assert.equal(new Set(replies.map(({ body }) => body['id'])).size, 1);
  };

  it('of twenty simultaneous calls at two instances one makes a household', async () => {
    const nia = await one.person('Nia');
    await simultaneously(nia, { method: 'POST', path: '/households', body: { name: 'Elm' }, key: 'a' }, 201);
    assert.equal((await householdsOf(nia)).length, 2);
  });

  it('of twenty simultaneous calls at two instances one sends an invite', async () => {
    const ola = await one.person('Ola');
    const path = `/households/${ola.home}/invites`;
    await simultaneously(ola, { method: 'POST', path, body: { email: 'x@example.org' }, key: 'a' }, 201);
    assert.equal((await invitesOf(ola)).length, 1);
  });

  it('a repetition goes on where the store failed', async () => {
    const pia = await one.person('Pia');
    const email = 'quin@example.org';
    const create = { method: 'POST', path: '/households', body: { name: 'Elm' }, key: 'a' };
    const invite = { method: 'POST', path: `/households/${pia.home}/invites`, body: { email }, key: 'a' };
    for (const lost of ['replace accounts', 'insert households']) {
      one.failing.add(lost);
      assert.deepEqual(refused(await send(pia, create)), [503, 'unavailable']);
    }
    assert.equal((await send(pia, create)).status, 201, 'it is made now');
    assert.equal((await householdsOf(pia)).length, 2);
    for (const lost of ['replace households', 'insert mail_duties']) {
      one.failing.add(lost);
      assert.deepEqual(refused(await send(pia, invite)), [503, 'unavailable']);
    }
    assert.deepEqual(await one.mailsTo(email), []);
    assert.ok(isReplay(await send(pia, invite)), 'the invite was made by the call that failed after it');
    assert.equal((await one.mailsTo(email)).length, 1, 'and is mailed now');
    assert.ok(isReplay(await send(pia, invite)));
    assert.equal((await one.mailsTo(email)).length, 1);
    assert.deepEqual(
      (await invitesOf(pia)).map(one => one.email),
      [email],
    );
  });
});
