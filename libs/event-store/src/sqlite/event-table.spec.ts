import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { closeDatabase, type Database } from '#sqlite/open-database';
import type { KnownEvents } from '../event-store.js';
import { EventTable, openEventLog, positionText } from './event-table.js';

const TEXTS = { data: '{}', metadata: '{}' };

describe('a page of what is not known', () => {
  let directory: string;
  let db: Database;
  let table: EventTable;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'event-table-'));
    db = openEventLog({ file: join(directory, 'events.sqlite') });
    table = new EventTable(db);
  });
  afterEach(() => {
    closeDatabase(db);
    rmSync(directory, { recursive: true });
  });

  it('is the last event of its range where nothing in it is unknown', () => {
    const [a, b] = [table.insertStream('a'), table.insertStream('b')];
    const append = (stream: number, from: number, before: number): void => {
      for (let revision = from; revision < before; revision++)
        table.insertEvent(stream, revision, { id: randomUUID(), type: 'tested' }, TEXTS);
    };
    append(a, 0, 300);
    append(b, 0, 300);
    append(a, 300, 600);
    append(b, 300, 301);
    const isKnown: KnownEvents = (stream, revision) => stream === 'a' || revision < 300;
    for (const upTo of [850, 800]) {
      const { events, complete } = table.unknownPage({ after: 0, upTo, prefix: '' }, 200, isKnown);
      assert.deepEqual(
        events.map(({ position }) => position),
        [positionText(upTo)],
      );
      assert.ok(complete);
    }
  });
});
