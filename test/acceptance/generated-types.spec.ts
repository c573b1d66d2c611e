import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { generatedTypes } from '../client/generated-types.js';
import { useService } from './household.scenario.js';

/** Compiled tests stand in dist/test/acceptance. */
const FILE = new URL('../../../libs/client/src/generated.ts', import.meta.url);

describe('the types of the client', () => {
  const service = useService();

  it('are those of the description that this service serves', async () => {
    const types = await generatedTypes((await service.household()).service.description);
    assert.ok(readFileSync(FILE, 'utf8') === types, 'run `npm run generate`, and commit what it writes');
  });
});
