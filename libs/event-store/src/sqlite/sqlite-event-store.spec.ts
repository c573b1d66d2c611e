import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CHECKPOINT_BYTES, readPragma, type Database } from '#sqlite/open-database';
import type { NewEvent } from '../event-store.js';
import { eventStoreContract } from '../event-store.contract.js';
import { SqliteEventStore } from './sqlite-event-store.js';

for (const appendsInThread of [false, true]) {
  eventStoreContract(`SQLite event store${appendsInThread ? ', appending in a thread' : ''}`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'event-store-'));
    const file = join(directory, 'events.sqlite');
    let store = SqliteEventStore.open({ file, appendsInThread });
    return Promise.resolve({
      store,
      reopen: async () => {
        await store.close();
        store = SqliteEventStore.open({ file, appendsInThread });
        return store;
      },
      close: async () => {
        await store.close();
        rmSync(directory, { recursive: true });
      },
    });
  });
}

it('SQLite event store has a commit survive a power cut', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'event-store-'));
  let synchronous: unknown;
  const store = SqliteEventStore.open({
    file: join(directory, 'events.sqlite'),
    connected: db => (synchronous = readPragma(db, 'synchronous')),
  });
  await store.close();
  rmSync(directory, { recursive: true });
  // FULL: https://sqlite.org/pragma.html#pragma_synchronous
  assert.equal(synchronous, 2);
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

function newEvent(data: NewEvent['data'] = {}): NewEvent {
  return { id: randomUUID(), type: 'Happened', data, metadata: { schemaVersion: 1 } };
}

it('SQLite event store passes an event on empty whose text is damaged', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'event-store-'));
  const file = join(directory, 'events.sqlite');
  let database: Database | undefined;
  const store = SqliteEventStore.open({ file, connected: db => void (database = db) });
  await store.append('a', -1, [newEvent({ name: 'whole' }), newEvent({ name: 'damaged' })]);
  database!.exec(`UPDATE events SET data = '{"name":"dam' WHERE revision = 1`);
  const read: unknown[] = [];
  for await (const page of store.readStream('a')) {
    read.push(...page.map(({ data, metadata }) => ({ data, metadata })));
  }
  assert.deepEqual(read, [
    { data: { name: 'whole' }, metadata: { schemaVersion: 1 } },
    { data: {}, metadata: {} },
  ]);
  await store.close();
  rmSync(directory, { recursive: true });
});

it('SQLite event store gives no position twice, and no place in a stream', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'event-store-'));
  let database: Database | undefined;
  const store = SqliteEventStore.open({
    file: join(directory, 'events.sqlite'),
    connected: db => void (database = db),
  });
  const { position } = await store.append('a', -1, [newEvent(), newEvent()]);
  assert.throws(
    () =>
      database!.exec(`INSERT INTO events (stream, revision, id, type, size, data, metadata)
        SELECT stream, revision, id, type, size, data, metadata FROM events`),
    /UNIQUE/,
  );
  database!.exec('DELETE FROM events WHERE revision = 1');
  assert.ok((await store.append('b', -1, [newEvent()])).position > position);
  await store.close();
  rmSync(directory, { recursive: true });
});

it('SQLite event store tells nobody twice of what came while the last subscription ended', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'event-store-'));
  // The subscription ends a little later each time: before the append, within it, and after it.
  for (let turns = 0; turns < 12; turns++) {
    const store = SqliteEventStore.open({ file: join(directory, `${turns}.sqlite`) });
    await store.append('a', -1, [newEvent()]);
    const former = follow(store);
    await former.caughtUp;
    const appended = store.append('a', 0, [newEvent()]);
    for (let turn = 0; turn < turns; turn++) await (turn % 2 === 0 ? Promise.resolve() : nextTurn());
    await former.end();
    await appended;
    const later = follow(store);
    await later.caughtUp;
    await store.append('a', 1, [newEvent()]);
    while (!later.revisions.includes(2)) await nextTurn();
    await later.end();
    assert.deepEqual(later.revisions, [0, 1, 2], `left after ${turns} turns`);
    await store.close();
  }
  rmSync(directory, { recursive: true });
});

interface Followed {
  /** Of the events so far. */
  readonly revisions: readonly number[];
  readonly caughtUp: Promise<void>;
  end(): Promise<void>;
}

function follow(store: SqliteEventStore): Followed {
  const revisions: number[] = [];
  const stop = new AbortController();
  let catchUp = (): void => undefined;
  const caughtUp = new Promise<void>(resolve => (catchUp = resolve));
  const run = async (): Promise<void> => {
    for await (const delivery of store.subscribe({ prefix: 'a', signal: stop.signal })) {
      if (delivery.kind === 'caught-up') catchUp();
      if (delivery.kind === 'events') revisions.push(...delivery.events.map(({ revision }) => revision));
    }
  };
  const running = run();
  const end = (): Promise<void> => {
    stop.abort();
    return running;
  };
  return { revisions, caughtUp, end };
}
