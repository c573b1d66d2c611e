import {
  NO_STREAM,
  WrongExpectedRevision,
  type Appended,
  type EventTexts,
  type NewEvent,
  type RecordedEvent,
} from '../event-store.js';
import { positionText, type EventTable, type StreamEnd } from './event-table.js';

/** How many streams' last revisions are remembered; one more costs an append two look-ups. */
export const STREAM_ENDS_MAX = 50_000;

/** What one transaction appended, in the order of the store. */
export interface AppendedBatch {
  readonly events: readonly RecordedEvent[];
  /** Length of the events' texts. */
  readonly size: number;
}

/** What is asked of the table. */
type AppendTable = Pick<EventTable, 'streamEnd' | 'insertStream' | 'insertEvent' | 'idsAfter'>;

export interface Append {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly NewEvent[];
  /** JSON of the events, in their order. */
  readonly texts: readonly EventTexts[];
}

/**
 * Decides and writes the appends of the transaction that is open, and remembers what it wrote for those who listen.
 */
export class Appends {
  /** In the order of their last use. */
  private readonly ends = new Map<string, StreamEnd>();
  private batch: RecordedEvent[] = [];
  private batchSize = 0;

  /** The events of the transaction now committed; they are forgotten here. */
  takeBatch(): AppendedBatch {
    const taken = { events: this.batch, size: this.batchSize };
    this.forgetBatch();
    return taken;
  }

  /** Another connection wrote, or the transaction was rolled back: what is remembered may be wrong. */
  forget(): void {
    this.ends.clear();
    this.forgetBatch();
  }

  /**
   * @param listening whether the events are to be kept for `takeBatch`
   * @throws WrongExpectedRevision before anything is written
   */
  append(table: AppendTable, append: Append, listening: boolean): Appended {
    const end = this.endOf(table, append.stream);
    const actual = end?.revision ?? NO_STREAM;
    if (append.expected === actual) return this.write(table, append, end, listening);
    const original =
      end !== undefined && append.expected < actual ? findOriginal(table, append, end) : undefined;
    if (original === undefined) throw new WrongExpectedRevision(append.stream, append.expected, actual);
    return original;
  }

  private write(
    table: AppendTable,
    append: Append,
    end: StreamEnd | undefined,
    listening: boolean,
  ): Appended {
    const { stream, events, texts } = append;
    const id = end?.id ?? table.insertStream(stream);
    let revision = append.expected;
    let position = '';
    for (const [index, text] of texts.entries()) {
      const event = events[index] as NewEvent;
      revision += 1;
      position = positionText(table.insertEvent(id, revision, event, text));
      if (listening) {
        const { type, data, metadata } = event;
        this.batch.push({ stream, revision, position, id: event.id, type, data, metadata });
        this.batchSize += text.data.length + text.metadata.length;
      }
    }
    this.remember(stream, { id, revision });
    return { revision, position };
  }

  private endOf(table: AppendTable, stream: string): StreamEnd | undefined {
    const end = this.ends.get(stream) ?? table.streamEnd(stream);
    if (end !== undefined) this.remember(stream, end);
    return end;
  }

  private remember(stream: string, end: StreamEnd): void {
    this.ends.delete(stream);
    this.ends.set(stream, end);
    if (this.ends.size <= STREAM_ENDS_MAX) return;
    for (const oldest of this.ends.keys()) {
      this.ends.delete(oldest);
      return;
    }
  }

  private forgetBatch(): void {
    this.batch = [];
    this.batchSize = 0;
  }
}

/** The answer of the original append if this one repeats what is stored after `expected`, by ids alone. */
function findOriginal(
  table: AppendTable,
  { expected, events }: Append,
  end: StreamEnd,
): Appended | undefined {
  const stored = table.idsAfter(end.id, expected, events.length);
  const last = stored.at(-1);
  const isRepetition =
    stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id);
  return isRepetition && last
    ? { revision: expected + events.length, position: positionText(last.position) }
    : undefined;
}
