import { openStoredDocuments } from '#documents/sqlite/stored-documents';
import { openEventLog } from '#event-store/sqlite/event-table';
import type { Database } from '#sqlite/open-database';
import { EVENTS, RECORDS, VIEWS, type DatabaseName } from './data-files.js';

const OPENING: Readonly<Record<DatabaseName, (file: string) => Database>> = {
  [VIEWS]: openStoredDocuments,
  [EVENTS]: file => openEventLog({ file, readOnly: true }),
  [RECORDS]: openStoredDocuments,
};

/**
 * Refuses a file that no server would take for its database of that name: it is empty, another program's, damaged, or of
 * a newer version.
 * @throws DatabaseRefused
 */
export function requireDatabase(name: DatabaseName, file: string): void {
  OPENING[name](file).close();
}
