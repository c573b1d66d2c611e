import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVERY_KEY } from '#storage/documents/declared';
import { Erasures } from '#storage/documents/erasures';
import { ACCOUNTS } from '#identity/accounts/account-records';
import { ErasureWork } from '#identity/erasure/erasure-work';
import { HOUSEHOLDS, INVITE_MS, SETTLED_INVITES } from '#identity/households/household-records';
import { IdentityJobs } from '#identity/mails/identity-jobs';
import {
  IdentityServer,
  PASSWORD,
  type Answer,
  type Person,
  refused,
  useServer,
} from './identity.scenario.js';

let server: IdentityServer;

useServer('erasure', started => (server = started));

let people = 0;

const work = (): ErasureWork => server.app.get(ErasureWork, { strict: false });

const settledInvites = (): Promise<unknown[]> =>
  server.documents.range(SETTLED_INVITES, { ...EVERY_KEY, limit: 100 });

const erasures = (): Erasures => new Erasures(server.documents);

describe('a deleted account', () => {
  const remove = (person: Person): Promise<Answer> =>
    server.call('DELETE', '/me', { token: person.token, body: { password: PASSWORD } });

  it('is gone at once, whatever fails behind it, and the next start finishes', async () => {
    for (const operation of [
      'remove households',
      'query sessions',
      'range settled_invites',
      'remove accounts',
    ]) {
      people += 1;
      const person = await server.person(`Leaver${people}`);
      const secret = await server.accessToken(person);
      const home = await server.person(`Home${people}`);
      await server.join(person, home, home.home);
      server.failing.add(operation);
      assert.equal((await remove(person)).status, 503, operation);
      for (const token of [person.token, secret]) {
        assert.deepEqual(
          refused(await server.call('GET', '/me', { token })),
          [401, 'unauthenticated'],
          operation,
        );
      }
      await work().finishAll();
      assert.equal(await server.documents.get(ACCOUNTS, person.id), null);
      assert.equal(await server.documents.get(HOUSEHOLDS, person.home), null);
      assert.equal((await erasures().find(person.id))?.finished, true);
      const { body } = await server.call('GET', `/households/${home.home}/members`, { token: home.token });
      assert.equal((body['members'] as unknown[]).length, 1);
    }
  });

  it('leaves its address in no invite, even one whose end was not recorded yet', async () => {
    const [host, person] = [await server.person('Host'), await server.person('Invited')];
    assert.equal((await server.invite(host, host.home, person.email)).status, 201);
    server.clock.pass(INVITE_MS);
    const { token } = (await server.signIn(person.email)).body;
    assert.equal((await remove({ ...person, token: String(token) })).status, 204);
    await server.app.get(IdentityJobs, { strict: false }).expireInvites();
    const stored = [await server.documents.get(HOUSEHOLDS, host.home), await settledInvites()];
    assert.doesNotMatch(JSON.stringify(stored), /invited@/i);
  });

  it('frees its address for somebody new', async () => {
    const person = await server.person('Again');
    assert.equal((await remove(person)).status, 204);
    const next = await server.person('Somebody', person.email);
    assert.notEqual(next.id, person.id);
    await work().repeatRecent();
    assert.equal((await server.call('GET', '/me', { token: next.token })).status, 200);
  });
});
