import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';
import { DocumentsUnavailable, DuplicateKey } from '../documents/documents.js';
import { AnswerProxy, type Loss } from './answer-proxy.fixture.js';
import { COUNTED } from './every-operation.fixture.js';
import { MongoDocuments } from './mongo-documents.js';

if (canStartMongod()) {
  for (const [what, replicaSet] of [
    // Asked directly: else the driver would go to the address that the replica set names, past the proxy.
    ['a replica set, where the driver repeats writes by itself', true],
    ['a standalone server, where it does not', false],
  ] as const) {
    describe(`Connections that break, with ${what}`, () => lostAnswers(replicaSet));
  }
}

function lostAnswers(replicaSet: boolean): void {
  let server: MongodServer;
  let proxy: AnswerProxy;
  let documents: MongoDocuments;
  let keys = 0;
  const draw = (): string => `k${(keys += 1)}`;

  before(async () => {
    const started = await startMongod({ replicaSet });
    assert.ok(started);
    server = started;
    proxy = await AnswerProxy.start(server.port);
    const url = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`;
    documents = MongoDocuments.open({ url: urlOfDatabase(url, drawDatabase()) });
    await documents.ensure([COUNTED]);
  });
  after(async () => {
    await documents.close();
    await proxy.stop();
    await server.stop();
  });

  /** Does the work while the connection breaks that its first such command takes. */
  const broken = async <R>(command: string, loss: Loss, work: () => Promise<R>): Promise<R> => {
    const { losses } = proxy;
    proxy.loseNext(command, loss);
    try {
      return await work();
    } finally {
      assert.equal(proxy.losses, losses + 1);
    }
  };

  for (const loss of ['command', 'answer'] as const) {
    describe(`before the ${loss} arrives`, () => {
      it('insert the document once', async () => {
        const document = { key: draw(), revision: 1, text: 'mine' };
        await broken('update', loss, () => documents.insert(COUNTED, document));
        assert.deepEqual(await documents.get(COUNTED, document.key), document);
        await assert.rejects(documents.insert(COUNTED, document), DuplicateKey);
      });

      it('replace the document once', async () => {
        const key = draw();
        await documents.insert(COUNTED, { key, revision: 1 });
        const replaced = await broken('update', loss, () =>
          documents.replace(COUNTED, { key, revision: 2, text: 'mine' }, 1),
        );
        assert.equal(replaced, true);
        assert.equal((await documents.get(COUNTED, key))?.text, 'mine');
      });

      it('put the documents', async () => {
        const [key, known] = [draw(), draw()];
        await documents.put(COUNTED, [{ key: known, revision: 1 }]);
        const some = [
          { key, revision: 2 },
          { key: known, revision: 2 },
        ];
        await broken('update', loss, () => documents.put(COUNTED, some));
        assert.deepEqual(await documents.getMany(COUNTED, [known, key]).then(byKey), byKey(some));
      });

      it('insert many new documents', async () => {
        const prefix = draw();
        const many = Array.from({ length: 100 }, (_, number) => ({
          key: `${prefix}|${number}`,
          revision: 1,
        }));
        await broken('insert', loss, () => documents.put(COUNTED, many));
        const range = { from: `${prefix}|`, before: `${prefix}~`, limit: 999 };
        assert.equal((await documents.range(COUNTED, range)).length, many.length);
      });

      it('read all the same', async () => {
        const key = draw();
        await documents.put(COUNTED, [{ key, revision: 1 }]);
        assert.equal((await broken('find', loss, () => documents.get(COUNTED, key)))?.revision, 1);
      });

      it('never tell two inserts of one key that both came through', async () => {
        const key = draw();
        const outcomes = await broken('update', loss, () =>
          Promise.allSettled(
            ['one', 'other'].map(text => documents.insert(COUNTED, { key, revision: 1, text })),
          ),
        );
        const won = ['one', 'other'].filter((_, index) => outcomes[index]?.status === 'fulfilled');
        assert.ok(won.length <= 1);
        const stored = await documents.get(COUNTED, key);
        if (won.length === 1) assert.equal(stored?.text, won[0]);
      });
    });
  }

  it('remove a document once, where the command did not arrive', async () => {
    const key = draw();
    await documents.put(COUNTED, [{ key, revision: 1 }]);
    assert.equal(await broken('delete', 'command', () => documents.remove(COUNTED, key)), true);
    assert.equal(await documents.get(COUNTED, key), null);
  });

  it(`${replicaSet ? 'say' : 'do not pretend to know'} whether they removed a document, where the answer did not arrive`, async () => {
    const key = draw();
    await documents.put(COUNTED, [{ key, revision: 1 }]);
    const removing = broken('delete', 'answer', () => documents.remove(COUNTED, key));
    if (replicaSet) assert.equal(await removing, true);
    else await assert.rejects(removing, /^DocumentsUnavailable: MongoDB at .* did not confirm whether/);
    assert.equal(await documents.get(COUNTED, key), null);
  });

  it('do not mistake a document of another writer for their own', async () => {
    const key = draw();
    await documents.insert(COUNTED, { key, revision: 1, text: 'other' });
    const inserting = broken('update', 'answer', () =>
      documents.insert(COUNTED, { key, revision: 1, text: 'mine' }),
    );
    await assert.rejects(inserting, replicaSet ? DuplicateKey : DocumentsUnavailable);
    assert.equal((await documents.get(COUNTED, key))?.text, 'other');
  });
}

function byKey(documents: readonly { readonly key: string }[]): unknown {
  return documents.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
