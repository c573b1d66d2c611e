import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DuplicateKey, type Collection, type Document, type Documents } from './documents.js';
import { insertIfAbsent } from './insert-if-absent.js';
import { LedgerDatabase } from '../sqlite/ledger-database.js';

interface Account extends Document {
  readonly email: string;
}

const ACCOUNTS: Collection<Account> = {
  name: 'accounts',
  durability: 'durable',
  indexes: [{ name: 'by_email', equals: ['email'], unique: true }],
};

describe('inserting what is absent', () => {
  let directory: string;
  let documents: Documents;
  const account = (key: string, email: string): Account => ({ key, revision: 1, email });
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'insert-if-absent-'));
    documents = LedgerDatabase.open({ directory }).documents;
    await documents.ensure([ACCOUNTS]);
  });
  after(async () => {
    await documents.close();
    rmSync(directory, { recursive: true });
  });

  it('leaves what is there as it is, and says so', async () => {
    assert.equal(await insertIfAbsent(documents, ACCOUNTS, account('a', 'first')), true);
    assert.equal(await insertIfAbsent(documents, ACCOUNTS, account('a', 'second')), false);
    assert.deepEqual(await documents.get(ACCOUNTS, 'a'), account('a', 'first'));
  });

  it('takes no other duplicate for the document', async () => {
    await documents.insert(ACCOUNTS, account('b', 'taken'));
    await assert.rejects(insertIfAbsent(documents, ACCOUNTS, account('c', 'taken')), DuplicateKey);
    assert.equal(await documents.get(ACCOUNTS, 'c'), null);
  });
});
