import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SignUps } from '#identity/accounts/sign-up-records';
import { IdentityServer, PASSWORD, refused, useServer } from './identity.scenario.js';

const DAY = 24 * 3_600_000;

let server: IdentityServer;

useServer('sign-up', started => (server = started));

describe('POST /auth/password/sign-up', () => {
  it('refuses what is no sign-up, field by field', async () => {
    const wrong: [object, string][] = [
      [{ email: 'no address', password: PASSWORD, name: 'Ada' }, 'email'],
      [{ email: `${'a'.repeat(250)}@b.org`, password: PASSWORD, name: 'Ada' }, 'email'],
      [{ email: 'a@b.org', password: 'too short', name: 'Ada' }, 'password'],
      [{ email: 'a@b.org', password: 'x'.repeat(129), name: 'Ada' }, 'password'],
      [{ email: 'a@b.org', password: '🦉'.repeat(9), name: 'Ada' }, 'password'],
      [{ email: 'a@b.org', password: 'Password123', name: 'Ada' }, 'password'],
      [{ email: 'a@b.org', password: '1234567890', name: 'Ada' }, 'password'],
      [{ email: 'a@b.org', password: 'QwertyUiop', name: 'Ada' }, 'password'],
      [{ email: 'a@b.org', password: PASSWORD, name: ' ' }, 'name'],
      [{ email: 'a@b.org', password: PASSWORD, name: 'x'.repeat(101) }, 'name'],
      [{ email: 'a@b.org', password: PASSWORD }, 'name'],
      [{ email: 'a@b.org', password: PASSWORD, name: 'Ada', admin: true }, 'admin'],
    ];
    for (const [body, path] of wrong) {
      const answer = await server.visitor().post('sign-up', body);
      assert.deepEqual(refused(answer), [422, 'validation_failed'], path);
      const { fields } = answer.body['details'] as { fields: { path: string }[] };
      assert.deepEqual(
        fields.map(field => field.path),
        [path],
      );
    }
  });

  it('takes every length from 10 to 128 code points', async () => {
    for (const [index, password] of [
      'x'.repeat(10),
      'x'.repeat(128),
      '🦉'.repeat(10),
      '🦉'.repeat(128),
    ].entries()) {
      const email = `length-${index}@example.org`;
      assert.equal((await server.visitor().signUp(email, 'Ada', password)).status, 202, password);
      assert.equal(
        (await server.visitor().verify(await server.mailedToken(email, 'verify'))).status,
        200,
        password,
      );
      assert.equal((await server.visitor().signIn(email, password)).status, 200, password);
    }
  });

  it('lets 120 sign-ups wait at one address, of which the oldest give way', async () => {
    const signUps = server.app.get(SignUps, { strict: false });
    const email = 'popular@example.org';
    const ids: string[] = [];
    for (let one = 0; one < 122; one += 1) {
      ids.push(await signUps.add(email, { email, name: `Number ${one}`, passwordHash: 'no hash' }));
    }
    const waiting = (await signUps.find(email))?.signUps.map(({ id }) => id);
    assert.deepEqual(waiting, ids.slice(2));
  });

  it('a taken address gets a note, and the same answer', async () => {
    const person = await server.person('Taken');
    const answer = await server.visitor().signUp('TAKEN@example.org', 'Mallory', 'another password');
    assert.deepEqual([answer.status, answer.body], [202, {}]);
    const mail = (await server.mailsTo(person.email)).at(-1);
    assert.match(mail?.subject ?? '', /already have an account/);
    assert.deepEqual(mail?.links, ['https://app.example']);
    assert.equal((await server.visitor().signIn(person.email)).status, 200);
    assert.equal((await server.visitor().signIn(person.email, 'another password')).status, 401);
  });
});

describe('what a sign-up tells strangers', () => {
  it('is the same for new, unverified and taken addresses', async () => {
    const person = await server.person('Known');
    await server.visitor().signUp('unverified@example.org');
    for (const path of ['sign-up', 'resend', 'forgot']) {
      const answers = [];
      for (const email of [person.email, 'unverified@example.org', `fresh-${path}@example.org`]) {
        const body = path === 'sign-up' ? { email, password: PASSWORD, name: 'Eve' } : { email };
        answers.push(await server.visitor().post(path, body));
      }
      const shown = answers.map(({ status, body, headers }) => [
        status,
        body,
        [...headers.keys()].sort(),
        headers.get('content-length'),
      ]);
      assert.deepEqual(shown[0], shown[1], path);
      assert.deepEqual(shown[0], shown[2], path);
      assert.equal(shown[0]?.[0], 202);
    }
  });

  it('costs the same work for new, unverified and taken addresses, and where a link is over', async () => {
    const person = await server.person('Costly');
    await server.visitor().signUp('over@example.org');
    server.clock.pass(2 * DAY);
    await server.visitor().signUp('waiting@example.org');
    await server.queue.idle();
    server.queue.away = true;
    for (const path of ['sign-up', 'resend', 'forgot']) {
      const work: string[][] = [];
      for (const email of [
        person.email,
        'waiting@example.org',
        'over@example.org',
        `cheap-${path}@example.org`,
      ]) {
        const body = path === 'sign-up' ? { email, password: PASSWORD, name: 'Eve' } : { email };
        server.operations.length = 0;
        assert.equal((await server.visitor().post(path, body)).status, 202);
        // Whether an address was written to lately says nothing of accounts.
        work.push(
          server.operations.map(name => name.replace(/^replace (?=sign_ups|throttles)/, 'insert ')).sort(),
        );
      }
      assert.deepEqual(work[1], work[0], path);
      assert.deepEqual(work[2], work[0], path);
      assert.deepEqual(work[3], work[0], path);
      assert.ok(work[0]?.includes('insert mail_duties'));
    }
    server.queue.away = false;
  });
});
