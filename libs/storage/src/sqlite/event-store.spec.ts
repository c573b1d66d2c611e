import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventStoreContract } from '../event-store/event-store.contract.js';
import { LedgerDatabase } from './ledger-database.js';

eventStoreContract('SQLite event store', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'event-store-'));
  let store = LedgerDatabase.open({ directory }).eventStore;
  return Promise.resolve({
    store,
    reopen: async () => {
      await store.close();
      store = LedgerDatabase.open({ directory }).eventStore;
      return store;
    },
    close: async () => {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  });
});
