// The service while MongoDB is killed, frozen, or not there yet: no command is half done, and what the event store
// had accepted shows when MongoDB is back.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { AnswerProxy } from '#storage/mongodb/answer-proxy.fixture';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';
import { LedgerProcess } from '../ledger-process.js';
import { assertUnavailable, Budget, freshId, retried, SHARED_ENVIRONMENT } from './budget.scenario.js';
import { failingChecks } from './event-store-away.scenario.js';
import { FakeEventStore, startEventStore, type EventStoreServer } from './event-store-server.scenario.js';
import { Link } from './link.scenario.js';

const WRITERS = 8;
const ANSWERS_BEFORE_KILL = 40;

/** One server on an event store and a MongoDB, with embedded jobs. */
class Place {
  readonly directory = mkdtempSync(join(tmpdir(), 'documents-away-'));
  server!: LedgerProcess;
  budget!: Budget;
  private readonly database = drawDatabase();

  /** @param mongodbUrl without a database */
  async start(eventStoreUrl: string, mongodbUrl: string): Promise<void> {
    const urls = { EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: urlOfDatabase(mongodbUrl, this.database) };
    const environment = { ...SHARED_ENVIRONMENT, ...urls };
    this.server = await LedgerProcess.start({ directory: this.directory, environment });
  }

  async begin(): Promise<void> {
    const { server } = this;
    await server.ready();
    this.budget = await Budget.begin(server, await server.signUp(this.directory));
  }

