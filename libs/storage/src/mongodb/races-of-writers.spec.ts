import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { drawDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';
import { AnswerProxy } from './answer-proxy.fixture.js';
import { COUNTED } from './every-operation.fixture.js';
import { SORTED_DOCUMENTS_MIN } from './guarded-writes.js';
import { MongoDocuments } from './mongo-documents.js';

if (canStartMongod()) {
  describe('two processes that put the same new documents', () => {
    let server: MongodServer;
    let proxy: AnswerProxy;
    let one: MongoDocuments;
    let other: MongoDocuments;

    before(async () => {
      const started = await startMongod({ replicaSet: false });
      assert.ok(started);
      server = started;
      proxy = await AnswerProxy.start(server.port);
      const database = drawDatabase();
      const open = (port: number): MongoDocuments =>
        MongoDocuments.open({ url: urlOfDatabase(`mongodb://127.0.0.1:${port}/`, database) });
      one = open(proxy.port);
      other = open(server.port);
      await one.ensure([COUNTED]);
      await other.ensure([COUNTED]);
    });
    after(async () => {
      await one.close();
      await other.close();
      await proxy.stop();
      await server.stop();
    });

    // Every other one comes first from the other process, half of these at a later revision.
    for (const documents of [SORTED_DOCUMENTS_MIN, 2]) {
      it(`leave the greatest revision of each, ${documents} at a time`, async () => {
        const keys = Array.from({ length: documents }, (_, at) => `${documents}|${at}`);
        const theirs = keys
          .filter((_, at) => at % 2 === 0)
          .map((key, at) => ({ key, revision: at % 2 === 0 ? 1 : 3, text: 'theirs' }));
        const arrived = proxy.holdNext(documents < SORTED_DOCUMENTS_MIN ? 'update' : 'insert');
        const written = one.put(
          COUNTED,
          keys.map(key => ({ key, revision: 2, text: 'ours' })),
        );
        const letGo = await arrived;
        await other.put(COUNTED, theirs);
        letGo();
        await written;
        const newer = new Set(theirs.filter(({ revision }) => revision === 3).map(({ key }) => key));
        for (const { key, revision, text } of await other.getMany(COUNTED, keys)) {
          assert.deepEqual([revision, text], newer.has(key) ? [3, 'theirs'] : [2, 'ours'], key);
        }
      });
    }
  });
}
