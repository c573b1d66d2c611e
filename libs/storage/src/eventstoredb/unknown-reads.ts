import {
  READ_PAGE_EVENTS,
  type AllRange,
  type KnownEvents,
  type RecordedEvent,
} from '../event-store/event-store.js';
import { firstOf, type Reads } from './reads.js';

/** The most streams that a server is asked to leave out: each makes its filter longer. */
export const STREAMS_LEFT_OUT_MAX = 500;
/** At most this many streams are asked for their ends at the same time. */
const ENDS_AT_ONCE = 32;

/** Names of streams that were met lately, as many as may be left out. */
export class MetStreams {
  private streams = new Set<string>();

  add(events: readonly Pick<RecordedEvent, 'stream'>[]): void {
    for (const { stream } of events) {
      if (this.streams.size >= STREAMS_LEFT_OUT_MAX) return;
      this.streams.add(stream);
    }
  }

  /** What was met since it was taken before. */
  takeAll(): Iterable<string> {
    const { streams } = this;
    this.streams = new Set();
    return streams;
  }
}

/** Streams whose events the reader has, all of them up to one of the log. */
interface LeftOut {
  readonly streams: readonly string[];
  /** The last event of the log when the streams were found to be known. */
  readonly upTo: RecordedEvent;
}

/**
 * Reads the log for a reader that has much of it from elsewhere. Where a whole page brought nothing new, its streams
 * and others that were met before are asked for their ends, and where these are known too, the server is asked to leave
 * them out up to the log's end of that moment: it still looks at their events, but neither sends them nor has them
 * decoded here.
 */
export class UnknownReads {
  private leftOut: LeftOut | null = null;
  /** How many known pages in a row are taken as they are before streams are asked for again. */
  private patience = 0;
  private knownPages = 0;

  /** @param met names of streams that the reader met before, whose events may come again */
  constructor(
    private readonly reads: Pick<Reads, 'all' | 'last' | 'stream'>,
    private readonly prefix: string,
    private readonly isKnown: KnownEvents,
    private readonly met = new MetStreams(),
  ) {}

  /** What `EventStore.readAll` yields. @throws EventStoreUnavailable */
  async *after(position: AllRange['after']): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    let reached = position;
    for (;;) {
      const { leftOut } = this;
      try {
        for await (const page of this.pages(reached)) {
          yield page;
          reached = page.at(-1)!.position;
        }
      } catch (error) {
        if (leftOut === null) throw error;
        // A server that leaves out much says nothing for long. Whether more is wrong, a read of everything tells.
        this.leftOut = null;
        this.patience = Infinity;
        continue;
      }
      if (this.leftOut !== leftOut) continue;
      if (leftOut === null) return;
      if (leftOut.upTo.position > (reached ?? '')) yield [leftOut.upTo];
      reached = leftOut.upTo.position;
      this.leftOut = null;
    }
  }

  /** Ends where what is left out has changed, or may be left out no longer. */
  private async *pages(after: string | undefined): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    const { prefix, leftOut } = this;
    for await (const page of this.reads.all({ prefix, after }, leftOut?.streams)) {
      const events = leftOut ? page.filter(({ position }) => position <= leftOut.upTo.position) : page;
      this.met.add(page);
      if (events.length > 0) yield events;
      if (events.length < page.length || (await this.leavesOutMore(page))) return;
    }
  }

  private async leavesOutMore(page: readonly RecordedEvent[]): Promise<boolean> {
    const isSpent = page.length < READ_PAGE_EVENTS || !page.every(event => this.knows(event));
    if (isSpent || this.knownPages++ < this.patience) return false;
    this.knownPages = 0;
    const former = this.leftOut?.streams ?? [];
    // First: what is recorded while the streams are asked is after it.
    const upTo = this.leftOut?.upTo ?? (await this.readableEnd());
    const known = await this.wholeStreams(this.others(page, former));
    if (upTo === null || known.length === 0) {
      this.patience = 2 * this.patience + 1;
      return false;
    }
    this.leftOut = { streams: [...former, ...known], upTo };
    return true;
  }

  /** The last event of the log, if its stream can be read up to it; then so can all others up to where they are in the log. */
  private async readableEnd(): Promise<RecordedEvent | null> {
    const last = await this.reads.last(this.prefix);
    const end = last && (await this.endOf(last.stream));
    return end && end.revision >= last.revision ? last : null;
  }

  /** Streams of a page, and some that were met before, as many as may be left out beside the former. */
  private others(page: readonly RecordedEvent[], former: readonly string[]): string[] {
    const streams = new Set([...page.map(({ stream }) => stream), ...this.met.takeAll()]);
    for (const stream of former) streams.delete(stream);
    return [...streams].slice(0, STREAMS_LEFT_OUT_MAX - former.length);
  }

  /** Those that are known up to their ends. */
  private async wholeStreams(streams: readonly string[]): Promise<string[]> {
    const known: string[] = [];
    for (let at = 0; at < streams.length; at += ENDS_AT_ONCE) {
      const ends = streams.slice(at, at + ENDS_AT_ONCE).map(stream => this.endOf(stream));
      for (const end of await Promise.all(ends)) if (end && this.knows(end)) known.push(end.stream);
    }
    return known;
  }

  private endOf(stream: string): Promise<RecordedEvent | null> {
    return firstOf(this.reads.stream(stream, { direction: 'backwards', limit: 1 }));
  }

  private knows({ stream, revision }: RecordedEvent): boolean {
    return this.isKnown(stream, revision);
  }
}
