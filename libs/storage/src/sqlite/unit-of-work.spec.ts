import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppendThenWrite } from '../event-store/unit-of-work.js';
import { unitOfWorkContract } from '../event-store/unit-of-work.contract.js';
import { LedgerDatabase } from './ledger-database.js';

for (const [name, inOne] of [
  ['in one database', true],
  ['in two stores', false],
] as const) {
  unitOfWorkContract(name, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'unit-of-work-'));
    const database = LedgerDatabase.open({ directory });
    const { eventStore, documents } = database;
    const work = inOne ? database : new AppendThenWrite(eventStore, documents);
    const close = async (): Promise<void> => {
      await database.close();
      rmSync(directory, { recursive: true });
    };
    return Promise.resolve({ work, eventStore, documents, close });
  });
}
