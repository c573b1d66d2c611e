// A household is deleted at one of two API processes, under load at both; then everything is built again from a log
// that still tells of it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { monotonicFactory } from 'ulid';
import { ledger } from '../cli/ledger-program.scenario.js';
import type { Answer, LedgerProcess } from '../ledger-process.js';
import { dumpDatabase } from '../stored-bytes.js';
import { canStartServers, Cluster } from './cluster.scenario.js';

const SECRET = 'a-merchant-of-the-deleted-household';
const WRITERS = 8;
const WRITES_MAX = 60;

function erased(): void {
  let cluster: Cluster;
  let token: string;
  let household: string;
  const ulid = monotonicFactory();

  before(async () => {
    cluster = await Cluster.start({ apis: 2, projectors: 1 });
    const [api] = cluster.apis;
    token = await api!.signUp(cluster.directory, 'owner@example.org');
    const { body } = await api!.call('POST', '/households', { token, body: { name: 'Elm' } });
    household = String(body['id']);
    await spend(api!, token);
  });
  after(() => cluster.stop());

  const dump = (): Promise<string> => dumpDatabase(cluster.servers.environment['MONGODB_URL']!);

  function spend(api: LedgerProcess, as: string, id: string | null = household): Promise<Answer> {
    const body = { id: ulid(), type: 'expense', amount: 5, date: '2026-01-10', merchant: SECRET, splits: [] };
    return api.call('POST', '/transactions', {
      token: as,
      body,
      ...(id !== null && { headers: { 'X-Service-Household': id } }),
    });
  }

  it('is gone at both from then on, and nothing that was under way stays', async () => {
    assert.ok((await dump()).includes(SECRET));
    const [one, other] = cluster.apis as [LedgerProcess, LedgerProcess];
    let recorded = 0;
    const writer = async (_: unknown, at: number): Promise<void> => {
      for (let write = 0; write < WRITES_MAX; write++) {
        const { status, body } = await spend(at % 2 === 0 ? one : other, token);
        if (status === 201) recorded++;
        else return assert.deepEqual([status, body['code']], [403, 'not_a_member']);
      }
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, writer));
    await one.until(async () => recorded > WRITERS, 'to record something');
    const removed = await one.call('DELETE', `/households/${household}`, { token, body: { name: 'Elm' } });
    assert.equal(removed.status, 204);
    assert.equal((await spend(other, token)).status, 403);
    await writing;
    await one.until(async () => !(await dump()).includes(SECRET), 'to erase everything');
  });

  it('does not come back by a rebuild, nor by a projector that starts from the beginning', async () => {
    const { directory, servers } = cluster;
    const environment = servers.environment;
    const projector = await cluster.addProjector();
    await projector.ready();
    const rebuilt = await ledger(['projections', 'rebuild'], { directory, environment });
    assert.equal(rebuilt.code, 0, rebuilt.stderr);
    assert.ok(!(await dump()).includes(SECRET));
    const verified = await ledger(['projections', 'verify'], { directory, environment });
    assert.match(verified.stdout, /^Sound: /m);
  });
}

if (canStartServers()) describe('a household that is deleted at two API processes', erased);
