import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { documentsContract } from '../documents.contract.js';
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

documentsContract('SQLite, written behind', {
  open: async options => {
    const thread = new URL('./contract-writer.scenario.js', import.meta.url);
    return SqliteDocuments.openWritingBehind({ directory: nextDirectory(), ...options }, thread);
  },
  clock: 'given',
});
