import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ReadModelsReplaced } from '#engine/verify/verify-ledger';
import { readModelsOf, type ReadModels } from '#engine/households/read-models';
import { CommandFailed } from '../failures.js';
import { VERIFICATIONS_MAX, verifyLive } from './projections-verify.js';

describe('verifying the active read models', () => {
  let remarks: string[];
  let verified: number[];
  let live: number;
  beforeEach(() => {
    remarks = [];
    verified = [];
    live = 1;
  });

  /** @param times how often others take the place of those that are verified */
  function whileReplaced(times: number): Promise<string> {
    const stores = { models: readModelsOf(1), activeModels: async () => readModelsOf(live) };
    const verify = async (models: ReadModels): Promise<string> => {
      verified.push(models.version);
      if (live > times) return 'sound';
      live++;
      throw new ReadModelsReplaced();
    };
    return verifyLive(stores, { remark: sentence => void remarks.push(sentence) }, verify);
  }

  it('says nothing where they stay', async () => {
    assert.equal(await whileReplaced(0), 'sound');
    assert.deepEqual([verified, remarks], [[1], []]);
  });

  it('begins again with those that are live by then, and says so', async () => {
    assert.equal(await whileReplaced(2), 'sound');
    assert.deepEqual(verified, [1, 2, 3]);
    assert.equal(remarks.length, 2);
    assert.match(remarks[0]!, /Starting over\.$/);
  });

  it('ends with a sentence where that goes on', async () => {
    await assert.rejects(
      whileReplaced(VERIFICATIONS_MAX),
      (error: Error) => error instanceof CommandFailed && /replaced 5 times/.test(error.message),
    );
    assert.equal(verified.length, VERIFICATIONS_MAX);
    assert.equal(remarks.length, VERIFICATIONS_MAX - 1);
  });
});
