import { DatabaseSync } from '@photostructure/sqlite';
import type { Collection, Document, Write } from '../documents/documents.js';
import { requestsFirst } from '#concurrency/requests-first';
import { documentsTable, parseDocument } from './collection-table.js';
import { LedgerDatabase } from './ledger-database.js';
import { Connection, openLedgerFile } from './ledger-file.js';
import { closeDatabase } from './open-database.js';
import { readOnlyLocation } from './read-only-location.js';
import { removeDatabase, snapshotDatabase } from './snapshot-database.js';
import { refusalOf } from './unavailable.js';

/** Records that are read and written in one step. */
const STEP_RECORDS = 512;

interface LedgerSource {
  /** Holds `streams` and `events`. */
  readonly events: string;
  /** Holds a table of documents for each collection. May be the same file. */
  readonly records: string;
}

/**
 * Makes a ledger's file of the events and the records in other files: those of former versions, or one of which other
 * parts are damaged. What follows from the events is left out.
 * @param target must not exist
 * @throws DatabaseRefused, DamagedDocument
 */
export async function copyLedger(
  { events, records }: LedgerSource,
  target: string,
  collections: readonly Collection<Document>[],
): Promise<void> {
  // SQLite's binding keeps connections, which must not be those to a file that is renamed or opened by others.
  const draft = `${target}.draft`;
  removeDatabase(draft);
  copyEvents(events, draft);
  const ledger = LedgerDatabase.openFile(draft);
  try {
    await ledger.documents.ensure(collections);
    for (const collection of collections) {
      for await (const write of recordsIn(records, collection)) await ledger.documents.putAll([write]);
    }
  } finally {
    await ledger.close();
  }
  await snapshotDatabase({ file: draft, target });
  removeDatabase(draft);
}

function copyEvents(source: string, target: string): void {
  const db = openLedgerFile({ file: target });
  try {
    db.prepare('ATTACH ? AS former').run(source);
    db.exec(`BEGIN;
      INSERT INTO streams SELECT id, name FROM former.streams;
      INSERT INTO events SELECT position, stream, revision, id, type, size, data, metadata FROM former.events;
      DELETE FROM sqlite_sequence;
      INSERT INTO sqlite_sequence SELECT name, seq FROM former.sqlite_sequence WHERE name = 'events';
      COMMIT;
      DETACH former`);
  } catch (error) {
    throw refusalOf(source, error);
  } finally {
    closeDatabase(db);
  }
}

async function* recordsIn<T extends Document>(
  file: string,
  collection: Collection<T>,
): AsyncGenerator<Write<T>> {
  const db = new DatabaseSync(readOnlyLocation(file), { readOnly: true });
  try {
    const c = new Connection(db);
    const table = `documents:${collection.name}`;
    const isThere = c.row({ sql: 'SELECT 1 FROM sqlite_schema WHERE name = ?', values: [table] });
    const sql = `SELECT key, body FROM ${documentsTable(collection.name)} WHERE key > ? ORDER BY key LIMIT ?`;
    if (isThere === undefined) return;
    for (let after = ''; ;) {
      const rows = c.rows({ sql, values: [after, STEP_RECORDS] });
      const documents = rows.map(([key, body]) => parseDocument<T>(collection, String(key), String(body)));
      if (documents.length > 0) yield { collection, documents };
      if (rows.length < STEP_RECORDS) return;
      after = String(rows.at(-1)![0]);
      await requestsFirst();
    }
  } catch (error) {
    throw refusalOf(file, error);
  } finally {
    db.close();
  }
}
