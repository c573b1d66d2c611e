import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
