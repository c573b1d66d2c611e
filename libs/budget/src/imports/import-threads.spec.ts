import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#http/api-error';
import { ImportThreads } from './import-threads.js';
import type { ReadTask } from './read-thread.js';

const task = (text: string): ReadTask => ({
  bytes: Buffer.from(text),
  options: {},
  source: 'default',
  currency: 'EUR',
});
const ROW = '2026-01-15,1.00\n';

describe('threads that read files', () => {
  it('read one file after the other, also behind one that cannot be read', async () => {
    const threads = new ImportThreads();
    const rowsOf = (text: string): Promise<number> =>
      threads.read(task(text), async ({ rows }) => rows.length);
    assert.equal(await rowsOf(`Date,Amount\n${ROW.repeat(1_200)}`), 1_200);
    await assert.rejects(rowsOf('nothing'), {
      code: 'import_unreadable',
      details: { reason: 'unknown_format' },
    });
    assert.equal(await rowsOf(`Date,Amount\n${ROW}`), 1);
    await threads.beforeApplicationShutdown();
  });

  it('end with the process, and ask clients to come again', async () => {
    const threads = new ImportThreads();
    const reading = threads.read(task(`Date,Amount\n${ROW.repeat(20_000)}`), async () => 'read');
    const refused = assert.rejects(
      reading,
      error => error instanceof ApiError && error.code === 'unavailable',
    );
    await threads.beforeApplicationShutdown();
    await refused;
  });
});
