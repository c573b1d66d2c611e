import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { documentsContract } from '../documents.contract.js';
import { SqliteDocuments } from './sqlite-documents.js';

const directory = mkdtempSync(join(tmpdir(), 'documents-'));
after(() => rmSync(directory, { recursive: true }));
let stores = 0;

documentsContract('SQLite', {
  open: async options =>
    SqliteDocuments.open({ directory: join(directory, String((stores += 1))), ...options }),
  clock: 'given',
});
