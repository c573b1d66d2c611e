import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { weightOf } from './household-stream.js';

const IDS = 20_000;

describe('the weight of an event', () => {
  it('is at least the size of its text', () => {
    const datas = [
      {},
      { id: 'x'.repeat(26), type: 'expense', amount: 5, note: null, splits: [{ itemId: 'i', amount: 5 }] },
      {
        untracked: {
          transactionIds: Array.from({ length: IDS }, (_, n) => `01K00000000000000000${n + 100_000}`),
        },
      },
      { rows: Array.from({ length: 50 }, () => ['a', 'b', ['c']]) },
    ];
    for (const data of datas) assert.ok(weightOf(data) >= JSON.stringify(data).length);
  });

  it('grows with every part, so that a few large events fill a batch', () => {
    const ids = (count: number): object => ({
      untracked: { ids: Array.from({ length: count }, () => 'x'.repeat(26)) },
    });
    const small = weightOf({ ...ids(1) });
    const large = weightOf({ ...ids(IDS) });
    assert.ok(large > small * (IDS / 10), `${small} and ${large}`);
  });
});
