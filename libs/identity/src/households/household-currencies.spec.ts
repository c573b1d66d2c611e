import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Documents } from '#storage/documents/documents';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { recordCurrencies } from './households.js';
import { HouseholdDraft } from './household-draft.js';
import { HOUSEHOLDS, type HouseholdRecord } from './household-records.js';

/** More than are read at once. */
const HOUSEHOLDS_BEFORE = 450;

describe('recording the currencies of households made before there were any', () => {
  let directory: string;
  let documents: Documents;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ledger-currencies-'));
    documents = LedgerDatabase.open({ directory }).documents;
    await documents.ensure([HOUSEHOLDS]);
    for (let id = 1; id <= HOUSEHOLDS_BEFORE; id += 1) await insertFormer(`H${id}`);
  });
  after(async () => {
    await documents.close();
    await rm(directory, { recursive: true, force: true });
  });

  const made = (id: string, currency: string): HouseholdRecord =>
    HouseholdDraft.create({ id, name: 'Home', currency, ownerId: 'anna', personal: false, now: 0 });

  async function insertFormer(id: string): Promise<void> {
    const { currency: _, ...former } = made(id, 'EUR');
    await documents.insert(HOUSEHOLDS, former as HouseholdRecord);
  }

  const currencyOf = async (id: string) => (await documents.get(HOUSEHOLDS, id))?.currency;

  it('gives each the default one once', async () => {
    await documents.insert(HOUSEHOLDS, made('X', 'EUR'));
    await recordCurrencies(documents, 'JPY');
    await recordCurrencies(documents, 'KWD');
    for (let id = 1; id <= HOUSEHOLDS_BEFORE; id += 1) assert.equal(await currencyOf(`H${id}`), 'JPY');
    assert.equal(await currencyOf('X'), 'EUR');
    const { revision, ...rest } = (await documents.get(HOUSEHOLDS, 'H1'))!;
    assert.deepEqual([revision, { ...rest, revision: 1 }], [2, made('H1', 'JPY')]);
  });

  it('keeps what is changed meanwhile', async () => {
    await insertFormer('R');
    const racing: Documents = Object.create(documents, {
      put: {
        value: async (...[collection, next]: Parameters<Documents['put']>) => {
          const current = (await documents.get(HOUSEHOLDS, 'R'))!;
          await documents.replace(HOUSEHOLDS, { ...current, name: 'New', currency: 'EUR', revision: 2 }, 1);
          return documents.put(collection, next);
        },
      },
    });
    await recordCurrencies(racing, 'JPY');
    const { name, currency, revision } = (await documents.get(HOUSEHOLDS, 'R'))!;
    assert.deepEqual([name, currency, revision], ['New', 'EUR', 2]);
  });
});
