import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { LEDGER_FILE } from '#storage/sqlite/ledger-database';

/** Removes the read models of a stopped server, and how far they had come: the next start projects the whole log. */
export function forgetReadModels(directory: string): void {
  const db = new DatabaseSync(join(directory, LEDGER_FILE));
  db.exec(
    `DELETE FROM collections WHERE name LIKE '%\\_g_' ESCAPE '\\' OR name LIKE 'snapshot%' OR name = 'projection_checkpoints'`,
  );
  db.close();
}