  async end(): Promise<void> {
    await this.server.end('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Every transaction is there once and counts in the figures. */
  async assertWhole(expected: readonly string[]): Promise<void> {
    const { budget, server } = this;
    const ids = await budget.transactionIds(server);
    assert.deepEqual([...ids].sort(), [...expected].sort());
    assert.equal(await budget.spentTransactions(server), ids.length);
  }
}

/** Posts until the store is taken away. @returns ids of what was answered, and of what was not */
async function writeUntil(
  { budget, server }: Place,
  takeAway: () => Promise<unknown>,
): Promise<{ readonly answered: string[]; readonly unclear: string[] }> {
  const answered: string[] = [];
  const unclear: string[] = [];
  let taken: Promise<unknown> | undefined;
  const writer = async (): Promise<void> => {
    for (;;) {
      const id = freshId();
      const answer = await budget.spend(server, id);
      if (answer.status !== 201) {
        assertUnavailable(answer);
        unclear.push(id);
        return;
      }
      answered.push(id);
      if (answered.length >= ANSWERS_BEFORE_KILL) taken ??= takeAway();
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await taken;
  return { answered, unclear };
}

function whileMongoDbIsAway(): void {
  let store: EventStoreServer;
  let mongod: MongodServer;
  const place = new Place();
  const known: string[] = [];

  before(async () => {
    const started = await startMongod({ replicaSet: true });
    assert.ok(started);
    mongod = started;
    store = await startEventStore();
    await place.start(store.url, mongod.url);
    await place.begin();
  });
  after(async () => {
    await place.end();
    await store.stop();
    await mongod.stop();
  });

  for (const [what, takeAway, giveBack] of [
    ['killed', () => mongod.kill(), () => mongod.restart()],
    ['frozen', async () => mongod.freeze(), async () => mongod.thaw()],
  ] as const) {
    it(`${what} under load: 503 meanwhile, nothing half done, every repetition recognised`, async () => {
      const { budget, server } = place;
      const { answered, unclear } = await writeUntil(place, takeAway);
      try {
        assertUnavailable(await budget.addGroup(server, what, what));
        const query = await server.call('GET', '/months/2026-01', { token: budget.token });
        assertUnavailable(query);
        assert.ok((await fetch(`${server.url}/health/live`)).ok);
        assert.match((await failingChecks(server)).get('documents') ?? '', /MongoDB|no answer/);
      } finally {
        await giveBack();
      }
      await server.ready();
      // A stream is projected in its order: when this one shows, so does all that was recorded before it.
      const later = freshId();
      assert.equal((await retried(server, () => budget.spend(server, later))).status, 201);
      known.push(...answered, later);
      const present = await budget.transactionIds(server);
      for (const id of known) assert.ok(present.includes(id), `${id} was answered and is there`);
      await place.assertWhole(present);
      for (const id of unclear) {
        const { status } = await retried(server, () => budget.spend(server, id));
        assert.ok(status === 201 || status === 200, `${id}: ${status}`);
        if (present.includes(id)) assert.equal(status, 200);
      }
      known.push(...unclear);
      await place.assertWhole(known);
      const added = await retried(server, () => budget.addGroup(server, what, what));
      assert.ok(added.status === 201 || added.status === 200, JSON.stringify(added.body));
      assert.equal((await budget.groupNames(server)).filter(name => name === what).length, 1);
    });
  }

  it('a server that starts before it says what it waits for, and serves when it comes', async () => {
    const early = new Place();
    await mongod.kill();
    try {
      await early.start(store.url, mongod.url);
      const checks = await failingChecks(early.server);
      assert.match(checks.get('preparation') ?? '', /MongoDB/);
      await early.server.until(
        async () => /waiting for a server/.test(early.server.said),
        'to say what it waits for',
      );
      assertUnavailable(await early.server.call('GET', '/me', { token: 'any' }));
      await mongod.restart();
      await early.begin();
      assert.equal((await early.budget.spend(early.server)).status, 201);
    } finally {
      await early.end();
    }
  });
}

/** Between the append and the read models: the moment in which a command is recorded, and not yet to be seen. */
function betweenTheStores(): void {
  let store: FakeEventStore;
  let mongod: MongodServer;
  let link: Link;
  let proxy: AnswerProxy;
  const place = new Place();

  before(async () => {
    const started = await startMongod({ replicaSet: true });
    assert.ok(started);
    mongod = started;
    proxy = await AnswerProxy.start(mongod.port);
    link = await Link.to(proxy.port);
    store = await FakeEventStore.start();
    // Asked directly: else the driver would go to the address that the replica set names, past the link.
    await place.start(store.url, `mongodb://127.0.0.1:${link.port}/?directConnection=true`);
    await place.begin();
  });
  after(async () => {
    await place.end();
    await link.close();
    await proxy.stop();
    await store.stop();
    await mongod.stop();
  });

  it('what the event store accepted is projected afterwards, without any further command', async () => {
    const { budget, server } = place;
    const { log } = store.fake;
    const append = log.append.bind(log);
    log.append = (...events) => {
      link.hold();
      return append(...events);
    };
    const id = freshId();
    assertUnavailable(await budget.spend(server, id));
    log.append = append;
    link.release();
    await server.until(async () => (await budget.transactionIds(server)).includes(id), 'to project it');
    await place.assertWhole([id]);
    const { status, headers } = await budget.spend(server, id);
    assert.deepEqual([status, headers.get('idempotent-replay')], [200, 'true']);
    await place.assertWhole([id]);
  });

  it('commands and answers that are lost on the way make nothing twice', async () => {
    const { budget, server } = place;
    const expected = await budget.transactionIds(server);
    for (const command of ['update', 'find', 'insert', 'aggregate']) {
      for (const loss of ['command', 'answer'] as const) {
        proxy.loseNext(command, loss);
        const id = freshId();
        const { status } = await retried(server, () => budget.spend(server, id));
        assert.ok(status === 201 || status === 200, `${command}, ${loss}: ${status}`);
        expected.push(id);
      }
    }
    assert.ok(proxy.losses >= 2, `${proxy.losses} connections were broken`);
    await place.assertWhole(expected);
  });
}

if (canStartMongod()) {
  describe('while MongoDB is away', whileMongoDbIsAway);
  describe('between the event store and MongoDB', betweenTheStores);
}
