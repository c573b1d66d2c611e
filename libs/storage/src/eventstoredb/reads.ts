import {
  EventStoreUnavailable,
  READ_PAGE_EVENTS,
  type AllRange,
  type RecordedEvent,
  type StreamRange,
} from '../event-store/event-store.js';
import type { EventStoreDbConnection } from './connection.js';
import { classify } from './failures.js';
import { filteredRead, lastRead, streamRead, type FilteredRead, type ReadReq } from './read-requests.js';
import { isTombstone, parsePosition } from './read-answers.js';
import { Retry, type Availability } from './retry.js';

type Pages = AsyncGenerator<RecordedEvent[], void, undefined>;

/**
 * Reads that end by themselves. They ask the leader, time out by silence (the client's deadline has no effect on
 * reads), cancel their call whenever they stop, and go on where they were interrupted.
 */
export class Reads {
  constructor(
    private readonly connection: EventStoreDbConnection,
    private readonly availability: Availability,
    private readonly closing: AbortSignal,
  ) {}

  async *stream(stream: string, range: StreamRange): Pages {
    const { from, direction = 'forwards', limit = Number.MAX_SAFE_INTEGER } = range;
    const forwards = direction === 'forwards';
    if (from !== undefined && !Number.isSafeInteger(from)) throw new RangeError(`${from} is no revision`);
    let next: number | 'end' = forwards ? Math.max(from ?? 0, 0) : (from ?? 'end');
    let left = limit;
    const rest = (): ReadReq | null =>
      left > 0 && (next === 'end' || next >= 0)
        ? streamRead({ stream, from: next, direction, limit: left })
        : null;
    for await (const page of this.continued(rest, () => this.availability.silenceMs())) {
      yield page;
      const last = page.at(-1)!.revision;
      next = forwards ? last + 1 : last - 1;
      left -= page.length;
    }
  }

  /** @throws EventStoreUnavailable */
  async *all({ after, prefix }: AllRange): Pages {
    let position = after;
    const rest = (): ReadReq => filteredRead(rangeFrom(position, prefix, Number.MAX_SAFE_INTEGER));
    for await (const page of this.continued(rest, this.filteredSilenceMs)) {
      const events = page.filter(event => event.position > (position ?? '') && !isTombstone(event));
      if (events.length > 0) yield events;
      position = page.at(-1)!.position;
    }
  }

  /** The last event of the streams with the prefix, or null. */
  async last(prefix: string): Promise<RecordedEvent | null> {
    const request = filteredRead({ from: 'end', direction: 'backwards', prefix, limit: 1 });
    return firstOf(this.continued(() => request, this.filteredSilenceMs));
  }

  /** Reads the last event of all; asked once. */
  async ping(): Promise<void> {
    await firstOf(this.pages(lastRead(), this.availability.timings.attemptMs));
  }

  /** Whether the streams with the prefix have an event after a position; asked once. */
  async hasEventAfter(position: string | undefined, prefix: string): Promise<boolean> {
    const request = filteredRead(rangeFrom(position, prefix, 2));
    for await (const page of this.pages(request, this.filteredSilenceMs())) {
      if (page.some(event => event.position > (position ?? ''))) return true;
    }
    return false;
  }

  private readonly filteredSilenceMs = (): number => this.availability.timings.filteredSilenceMs;

  /**
   * Pages of calls to the server, of which each goes on where the one before was interrupted.
   * @param rest asks for what is left behind the pages that were taken; null where nothing is
   */
  private async *continued(rest: () => ReadReq | null, silenceMs: () => number): Pages {
    let retry = new Retry(this.availability);
    for (let request = rest(); request !== null; request = rest()) {
      try {
        for await (const page of this.pages(request, silenceMs())) {
          yield page;
          retry = new Retry(this.availability);
        }
        return;
      } catch (error) {
        if (classify(error).kind === 'no-stream') return;
        await retry.next(error);
      }
    }
  }

  /** Pages of one call to the server. */
  private async *pages(request: ReadReq, silenceMs: number): Pages {
    const { availability, closing } = this;
    if (closing.aborted) throw closed();
    const feed = this.connection.read(request);
    const close = feed.closeWith(closing);
    let page: RecordedEvent[] = [];
    try {
      for (;;) {
        const taken = feed.take(READ_PAGE_EVENTS - page.length);
        const goesOn = taken.length > 0 || (await feed.more(silenceMs, closing));
        // A feed that was closed ends like one that has brought everything.
        if (closing.aborted) throw closed();
        if (!goesOn) break;
        for (const delivery of taken) if (delivery.kind === 'events') page.push(...delivery.events);
        if (page.length === READ_PAGE_EVENTS) {
          yield page;
          page = [];
        }
      }
      availability.answered();
      if (page.length > 0) yield page;
    } finally {
      close();
    }
  }
}

/** For every call that comes after `close()`. */
export function closed(): EventStoreUnavailable {
  return new EventStoreUnavailable('The event store is being closed.');
}

/** The server begins with the event at the position itself, if that has the prefix. */
function rangeFrom(position: string | undefined, prefix: string, limit: number): FilteredRead {
  const from = position === undefined ? 'start' : parsePosition(position);
  return { from, direction: 'forwards', prefix, limit };
}

async function firstOf(pages: Pages): Promise<RecordedEvent | null> {
  for await (const [first] of pages) return first!;
  return null;
}
