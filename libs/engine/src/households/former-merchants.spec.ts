import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVERY_KEY } from '#storage/documents/declared';
import { FIRST_ACTIVE_VERSION } from '../versions/active-version.js';
import { takeOverFormerMerchants } from './former-merchants.js';
import { readModelsOf } from './read-models.js';
import { workplace } from './streams.scenario.js';

describe('merchants that an earlier version folded otherwise', () => {
  it('are keyed again in every version, and the latest of those that meet stays', async context => {
    const place = await workplace();
    context.after(() => place.close());
    const { documents } = place;
    const merchant = (key: string, merchant: string, revision: number) => ({
      key,
      merchant,
      revision,
      item_id: `item ${revision}`,
    });
    const version = { ...FIRST_ACTIVE_VERSION, active: 2, beside: { version: 1, complete: true } };
    for (const generation of [1, 2]) {
      const former = { ...readModelsOf(generation).merchants, name: `merchants_g${generation}` };
      await documents.ensure([former]);
      await documents.put(former, [
        merchant('H|iki', 'iki', 3),
        merchant('H|i\u0307ki', 'İki', 5),
        merchant('H|shop', 'Shop', 4),
        merchant('J|i\u0307ki', 'İki', 1),
      ]);
    }
    const { merchants } = readModelsOf(2);
    await documents.ensure([merchants]);
    // Recorded before the earlier ones were taken over.
    await documents.put(merchants, [merchant('H|shop', 'SHOP', 9)]);

    await takeOverFormerMerchants(documents, version);
    await takeOverFormerMerchants(documents, version);
    assert.deepEqual(await documents.range(merchants, { ...EVERY_KEY, limit: 10 }), [
      merchant('H|iki', 'İki', 5),
      merchant('H|shop', 'SHOP', 9),
      merchant('J|iki', 'İki', 1),
    ]);
    const beside = await documents.range(readModelsOf(1).merchants, { ...EVERY_KEY, limit: 10 });
    assert.deepEqual(
      beside.map(({ revision }) => revision),
      [5, 4, 1],
    );
  });
});
