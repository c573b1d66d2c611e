// Two API processes on one MongoDB, and Redis behind the mails: of simultaneous redemptions of one link, and of
// simultaneous acceptances of one invite, exactly one wins.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Answer, LedgerProcess } from '../ledger-process.js';
import { mailedToken } from '../mailed-token.js';
import { canStartServers, Cluster } from './cluster.scenario.js';

const AT_ONCE = 20;
const ROUNDS = 3;
const PASSWORD = 'four-jars-on-a-shelf';

function races(): void {
  let cluster: Cluster;

  before(async () => {
    cluster = await Cluster.start({ apis: 2, projectors: 1 });
  });
  after(() => cluster.stop());

  const outbox = (): string => join(cluster.directory, 'outbox');
  const first = (): LedgerProcess => cluster.apis[0]!;

  /** One call many times at the same moment, at both processes. */
  const atBoth = (call: (api: LedgerProcess) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, index) => call(cluster.apis[index % 2]!)));

  const outcomes = (answers: readonly Answer[]): Record<string, number> => {
    const counted: Record<string, number> = {};
    for (const { status, body } of answers) {
      const outcome = status < 300 ? String(status) : `${status} ${body['code'] as string}`;
      counted[outcome] = (counted[outcome] ?? 0) + 1;
    }
    return counted;
  };

  it('one link is redeemed once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = `redeemer${round}@example.org`;
      await first().call('POST', '/auth/password/sign-up', {
        body: { email, name: 'Ann', password: PASSWORD },
      });
      const token = await mailedToken(outbox(), email, 'verify');
      const body = { token, client: 'mobile' };
      const answers = await atBoth(api => api.call('POST', '/auth/password/verify', { body }));
      assert.deepEqual(outcomes(answers), { '200': 1, '410 invalid_link': AT_ONCE - 1 });
      const session = String(answers.find(({ status }) => status === 200)!.body['token']);
      for (const api of cluster.apis) {
        const { status, body: me } = await api.call('GET', '/me', { token: session });
        assert.deepEqual([status, (me['households'] as unknown[]).length], [200, 1]);
      }
    }
  });

  it('one password link is redeemed once', async () => {
    const email = 'resetter@example.org';
    await first().signUp(cluster.directory, email);
    await first().call('POST', '/auth/password/forgot', { body: { email } });
    const token = await mailedToken(outbox(), email, 'reset');
    const reset = (api: LedgerProcess): Promise<Answer> =>
      api.call('POST', '/auth/password/reset', { body: { token, password: 'another password entirely' } });
    assert.deepEqual(outcomes(await atBoth(reset)), { '204': 1, '410 invalid_link': AT_ONCE - 1 });
  });

  it('one invite is accepted once, or declined, or revoked', async () => {
    const host = await first().signUp(cluster.directory, 'host@example.org');
    const guest = await first().signUp(cluster.directory, 'guest@example.org');
    const { body: home } = await first().call('GET', '/me', { token: host });
    const { body: me } = await first().call('GET', '/me', { token: guest });
    const household = String(home['default_household_id']);
    const userId = (me['user'] as { readonly id: string }).id;
    const members = async (api: LedgerProcess): Promise<number> => {
      const { body } = await api.call('GET', `/households/${household}/members`, { token: host });
      return (body['members'] as unknown[]).length;
    };
    for (let round = 0; round < ROUNDS; round++) {
      const body = { email: 'guest@example.org' };
      const invites = `/households/${household}/invites`;
      const { body: invite } = await first().call('POST', invites, { token: host, body });
      const id = String(invite['id']);
      const accept = (api: LedgerProcess): Promise<Answer> =>
        api.call('POST', `/invites/${id}/accept`, { token: guest });
      if (round === 0) {
        const lost = { '409 invite_not_pending': AT_ONCE - 1 };
        assert.deepEqual(outcomes(await atBoth(accept)), { '200': 1, ...lost });
      } else {
        const [one, other] = cluster.apis as [LedgerProcess, LedgerProcess];
        const rival = (api: LedgerProcess): Promise<Answer> =>
          round === 1
            ? api.call('POST', `/invites/${id}/decline`, { token: guest })
            : api.call('DELETE', `${invites}/${id}`, { token: host });
        const answers = await Promise.all([accept(one), rival(other), accept(other), rival(one)]);
        assert.equal(
          answers.filter(({ status }) => status < 300).length,
          1,
          JSON.stringify(outcomes(answers)),
        );
        assert.equal(answers.filter(({ status }) => status === 409).length, 3);
      }
      const counts = await Promise.all(cluster.apis.map(members));
      assert.equal(counts[0], counts[1]);
      if (round === 0) assert.equal(counts[0], 2);
      if (counts[0] === 2) {
        const path = `/households/${household}/members/${userId}`;
        assert.equal((await first().call('DELETE', path, { token: host })).status, 204);
      }
    }
  });

  it('one Idempotency-Key makes one household', async () => {
    const token = await first().signUp(cluster.directory, 'owner@example.org');
    const headers = { 'Idempotency-Key': 'once' };
    const answers = await atBoth(api =>
      api.call('POST', '/households', { token, headers, body: { name: 'Elm' } }),
    );
    assert.deepEqual(outcomes(answers), { '200': AT_ONCE - 1, '201': 1 });
    const { body } = await first().call('GET', '/households', { token });
    assert.equal((body['households'] as unknown[]).length, 2);
  });
}

if (canStartServers()) describe('identity at two API processes', races);
