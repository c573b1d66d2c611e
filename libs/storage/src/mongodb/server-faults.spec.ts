import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';
import { until } from '../../../../test/until.js';
import { DocumentsUnavailable } from '../documents/documents.js';
import { COUNTED, everyOperation, type Counted } from './every-operation.fixture.js';
import { MongoDocuments } from './mongo-documents.js';

const WRITERS = 8;
const KILLS = 3;
/** Acknowledged writes before each kill. */
const WRITES_BEFORE_KILL = 150;
/** So short that an election, too, ends within an operation's deadline on a busy machine. */
const STEP_DOWN_SECONDS = 1;
const AVAILABLE_MS_MAX = 120_000;
const PASSWORD = 'p4ss-w0rd';

if (canStartMongod()) {
  for (const replicaSet of [true, false]) {
    describe(`MongoDB, ${replicaSet ? 'a replica set' : 'standalone'}, that fails`, () =>
      serverFaults(replicaSet));
  }
  describe('MongoDB with access control', accessFaults);
}

function serverFaults(replicaSet: boolean): void {
  let server: MongodServer;
  let documents: MongoDocuments;

  before(async () => {
    const started = await startMongod({ replicaSet });
    assert.ok(started);
    server = started;
    documents = MongoDocuments.open({ url: urlOfDatabase(server.url, drawDatabase()) });
    await documents.ensure([COUNTED]);
  });
  after(async () => {
    await documents.close();
    await server.stop();
  });

  it('loses no answered write when it is killed under writers', async () => {
    const writers = Array.from({ length: WRITERS }, (_, number) => new Writer(documents, `w${number}`));
    const running = writers.map(writer => writer.run());
    const acknowledged = (): number => writers.reduce((sum, { answered }) => sum + answered, 0);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await until(() => acknowledged() >= kill * WRITES_BEFORE_KILL);
      await server.restart();
    }
    await until(() => acknowledged() >= (KILLS + 1) * WRITES_BEFORE_KILL);
    for (const writer of writers) writer.stop();
    await Promise.all(running);
    for (const writer of writers) await writer.assertNothingLost();
  });

  it('may be opened before it is there', async () => {
    await server.kill();
    const early = MongoDocuments.open({ url: urlOfDatabase(server.url, drawDatabase()) });
    try {
      await assert.rejects(early.ensure([COUNTED]), DocumentsUnavailable);
      await server.restart();
      await untilAvailable(early);
      await early.ensure([COUNTED]);
      await early.insert(COUNTED, { key: 'k', revision: 1 });
    } finally {
      await early.close();
    }
  });

  // The rest takes long, and the kind of server makes no difference to it.
  if (!replicaSet) return;

  it('fails every operation while it is frozen, and goes on', async () => {
    await documents.put(COUNTED, [{ key: 'k', revision: 2 }]);
    server.freeze();
    await Promise.all(
      Object.entries(everyOperation(documents)).map(([name, operation]) =>
        assert.rejects(operation(), DocumentsUnavailable, name),
      ),
    );
    server.thaw();
    await untilAvailable(documents);
    await documents.put(COUNTED, [{ key: 'k', revision: 20 }]);
    assert.equal((await documents.get(COUNTED, 'k'))?.revision, 20);
  });

  it('fails fast once it has been away for long, and goes on when it comes', async () => {
    await server.kill();
    await assert.rejects(
      documents.ping(),
      /^DocumentsUnavailable: MongoDB at 127\.0\.0\.1:\d+ refuses connections/,
    );
    await assert.rejects(documents.get(COUNTED, 'k'), DocumentsUnavailable);
    // Who has just come waits for the whole deadline.
    const newcomer = MongoDocuments.open({ url: urlOfDatabase(server.url, drawDatabase()) });
    const failed: string[] = [];
    const ping = async (name: string, from: MongoDocuments): Promise<void> => {
      await assert.rejects(from.ping(), DocumentsUnavailable);
      failed.push(name);
    };
    await Promise.all([ping('newcomer', newcomer), ping('known', documents)]);
    assert.deepEqual(failed, ['known', 'newcomer']);
    await newcomer.close();
    await server.restart();
    await untilAvailable(documents);
    assert.equal((await documents.get(COUNTED, 'k'))?.revision, 20);
  });

  it('is waited for while its primary steps down', async () => {
    const writers = Array.from({ length: WRITERS }, (_, number) => new Writer(documents, `step${number}`));
    const running = writers.map(writer => writer.run());
    await until(() => writers.every(({ answered }) => answered >= 3));
    await server.command({
      replSetStepDown: STEP_DOWN_SECONDS,
      secondaryCatchUpPeriodSecs: 0,
      force: true,
    });
    const atStepDown = writers.map(({ answered }) => answered);
    await until(() => writers.every(({ answered }, index) => answered >= atStepDown[index]! + 3));
    for (const writer of writers) writer.stop();
    await Promise.all(running);
    for (const writer of writers) {
      assert.equal(writer.failed, 0);
      await writer.assertNothingLost();
    }
  });
}

