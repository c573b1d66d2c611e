import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Accounts } from '#identity/accounts/accounts';
import { LastUse } from '#identity/access/credentials';
import { LAST_USE_WRITTEN_EVERY_MS, Sessions } from '#identity/sessions/sessions';
import { IdentityServer, useServer, refused } from './identity.scenario.js';

const MINUTE = 60_000;

const DAY = 24 * 60 * MINUTE;

let server: IdentityServer;

useServer('sign-in', started => (server = started));

describe('sessions', () => {
  it('are listed, the newest first, and say which one asks', async () => {
    const person = await server.person('Eva');
    const headers = { ...server.network(), 'user-agent': 'Budget/1.0' };
    const web = await server.signIn(person.email, { client: 'web', headers });
    const answer = await server.call('GET', '/auth/sessions', { token: person.token });
    const sessions = answer.body['sessions'] as Record<string, unknown>[];
    assert.deepEqual(
      sessions.map(({ client, user_agent, current }) => [client, user_agent, current]),
      [
        ['web', 'Budget/1.0', false],
        ['mobile', sessions[1]?.['user_agent'], true],
      ],
    );
    assert.deepEqual(Object.keys(sessions[0]!), [
      'id',
      'client',
      'user_agent',
      'created_at',
      'last_used_at',
      'current',
    ]);
    const path = `/auth/sessions/${String(sessions[0]?.['id'])}`;
    assert.equal((await server.call('DELETE', path, { token: person.token })).status, 204);
    assert.equal(await server.statusOf(String(web.body['token'])), 401);
    const again = await server.call('DELETE', path, { token: person.token });
    assert.deepEqual([...refused(again), again.body['details']], [404, 'not_found', { resource: 'session' }]);
  });

  it('name the program that signed in by 255 characters, and none that says nothing', async () => {
    const person = await server.person('Agent');
    for (const agent of ['a'.repeat(300), '']) {
      await server.signIn(person.email, { headers: { ...server.network(), 'user-agent': agent } });
    }
    const answer = await server.call('GET', '/auth/sessions', { token: person.token });
    const agents = (answer.body['sessions'] as Record<string, unknown>[]).map(({ user_agent }) => user_agent);
    assert.deepEqual(agents.slice(0, 2), [null, 'a'.repeat(255)]);
  });

  it('end 30 days after their last use', async () => {
    const person = await server.person('Ida');
    server.clock.pass(30 * DAY - MINUTE);
    assert.equal(await server.statusOf(person.token), 200);
    // Written behind the answer; the next request must see it.
    await lastUseWritten();
    server.clock.pass(30 * DAY - MINUTE);
    assert.equal(await server.statusOf(person.token), 200);
    await lastUseWritten();
    server.clock.pass(30 * DAY);
    assert.equal(await server.statusOf(person.token), 401);
  });

  it('end after 180 days, however much they are used', async () => {
    const person = await server.person('Jan');
    for (let month = 0; month < 8; month += 1) {
      server.clock.pass(20 * DAY);
      assert.equal(await server.statusOf(person.token), 200, `after ${(month + 1) * 20} days`);
      await lastUseWritten();
    }
    server.clock.pass(20 * DAY);
    assert.equal(await server.statusOf(person.token), 401);
  });

  it('show their last use to the minute', async () => {
    const person = await server.person('Kim');
    const lastUse = async (): Promise<number> => {
      const { body } = await server.call('GET', '/auth/sessions', { token: person.token });
      await lastUseWritten();
      return Date.parse((body['sessions'] as { last_used_at: string }[])[0]?.last_used_at ?? '');
    };
    const first = await lastUse();
    server.clock.pass(30_000);
    assert.equal(await lastUse(), first);
    server.clock.pass(31_000);
    await lastUse();
    assert.ok((await lastUse()) >= first + 61_000);
  });

  it('are at most a hundred a user: the one that was not used for longest gives way', async () => {
    const person = await server.person('Lea');
    const account = await server.app.get(Accounts, { strict: false }).find(person.id);
    const sessions = server.app.get(Sessions, { strict: false });
    const tokens: string[] = [];
    for (let session = 0; session < 100; session += 1) {
      tokens.push(await sessions.start(account!, 'mobile', ''));
      server.clock.pass(LAST_USE_WRITTEN_EVERY_MS);
      assert.equal(await server.statusOf(person.token), 200);
      await lastUseWritten();
    }
    assert.equal(await server.statusOf(tokens[0] ?? ''), 401);
    assert.equal(await server.statusOf(tokens[1] ?? ''), 200);
    const { body } = await server.call('GET', '/auth/sessions', { token: tokens[99] });
    assert.equal((body['sessions'] as unknown[]).length, 100);
  });

  async function lastUseWritten(): Promise<void> {
    await server.app.get(LastUse, { strict: false }).flush();
  }
});
