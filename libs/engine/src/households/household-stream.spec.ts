import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventStore, RecordedEvent, StreamRange } from '#storage/event-store/event-store';
import { eventsInParts, PART_WEIGHT, streamOf } from './household-stream.js';

/** A stream of so many events, which counts the reads that are open. */
class CountedReads {
  open = 0;
  readonly ranges: StreamRange[] = [];

  constructor(
    private readonly length: number,
    private readonly data: RecordedEvent['data'] = {},
  ) {}

  get store(): EventStore {
    return { readStream: (stream: string, range: StreamRange) => this.read(stream, range) } as never;
  }

  private async *read(stream: string, range: StreamRange): AsyncGenerator<readonly RecordedEvent[]> {
    const { from = 0, limit = this.length } = range;
    assert.equal(stream, streamOf('H'));
    this.ranges.push(range);
    this.open += 1;
    try {
      for (let revision = from; revision < Math.min(from + limit, this.length); revision += 100) {
        const count = Math.min(100, from + limit - revision, this.length - revision);
        const { data } = this;
        yield Array.from({ length: count }, (_, i) => ({ revision: revision + i, data }) as RecordedEvent);
      }
    } finally {
      this.open -= 1;
    }
  }
}

async function revisionsOf(reads: CountedReads, from: number, last?: number): Promise<number[]> {
  const revisions: number[] = [];
  for await (const part of eventsInParts(reads.store, 'H', from, last)) {
    assert.equal(reads.open, 0, 'no read is open while a part is worked on');
    revisions.push(...part.map(({ revision }) => revision));
  }
  return revisions;
}

const upTo = (from: number, last: number): number[] =>
  Array.from({ length: last - from + 1 }, (_, i) => from + i);

describe('events in parts', () => {
  it('are all there are, or all up to a last one, with no read open in between', async () => {
    assert.deepEqual(await revisionsOf(new CountedReads(1_000), 3), upTo(3, 999));
    assert.deepEqual(await revisionsOf(new CountedReads(1_000), 0, 700), upTo(0, 700));
    assert.deepEqual(await revisionsOf(new CountedReads(512), 0), upTo(0, 511));
  });

  it('are fewer at once where they are large', async () => {
    const reads = new CountedReads(250, { text: 'x'.repeat(PART_WEIGHT / 100) });
    assert.deepEqual(await revisionsOf(reads, 0), upTo(0, 249));
    assert.deepEqual(
      reads.ranges.map(({ from }) => from),
      [0, 100, 200],
    );
  });

  it('are none behind the last one, or of a stream that is not there', async () => {
    const reads = new CountedReads(10);
    assert.deepEqual(await revisionsOf(reads, 5, 4), []);
    assert.deepEqual(reads.ranges, [], 'nothing is read');
    assert.deepEqual(await revisionsOf(reads, 10), []);
    assert.deepEqual(await revisionsOf(new CountedReads(0), 0), []);
  });
});
