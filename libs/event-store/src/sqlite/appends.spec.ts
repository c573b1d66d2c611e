import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { newEvents } from '../contract/fixture.js';
import { NO_STREAM, type Appended } from '../event-store.js';
import { Appends, STREAM_ENDS_MAX } from './appends.js';

describe('the appends of a transaction', () => {
  let table: MemoryTable;
  let appends: Appends;

  const append = (stream: string, expected: number, count = 1): Appended => {
    const events = newEvents(count);
    const texts = events.map(({ data, metadata }) => ({
      data: JSON.stringify(data),
      metadata: JSON.stringify(metadata),
    }));
    return appends.append(table, { stream, expected, events, texts, size: 0 });
  };

  beforeEach(() => {
    table = new MemoryTable();
    appends = new Appends();
  });

  it('are forgotten with the transaction', () => {
    append('a', NO_STREAM);
    appends.forget();
    table.ends.clear();
    assert.equal(append('a', NO_STREAM).revision, 0);
  });

  it('leave the ends of the streams remembered that were used last, and of no more than the bound', () => {
    for (let stream = 0; stream < STREAM_ENDS_MAX; stream++) append(`s${stream}`, NO_STREAM);
    append('s0', 0);
    append('new', NO_STREAM);
    table.asked.length = 0;
    append('s0', 1);
    append('s2', 0);
    append(`s${STREAM_ENDS_MAX - 1}`, 0);
    append('new', 0);
    assert.deepEqual(table.asked, []);
    append('s1', 0);
    assert.deepEqual(table.asked, ['s1']);
  });
});

/** The ends of streams, and which of them were asked for. */
class MemoryTable {
  readonly ends = new Map<number, number>();
  readonly asked: string[] = [];
  private readonly ids = new Map<string, number>();
  private position = 0;

  streamEnd(stream: string): { id: number; revision: number } | undefined {
    this.asked.push(stream);
    const id = this.ids.get(stream) ?? 0;
    const revision = this.ends.get(id);
    return revision === undefined ? undefined : { id, revision };
  }

  insertStream(stream: string): number {
    this.ids.set(stream, this.ids.size + 1);
    return this.ids.size;
  }

  insertEvent(streamId: number, revision: number): number {
    this.ends.set(streamId, revision);
    return (this.position += 1);
  }

  deleteEvents(): number {
    return (this.position += 1);
  }

  idsAfter(): [] {
    return [];
  }
}
