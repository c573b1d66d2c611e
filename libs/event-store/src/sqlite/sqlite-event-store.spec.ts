import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { CHECKPOINT_BYTES, readPragma } from '#sqlite/open-database';
import { eventStoreContract } from '../event-store.contract.js';
import { SqliteEventStore } from './sqlite-event-store.js';

eventStoreContract('SQLite event store', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'event-store-'));
  const file = join(directory, 'events.sqlite');
  let store = SqliteEventStore.open({ file });
  return Promise.resolve({
    store,
    reopen: async () => {
      await store.close();
      store = SqliteEventStore.open({ file });
      return store;
    },
    close: async () => {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  });
});

it('SQLite event store copies its log into the file as seldom as other busy files', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'event-store-'));
  let bytes = 0;
  const store = SqliteEventStore.open({
    file: join(directory, 'events.sqlite'),
    connected: db => {
      bytes = Number(readPragma(db, 'page_size')) * Number(readPragma(db, 'wal_autocheckpoint'));
    },
  });
  await store.close();
  rmSync(directory, { recursive: true });
  assert.equal(bytes, CHECKPOINT_BYTES);
});
