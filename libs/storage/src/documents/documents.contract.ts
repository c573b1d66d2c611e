import { after, before, describe } from 'node:test';
import { collectionsContract } from './contract/collections.contract.js';
import { indexedContract } from './contract/indexed.contract.js';
import { keyContract } from './contract/keys.contract.js';
import { clockContract, contentContract, expiryContract } from './contract/lifetime.contract.js';
import { queryContract, whereContract } from './contract/queries.contract.js';
import { modelContract, raceContract } from './contract/races.contract.js';
import {
  drawName,
  INDEXES,
  type Context,
  type DocumentsAdapter,
  type Sample,
} from './contract/sample.fixture.js';
import {
  conditionalContract,
  plainContract,
  putContract,
  uniqueContract,
} from './contract/writes.contract.js';
import type { Collection, Documents } from './documents.js';

/** States every sentence of the port `Documents` about one adapter. To be called by a spec. */
export function documentsContract(name: string, adapter: DocumentsAdapter): void {
  describe(`${name}: documents`, () => {
    for (const durability of ['durable', 'derived'] as const) {
      describe(`of a ${durability} collection`, () => collectionContract(adapter, durability));
    }
    describe('of a collection without indexes', () =>
      plainContract(openContext(adapter, { name: drawName(), durability: 'derived', indexes: [] })));
    describe('of several collections', () => collectionsContract(adapter));
    describe('by computed fields', () => indexedContract(adapter));
    if (adapter.clock === 'given') describe('by a given clock', () => clockContract(adapter));
  });
}

function collectionContract(adapter: DocumentsAdapter, durability: Collection<Sample>['durability']): void {
  const context = openContext(adapter, { name: drawName(), durability, indexes: INDEXES });
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

/** A store with one collection, open while the tests of the present `describe` run. */
function openContext(adapter: DocumentsAdapter, collection: Collection<Sample>): Context {
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
  return {
    get documents() {
      return documents;
    },
    collection,
    household: () => `h${String((households += 1)).padStart(4, '0')}`,
  };
}
