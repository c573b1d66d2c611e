import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, dataOf } from './client.js';
import { recordRows, type Imported } from './record-rows.js';

const rows = Array.from({ length: 1_100 }, (_, at) => ({
  row: at + 2,
  operation: {
    op: 'create' as const,
    id: String(at),
    type: 'expense' as const,
    amount: 1,
    date: '2026-01-01',
    merchant: 'Bakery',
    note: null,
    splits: [],
    budget_month: '2026-01',
  },
}));

/** A service that answers batches of these ids. */
function answering(answer: (ids: readonly string[]) => Response) {
  const pieces: number[] = [];
  const client = createClient({
    url: 'http://ledger.test',
    fetch: async request => {
      const { operations } = (await request.json()) as { readonly operations: readonly { id: string }[] };
      pieces.push(operations.length);
      return answer(operations.map(({ id }) => id));
    },
  });
  const imported: Imported = { recorded: 0, known: 0, refused: [] };
  const progress: number[] = [];
  const run = (): Promise<void> =>
    recordRows(
      operations => dataOf(client.POST('/transactions/batch', { body: { operations, skip_known: true } })),
      rows,
      imported,
      done => progress.push(done),
    );
  return { run, pieces, imported, progress };
}

const recorded = (replayed: readonly string[] = []): Response =>
  Response.json({ transactions: [], replayed, months: [], untracked_count: 0 });

function refused(code: string, details: object, status = 422): Response {
  return Response.json({ code, message: 'No.', details, request_id: 'r' }, { status });
}

describe('rows of an import', () => {
  it('are recorded 500 at once, and those that are known count as such', async () => {
    const { run, pieces, imported, progress } = answering(ids => recorded(ids.slice(0, 1)));
    await run();
    assert.deepEqual(
      [pieces, progress],
      [
        [500, 500, 100],
        [500, 1_000, 1_100],
      ],
    );
    assert.deepEqual(imported, { recorded: 1_097, known: 3, refused: [] });
  });

  it('are recorded without those that the service refuses, which are named', async () => {
    const { run, imported } = answering(ids => {
      const index = ids.findIndex(id => ['3', '700'].includes(id));
      return index < 0 ? recorded() : refused('month_full', { index });
    });
    await run();
    assert.equal(imported.recorded, 1_098);
    assert.deepEqual(imported.refused, [
      { row: 5, code: 'month_full', message: 'No.' },
      { row: 702, code: 'month_full', message: 'No.' },
    ]);
  });

  it('are recorded in smaller pieces where a batch would be too large', async () => {
    const { run, imported } = answering(ids =>
      ids.length > 80 ? refused('batch_too_large', { operations_max: 80 }) : recorded(),
    );
    await run();
    assert.equal(imported.recorded, 1_100);
  });

  it('end with what concerns no single row, after what was recorded', async () => {
    let pieces = 0;
    const { run, imported } = answering(() =>
      ++pieces === 2 ? refused('not_a_member', {}, 403) : recorded(),
    );
    await assert.rejects(run, { code: 'not_a_member' });
    assert.equal(imported.recorded, 500);
  });
});
