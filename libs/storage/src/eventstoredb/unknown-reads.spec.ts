import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  EventStoreUnavailable,
  READ_PAGE_EVENTS,
  type KnownEvents,
  type RecordedEvent,
} from '../event-store/event-store.js';
import { assertGrowing, newEvent } from '../event-store/contract/fixture.js';
import { MetStreams, STREAMS_LEFT_OUT_MAX, UnknownReads } from './unknown-reads.js';
import { propertyRuns } from '../../../../test/property-runs.js';

const PREFIX = 'household-';
const PROPERTY_RUNS = propertyRuns(100);
/** A few pages. */
const EVENTS = 5 * READ_PAGE_EVENTS;

describe('streams that were met', () => {
  it('are named once, and no more of them than may be left out', () => {
    const met = new MetStreams();
    const names = Array.from({ length: STREAMS_LEFT_OUT_MAX + 1 }, (_, index) => `s${index}`);
    met.add(names.map(stream => ({ stream })));
    assert.deepEqual([...met.takeAll()], names.slice(0, -1));
    assert.deepEqual([...met.takeAll()], []);
  });
});

describe('reading what is not known', () => {
  it('leaves out streams that are known to their ends, and comes to the end', async () => {
    const log = Log.of(EVENTS, ['a', 'b', 'c']);
    const events = await log.read(() => true);
    assert.equal(events.length, READ_PAGE_EVENTS + 1);
    assert.equal(events.at(-1), log.events.at(-1));
    assert.deepEqual(log.leftOut, [[], ['a', 'b', 'c'], []]);
  });

  it('brings what is recorded for a stream once its end was told', async () => {
    const log = Log.of(EVENTS, ['a', 'b']);
    log.onEnd = () => {
      // First that of the last event, then that of a, then that of b.
      if (log.endsAsked === 3) log.append('a');
    };
    const events = await log.read((_, revision) => revision < EVENTS / 2);
    assert.deepEqual(log.leftOut, [[], ['a', 'b'], []]);
    assert.equal(events.length, READ_PAGE_EVENTS + 2);
    assert.deepEqual(events.slice(-2), log.events.slice(-2));
  });

  it('leaves out more streams where it comes to them, up to where the first ones are known', async () => {
    const log = Log.of(EVENTS, ['a']);
    for (let count = 0; count < EVENTS; count++) log.append('b');
    log.failing = leftOut => {
      if (leftOut.length === 1 && log.events.length === 2 * EVENTS) log.append('a');
      return false;
    };
    const events = await log.read((_, revision) => revision < EVENTS);
    assert.deepEqual(log.leftOut, [[], ['a'], ['a', 'b'], []]);
    assert.deepEqual(events.slice(-2), log.events.slice(-2));
  });

  it('leaves out at once, with those of a page, the streams that were met before', async () => {
    const log = Log.of(EVENTS, ['a']);
    for (const stream of ['b', 'c']) for (let count = 0; count < EVENTS; count++) log.append(stream);
    const met = new MetStreams();
    met.add(log.events);
    const isKnown: KnownEvents = stream => stream !== 'c';
    const events = await log.read(isKnown, met);
    assert.deepEqual(log.leftOut, [[], ['a', 'b'], []]);
    assert.deepEqual(events, [...log.events.slice(0, READ_PAGE_EVENTS), ...log.events.slice(-EVENTS)]);
  });

  it('leaves out, with those of a page, the streams of the pages before it', async () => {
    const log = Log.of(READ_PAGE_EVENTS - 1, ['a']);
    log.append('u');
    for (const stream of ['b', 'a']) for (let count = 0; count < EVENTS; count++) log.append(stream);
    const events = await log.read(stream => stream !== 'u');
    assert.deepEqual(log.leftOut, [[], ['b', 'a'], []]);
    assert.equal(events.length, 2 * READ_PAGE_EVENTS + 1);
  });

  it('leaves nothing out where a stream cannot be read yet as far as the log', async () => {
    const log = Log.of(EVENTS, ['a', 'b']);
    log.isLate = ({ revision }) => revision >= EVENTS / 2 - 10;
    const events = await log.read((_, revision) => revision < EVENTS / 2 - 10);
    assert.deepEqual(events, log.events);
  });

  it('leaves out no more streams than a filter takes', async () => {
    const names = Array.from({ length: STREAMS_LEFT_OUT_MAX + 10 }, (_, index) => `s${index}`);
    const log = Log.of(EVENTS, names);
    assert.equal((await log.read(() => true)).at(-1), log.events.at(-1));
    const most = Math.max(...log.leftOut.map(({ length }) => length));
    assert.equal(most, STREAMS_LEFT_OUT_MAX);
  });

  it('asks for ends more and more seldom where they are not known', async () => {
    const log = Log.of(40 * READ_PAGE_EVENTS, ['a', 'b']);
    const end = log.events.length / 2 - 1;
    const events = await log.read((_, revision) => revision < end);
    assert.equal(events.length, log.events.length);
    assert.ok(log.endsAsked > 3 && log.endsAsked <= 3 * 6, `${log.endsAsked} ends were asked for`);
  });

  it('reads everything where the server fails while it leaves streams out', async () => {
    const log = Log.of(EVENTS, ['a', 'b']);
    log.failing = leftOut => leftOut.length > 0;
    const events = await log.read(() => true);
    assert.deepEqual(events, log.events);
    assert.deepEqual(log.leftOut, [[], ['a', 'b'], []]);
  });

  it('fails where the server fails without that, too', async () => {
    const log = Log.of(EVENTS, ['a', 'b']);
    log.failing = () => true;
    await assert.rejects(
      log.read(() => true),
      EventStoreUnavailable,
    );
  });

  it('brings every unknown event once and in order, whatever is known and recorded meanwhile', async () => {
    const extents = fc.record({
      streams: fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 5 }),
      known: fc.array(fc.integer({ min: 0, max: 1_600 }), { minLength: 5, maxLength: 5 }),
      meanwhile: fc.array(fc.nat({ max: 4 }), { maxLength: 5 }),
      before: fc.subarray([0, 1, 2, 3, 4, 5]),
      failsAt: fc.nat({ max: 12 }),
      seed: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(extents, async ({ streams, known, meanwhile, before, failsAt, seed }) => {
        const log = Log.mixed(streams, seed);
        const late = [...meanwhile];
        log.onEnd = () => {
          const stream = late.pop();
          if (stream !== undefined) log.append(`s${stream % streams.length}`);
        };
        let reads = 0;
        log.failing = leftOut => leftOut.length > 0 && ++reads === failsAt;
        const isKnown: KnownEvents = (stream, revision) => revision < known[Number(stream.slice(1))]!;
        const met = new MetStreams();
        met.add(before.map(stream => ({ stream: `s${stream}` })));
        const events = await log.read(isKnown, met);
        const unknown = (all: readonly RecordedEvent[]): RecordedEvent[] =>
          all.filter(({ stream, revision }) => !isKnown(stream, revision));
        assertGrowing(events);
        assert.deepEqual(unknown(events), unknown(log.events));
        assert.equal(events.at(-1)?.position, log.events.at(-1)?.position);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

/** A server's log in memory, that answers as `Reads` does. */
class Log {
  readonly events: RecordedEvent[] = [];
  /** What each read of the log left out. */
  readonly leftOut: (readonly string[])[] = [];
  endsAsked = 0;
  /** Called before an end is told. */
  onEnd: () => void = () => undefined;
  failing: (leftOut: readonly string[]) => boolean = () => false;
  /** Of an event that its stream does not show yet. */
  isLate: (event: RecordedEvent) => boolean = () => false;
  private readonly revisions = new Map<string, number>();

  /** Events of the streams in turn. */
  static of(count: number, streams: readonly string[]): Log {
    const log = new Log();
    for (let index = 0; index < count; index++) log.append(streams[index % streams.length]!);
    return log;
  }

  /** That number of events of each stream, mixed. */
  static mixed(counts: readonly number[], seed: number): Log {
    const log = new Log();
    const left = counts.map((count, index) => ({ stream: `s${index}`, count }));
    for (let state = seed; left.length > 0;) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      const at = state % left.length;
      log.append(left[at]!.stream);
      if (--left[at]!.count === 0) left.splice(at, 1);
    }
    return log;
  }

  append(stream: string): void {
    const revision = (this.revisions.get(stream) ?? -1) + 1;
    this.revisions.set(stream, revision);
    const position = String(this.events.length).padStart(40, '0');
    this.events.push({ ...newEvent(), stream, revision, position });
  }

  async read(isKnown: KnownEvents, met?: MetStreams): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const page of new UnknownReads(this, PREFIX, isKnown, met).after(undefined)) {
      assert.ok(page.length > 0);
      events.push(...page);
    }
    return events;
  }

  async *all(
    { after = '' }: { readonly after?: string | undefined },
    leftOut: readonly string[] = [],
  ): AsyncGenerator<RecordedEvent[]> {
    this.leftOut.push(leftOut);
    for (let at = this.events.findIndex(({ position }) => position > after); at >= 0;) {
      if (this.failing(leftOut)) throw new EventStoreUnavailable('down');
      const page: RecordedEvent[] = [];
      for (; at < this.events.length && page.length < READ_PAGE_EVENTS; at++) {
        if (!leftOut.includes(this.events[at]!.stream)) page.push(this.events[at]!);
      }
      if (page.length > 0) yield page;
      if (at >= this.events.length) return;
    }
  }

  async last(): Promise<RecordedEvent | null> {
    return this.events.at(-1) ?? null;
  }

  async *stream(stream: string): AsyncGenerator<RecordedEvent[]> {
    this.endsAsked++;
    this.onEnd();
    const end = this.events.findLast(event => event.stream === stream && !this.isLate(event));
    if (end) yield [end];
  }
}
