import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { documentsContract } from '../documents.contract.js';
import type { Write } from '../documents.js';
import { SqliteDocuments } from './sqlite-documents.js';

const directory = mkdtempSync(join(tmpdir(), 'documents-'));
after(() => rmSync(directory, { recursive: true }));
let stores = 0;

/** A directory for a store of its own. */
function nextDirectory(): string {
  return join(directory, String((stores += 1)));
}

documentsContract('SQLite', {
  open: async options => SqliteDocuments.open({ directory: nextDirectory(), ...options }),
  clock: 'given',
});

/** Settles recent documents after every third call, so that the contract meets settled and recent ones mixed. */
class OftenSettled extends SqliteDocuments {
  private calls = 0;

  override async putAll(writes: readonly Write[]): Promise<void> {
    await super.putAll(writes);
    this.calls += 1;
    if (this.calls % 3 === 0) await this.purge();
  }
}

documentsContract('SQLite, often settled', {
  open: async ({ now }) => new OftenSettled(SqliteDocuments.files({ directory: nextDirectory() }), now),
  clock: 'given',
});
