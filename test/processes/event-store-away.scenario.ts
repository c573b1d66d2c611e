// The service while its event store is killed, frozen, or not there yet.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { LedgerProcess } from '../ledger-process.js';
import { assertUnavailable, Budget, freshId, retried, SHARED_ENVIRONMENT } from './budget.scenario.js';
import type { EventStoreServer } from './event-store-server.scenario.js';

/** Commands of one household that come at once while it is away. */
const QUEUED = 6;

/** One server on an event store, with embedded documents and jobs. */
export class Place {
  readonly directory = mkdtempSync(join(tmpdir(), 'event-store-away-'));
  server!: LedgerProcess;
  budget!: Budget;

  async start(url: string): Promise<void> {
    const environment = { ...SHARED_ENVIRONMENT, EVENTSTORE_URL: url };
    this.server = await LedgerProcess.start({ directory: this.directory, environment });
  }

  async begin(): Promise<void> {
    const { server } = this;
    this.budget = await Budget.begin(server, await server.signUp(this.directory));
  }

  async end(): Promise<void> {
    await this.server.end('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export async function failingChecks(server: LedgerProcess): Promise<Map<string, string>> {
  const response = await fetch(`${server.url}/health/ready`);
  const { checks } = (await response.json()) as {
    readonly checks: readonly { readonly name: string; readonly status: string; readonly message: string }[];
  };
  const failing = checks.filter(({ status }) => status === 'failing');
  assert.equal(response.status, failing.length > 0 ? 503 : 200);
  return new Map(failing.map(({ name, message }) => [name, message]));
}

/** What holds of a server whose event store goes away, whichever it is. */
export function whileAway(start: () => Promise<EventStoreServer>): void {
  let store: EventStoreServer;
  const place = new Place();

  before(async () => {
    store = await start();
    await place.start(store.url);
    await place.begin();
  });
  after(async () => {
    await place.end();
    await store.stop();
  });

  for (const [what, takeAway, giveBack] of [
    ['killed', () => store.kill(), () => store.restart()],
    ['frozen', () => store.freeze(), () => store.thaw()],
  ] as const) {
    it(`${what}: commands answer 503, queries go on, and repetitions are recognised`, async () => {
      const { budget, server } = place;
      assert.equal((await budget.spend(server)).status, 201);
      const transactions = await budget.transactionIds(server);
      const month = (await budget.get(server, '/months/2026-01')).body;
      const ids = Array.from({ length: QUEUED }, () => freshId());
      const group = `${what} once`;
      await takeAway();
      try {
        const posts = await Promise.all(ids.map(id => budget.spend(server, id)));
        for (const post of posts) assertUnavailable(post);
        assertUnavailable(await budget.addGroup(server, group, what));
        assert.deepEqual((await budget.get(server, '/months/2026-01')).body, month);
        assert.deepEqual(await budget.transactionIds(server), transactions);
        assert.ok((await fetch(`${server.url}/health/live`)).ok);
        assert.match((await failingChecks(server)).get('event store') ?? '', /EventStoreDB|no answer/);
      } finally {
        await giveBack();
      }
      for (const attempt of ['first', 'second']) {
        for (const id of ids) {
          const { status, headers } = await retried(server, () => budget.spend(server, id));
          const isReplay = headers.get('idempotent-replay') === 'true';
          assert.equal(status, isReplay ? 200 : 201);
          if (attempt === 'second') assert.ok(isReplay);
        }
        const added = await retried(server, () => budget.addGroup(server, group, what));
        assert.ok(added.status === 200 || added.status === 201, JSON.stringify(added.body));
      }
      const today = await budget.transactionIds(server);
      assert.deepEqual([...today].sort(), [...transactions, ...ids].sort());
      assert.equal(await budget.spentTransactions(server), today.length);
      assert.equal((await budget.groupNames(server)).filter(name => name === group).length, 1);
      await server.until(async () => (await failingChecks(server)).size === 0, 'to be ready');
    });
  }

  it('a server that starts before it says what it waits for, and serves when it comes', async () => {
    const early = new Place();
    await store.kill();
    try {
      await early.start(store.url);
      assert.match((await failingChecks(early.server)).get('event store') ?? '', /EventStoreDB/);
      await early.server.until(
        async () => /projections wait|subscription dropped/.test(early.server.said),
        'to say what it waits for',
      );
      const token = await early.server.signUp(early.directory);
      assertUnavailable(await early.server.call('POST', '/months/2026-01', { token }));
      await store.restart();
      await early.server.ready();
      early.budget = await Budget.begin(early.server, token);
      assert.equal((await early.budget.spend(early.server)).status, 201);
      assert.equal(await early.budget.spentTransactions(early.server), 1);
    } finally {
      await early.end();
    }
  });
}
