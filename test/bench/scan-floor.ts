// What SQLite allows: a scan for a substring over an index that holds all it needs.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { decodeEvent } from '#ledger/event-codec';
import { foldCase } from '#projections/transaction-document';
import { streamOf } from '#engine/households/household-stream';
import { median } from './figures.js';
import { offer } from './worker-process.js';

/** At least what the service's connections have for pages of read models, so that the floor is not held back by it. */
const CACHE_KIBIBYTES = 64 * 1024;

/** With the connection, which is closed once it is collected. */
let floor: { readonly db: object; readonly scan: { all(text: string): unknown[] } } | undefined;

/** Makes the table of a household's transactions. @returns how many */
async function prepare({
  directory,
  householdId,
}: {
  directory: string;
  householdId: string;
}): Promise<number> {
  const db = new DatabaseSync(join(directory, 'scan.db'));
  db.exec(`PRAGMA cache_size = -${CACHE_KIBIBYTES}; PRAGMA synchronous = OFF; BEGIN;
    CREATE TABLE found (id INTEGER PRIMARY KEY, key TEXT NOT NULL, sort TEXT NOT NULL, search TEXT NOT NULL, body TEXT NOT NULL) STRICT;
    CREATE INDEX covering ON found (sort, search)`);
  const insert = db.prepare('INSERT INTO found (key, sort, search, body) VALUES (?, ?, ?, ?)');
  const store = LedgerDatabase.open({ directory, readOnly: true }).eventStore;
  let rows = 0;
  for await (const page of store.readStream(streamOf(householdId))) {
    for (const event of page.map(decodeEvent)) {
      if (event.type !== 'TransactionCreated') continue;
      const { id, content } = event.data;
      const body = JSON.stringify(event.data);
      insert.run(`${householdId}|${id}`, `${content.date}|${id}`, foldCase(content.merchant), body);
      rows += 1;
    }
  }
  await store.close();
  db.exec('COMMIT');
  const scan = db.prepare('SELECT id FROM found WHERE instr(search, ?) ORDER BY sort DESC LIMIT 101');
  floor = { db, scan };
  return rows;
}

/** @returns the median of one scan in milliseconds */
function run({ text, seconds }: { text: string; seconds: number }): number {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end || times.length < 3;) {
    const begun = performance.now();
    floor?.scan.all(text);
    times.push(performance.now() - begun);
  }
  return median(times);
}

const functions = { prepare, run };
export type ScanFloor = typeof functions;
offer(functions);
