import { NO_STREAM, StreamDeleted, WrongExpectedRevision } from '../event-store/event-store.js';
import { DELETED_REVISION, type EventTable, type StreamEnd } from './event-table.js';
import type { Append } from './storage-jobs.js';

/** How many streams' last revisions are remembered; one more costs an append two look-ups. */
const STREAM_ENDS_MAX = 50_000;

/** What is asked of the table. */
type AppendTable = Pick<
  EventTable,
  'streamEnd' | 'insertStream' | 'insertEvent' | 'idsAfter' | 'deleteEvents'
>;

/** Decides and writes the appends of the transaction that is open. */
export class Appends {
  /** In the order of their last use. */
  private readonly ends = new Map<string, StreamEnd>();

  /** Another connection wrote, or the transaction was rolled back: what is remembered may be wrong. */
  forget(): void {
    this.ends.clear();
  }

  /**
   * An append without events deletes the stream.
   * @returns the position of the last event, that of the original where this repeats an append
   * @throws WrongExpectedRevision, StreamDeleted before anything is written
   */
  append(table: AppendTable, append: Append): number {
    const end = this.endOf(table, append.stream);
    const actual = end?.revision ?? NO_STREAM;
    if (append.events.length === 0) return this.delete(table, append, end);
    if (actual === DELETED_REVISION) throw new StreamDeleted(append.stream);
    if (append.expected === actual) return this.write(table, append, end);
    const original =
      end !== undefined && append.expected < actual ? findOriginal(table, append, end) : undefined;
    if (original === undefined) throw new WrongExpectedRevision(append.stream, append.expected, actual);
    return original;
  }

  private write(table: AppendTable, append: Append, end: StreamEnd | undefined): number {
    const { stream, events, texts } = append;
    const id = end?.id ?? table.insertStream(stream);
    let revision = append.expected;
    let position = 0;
    for (const [index, text] of texts.entries()) {
      revision += 1;
      position = table.insertEvent(id, revision, events[index]!, text);
    }
    this.remember(stream, { id, revision });
    return position;
  }

  private delete(table: AppendTable, { stream, expected }: Append, end: StreamEnd | undefined): number {
    const actual = end?.revision ?? NO_STREAM;
    if (actual !== DELETED_REVISION && actual !== expected) {
      throw new WrongExpectedRevision(stream, expected, actual);
    }
    if (actual === DELETED_REVISION) return 0;
    const id = end?.id ?? table.insertStream(stream);
    const position = table.deleteEvents(id);
    this.remember(stream, { id, revision: DELETED_REVISION });
    return position;
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
}

/** The position of the original append's last event if this one repeats what is stored after `expected`, by ids alone. */
function findOriginal(table: AppendTable, { expected, events }: Append, end: StreamEnd): number | undefined {
  const stored = table.idsAfter(end.id, expected, events.length);
  const isRepetition =
    stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id);
  return isRepetition ? stored.at(-1)?.position : undefined;
}