/** Makes one document after the other: inserts it, replaces it, and puts it. */
class Writer {
  /** Answered writes. */
  answered = 0;
  /** Writes that were not. */
  failed = 0;
  private readonly written = new Map<string, Counted>();
  private isStopping = false;

  constructor(
    private readonly documents: MongoDocuments,
    private readonly name: string,
  ) {}

  async run(): Promise<void> {
    for (let number = 0; !this.isStopping; number += 1) {
      const document = { key: `${this.name}|${number}`, revision: 1, group: this.name, count: number };
      await this.write(document, () => this.documents.insert(COUNTED, document));
      const replacement = { ...document, revision: 2 };
      await this.write(replacement, async () => {
        const isThere = this.written.has(document.key);
        assert.equal((await this.documents.replace(COUNTED, replacement, 1)) || !isThere, true);
      });
      const put = { ...document, revision: 3 };
      await this.write(put, () => this.documents.put(COUNTED, [put]));
    }
  }

  stop(): void {
    this.isStopping = true;
  }

  async assertNothingLost(): Promise<void> {
    const puts = [...this.written.values()];
    // Whatever was answered may be put again and changes nothing.
    await this.documents.put(COUNTED, puts);
    const found = await this.documents.getMany(COUNTED, [...this.written.keys()]);
    const revisions = new Map(found.map(({ key, revision }) => [key, revision]));
    for (const { key, revision } of puts) assert.ok((revisions.get(key) ?? 0) >= revision, key);
  }

  private async write(document: Counted, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.answered += 1;
      this.written.set(document.key, document);
    } catch (error) {
      if (!(error instanceof DocumentsUnavailable)) throw error;
      this.failed += 1;
    }
  }
}

function accessFaults(): void {
  let server: MongodServer;
  before(async () => {
    const started = await startMongod({ replicaSet: false, auth: true });
    assert.ok(started);
    server = started;
    await server.command({
      createUser: 'admin',
      pwd: PASSWORD,
      roles: [{ role: 'root', db: 'admin' }],
    });
  });
  after(() => server.stop());
  const openAs = (userInfo: string, database = drawDatabase()): MongoDocuments =>
    MongoDocuments.open({
      url: urlOfDatabase(server.url.replace('//', `//${userInfo}`), database).replace(
        /[?].*|$/,
        '?authSource=admin',
      ),
    });
  const refuses = async (documents: MongoDocuments, words: RegExp): Promise<void> => {
    try {
      await assert.rejects(documents.ensure([COUNTED]), (error: unknown) => {
        assert.ok(error instanceof DocumentsUnavailable);
        assert.match(error.message, words);
        assert.match(error.message, /^MongoDB at 127\.0\.0\.1:\d+ [^\n]*\.$/);
        assert.doesNotMatch(`${error.stack}${String(error.cause)}`, /p4ss|wrong-w0rd/);
        return true;
      });
    } finally {
      await documents.close();
    }
  };

  it('serves the user of the URL', async () => {
    const documents = openAs(`admin:${PASSWORD}@`);
    await documents.ensure([COUNTED]);
    await documents.insert(COUNTED, { key: 'k', revision: 1 });
    await documents.close();
  });

  it('says that the password is wrong', () =>
    refuses(openAs('admin:wrong-w0rd@'), /rejects the user or password of MONGODB_URL/));

  it('says that the user is unknown', () =>
    refuses(openAs(`nobody:${PASSWORD}@`), /rejects the user or password of MONGODB_URL/));

  it('says that a user is needed', () => refuses(openAs(''), /does not allow the user of MONGODB_URL/));
}

async function untilAvailable(documents: MongoDocuments): Promise<void> {
  const deadline = performance.now() + AVAILABLE_MS_MAX;
  for (;;) {
    try {
      await documents.ping();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}
