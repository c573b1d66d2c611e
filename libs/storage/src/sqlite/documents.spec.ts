import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Documents } from '../documents/documents.js';
import { documentsContract } from '../documents/documents.contract.js';
import { LedgerDatabase } from './ledger-database.js';

const directory = mkdtempSync(join(tmpdir(), 'documents-'));
after(() => rmSync(directory, { recursive: true }));
const directories = new Map<Documents, string>();

documentsContract('SQLite', {
  open: async options => {
    const own = join(directory, String(directories.size));
    const { documents } = LedgerDatabase.open({ directory: own, ...options });
    directories.set(documents, own);
    return documents;
  },
  openBeside: async documents =>
    LedgerDatabase.open({ directory: directories.get(documents)!, readOnly: true }).documents,
  clock: 'given',
});
