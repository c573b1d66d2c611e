import { NO_STREAM, StreamDeleted, WrongExpectedRevision } from '../event-store/event-store.js';
import { DELETED_REVISION, type EventTable, type StreamEnd } from './event-table.js';
import type { Append } from './storage-jobs.js';

/**
 * Decides and writes an append in the transaction that is open; one without events deletes the stream.
 * @returns the position of the last event, that of the original where this repeats an append
 * @throws WrongExpectedRevision, StreamDeleted before anything is written
 */
export function writeAppend(table: EventTable, append: Append): number {
  const end = table.streamEnd(append.stream);
  const actual = end?.revision ?? NO_STREAM;
  if (append.events.length === 0) return deleteStream(table, append, end);
  if (actual === DELETED_REVISION) throw new StreamDeleted(append.stream);
  if (append.expected === actual) return writeEvents(table, append, end);
  const original = end && append.expected < actual ? findOriginal(table, append, end) : undefined;
  if (original === undefined) throw new WrongExpectedRevision(append.stream, append.expected, actual);
  return original;
}

function writeEvents(
  table: EventTable,
  { stream, expected, events, texts }: Append,
  end: StreamEnd | undefined,
): number {
  const id = end?.id ?? table.insertStream(stream);
  let position = 0;
  for (const [index, text] of texts.entries()) {
    position = table.insertEvent(id, expected + 1 + index, events[index]!, text);
  }
  return position;
}

function deleteStream(table: EventTable, { stream, expected }: Append, end: StreamEnd | undefined): number {
  const actual = end?.revision ?? NO_STREAM;
  if (actual === DELETED_REVISION) return 0;
  if (actual !== expected) throw new WrongExpectedRevision(stream, expected, actual);
  return table.deleteEvents(end?.id ?? table.insertStream(stream));
}

/** The position of the original append's last event if this one repeats what is stored after `expected`, by ids alone. */
function findOriginal(table: EventTable, { expected, events }: Append, end: StreamEnd): number | undefined {
  const stored = table.idsAfter(end.id, expected, events.length);
  const isRepetition =
    stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id);
  return isRepetition ? stored.at(-1)?.position : undefined;
}
