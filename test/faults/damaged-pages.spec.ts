// A ledger's file of which the disk changed a page: found at the start, not by the first who needs it.
import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { LedgerProcess } from '../ledger-process.js';

/** The last page of the largest table: nothing that a start reads anyhow. */
function damageLastPage(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const { page } = database
    .prepare(`SELECT max(pageno) AS page FROM dbstat WHERE pagetype = 'leaf' AND name NOT LIKE 'sqlite%'`)
    .get() as { readonly page: number };
  const { page_size: bytes } = database.prepare('PRAGMA page_size').get() as { readonly page_size: number };
  database.close();
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(bytes, 0xaa), 0, bytes, (page - 1) * bytes);
  closeSync(handle);
}

describe('a data directory with a damaged page', () => {
  let directory: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'damaged-page-'));
    const server = await LedgerProcess.start({ directory });
    const token = await server.signUp(directory);
    assert.equal((await server.call('POST', '/months/2026-01', { token })).status, 201);
    assert.equal(await server.end('SIGTERM'), 0);
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('is refused with one sentence that names the file and what to do', async () => {
    damageLastPage(join(directory, 'ledger.db'));
    const { code, output } = await LedgerProcess.ending({ directory });
    assert.equal(code, 1);
    assert.match(
      output,
      /^Cannot start: The file [^\n]*ledger\.db cannot be used: it is damaged; restore a backup\.\n$/,
    );
  });
});
