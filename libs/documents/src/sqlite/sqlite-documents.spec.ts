import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { documentsContract } from '../documents.contract.js';
import type { Documents } from '../documents.js';
import { SqliteDocuments } from './sqlite-documents.js';

const directory = mkdtempSync(join(tmpdir(), 'documents-'));
after(() => rmSync(directory, { recursive: true }));
let stores = 0;
const directories = new Map<Documents, string>();

/** Opens a store of its own. */
function openNext(open: (directory: string) => Documents): Documents {
  const own = join(directory, String((stores += 1)));
  const documents = open(own);
  directories.set(documents, own);
  return documents;
}

const openBeside = async (documents: Documents): Promise<Documents> =>
  SqliteDocuments.open({ directory: directories.get(documents)!, readOnly: true });

documentsContract('SQLite', {
  open: async options => openNext(own => SqliteDocuments.open({ directory: own, ...options })),
  openBeside,
  clock: 'given',
});

documentsContract('SQLite, written behind', {
  open: async options => {
    const thread = new URL('./contract-writer.scenario.js', import.meta.url);
    return openNext(own => SqliteDocuments.openWritingBehind({ directory: own, ...options }, thread));
  },
  openBeside,
  clock: 'given',
});
