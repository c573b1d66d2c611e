import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { drawDatabase, dropDatabase, urlOfDatabase } from '#test-servers/databases';
import { canStartMongod, startMongod, type MongodServer } from '#test-servers/mongod-server';
import { documentsContract } from '../documents/documents.contract.js';
import { MongoDocuments } from './mongo-documents.js';

const database = drawDatabase();

function contract(name: string, url: () => string): void {
  after(() => dropDatabase(url()));
  documentsContract(name, {
    open: async options => MongoDocuments.open({ url: url(), ...options }),
    openBeside: async () => MongoDocuments.open({ url: url(), readOnly: true }),
    clock: 'given',
  });
}

const given = process.env['MONGODB_URL'];
if (given) {
  describe('with the server at MONGODB_URL', () => contract('MongoDB', () => urlOfDatabase(given, database)));
} else if (canStartMongod()) {
  for (const [what, replicaSet] of [
    ['a replica set', true],
    ['a standalone server', false],
  ] as const) {
    describe(`with ${what} of our own`, () => {
      let server: MongodServer | null = null;
      before(async () => {
        server = await startMongod({ replicaSet });
      });
      contract(`MongoDB, ${what}`, () => {
        assert.ok(server);
        return urlOfDatabase(server.url, database);
      });
      after(() => server?.stop());
    });
  }
}
