import { after, before, describe } from 'node:test';
import { collectionsContract } from './contract/collections.contract.js';
import { indexedContract } from './contract/indexed.contract.js';
import { keyContract } from './contract/keys.contract.js';
import { clockContract, contentContract, expiryContract } from './contract/lifetime.contract.js';
import { queryContract, whereContract } from './contract/queries.contract.js';
import { modelContract, raceContract } from './contract/races.contract.js';
import { drawName, INDEXES } from './contract/sample.js';
import type { Context, DocumentsAdapter, Sample } from './contract/sample.js';
import { conditionalContract, putContract, uniqueContract } from './contract/writes.contract.js';
import type { Collection, Documents } from './documents.js';

/** States every sentence of the port `Documents` about one adapter. To be called by a spec. */
export function documentsContract(name: string, adapter: DocumentsAdapter): void {
  describe(`${name}: documents`, () => {
    for (const durability of ['durable', 'derived'] as const) {
      describe(`of a ${durability} collection`, () => collectionContract(adapter, durability));
    }
    describe('of several collections', () => collectionsContract(adapter));
    describe('by computed fields', () => indexedContract(adapter));
    if (adapter.clock === 'given') describe('by a given clock', () => clockContract(adapter));
  });
}

function collectionContract(adapter: DocumentsAdapter, durability: Collection<Sample>['durability']): void {
  const collection: Collection<Sample> = { name: drawName(), durability, indexes: INDEXES };
  let documents: Documents;
  let households = 0;

  before(async () => {
    documents = await adapter.open({});
    await documents.ensure([collection]);
  });
  after(async () => {
    await documents.drop(collection.name);
    await documents.close();
  });

  const context: Context = {
    get documents() {
      return documents;
    },
    collection,
    household: () => `h${String((households += 1)).padStart(4, '0')}`,
  };
  describe('put', () => putContract(context));
  describe('insert, replace and remove', () => conditionalContract(context));
  describe('unique indexes', () => uniqueContract(context));
  describe('keys', () => keyContract(context));
  describe('queries', () => queryContract(context));
  describe('conditions', () => whereContract(context));
  describe('content', () => contentContract(context));
  describe('expiry', () => expiryContract(context));
  describe('races', () => raceContract(context));
  describe('random histories', () => modelContract(context));
}
