import { NO_STREAM, StreamDeleted, WrongExpectedRevision } from '../event-store/event-store.js';
import type { Connection } from './ledger-file.js';
import type { Append } from './storage-thread.js';

/**
 * The revision of the event that stands for a stream which was deleted. It keeps its position, so that positions go on
 * growing, and the stream takes no more.
 */
export const DELETED_REVISION = Number.MAX_SAFE_INTEGER;
const DELETED_ID = '00000000-0000-0000-0000-000000000000';

const STREAM_END = `SELECT s.id, (SELECT max(revision) FROM events WHERE stream = s.id) FROM streams s
  WHERE s.name = ?`;
const INSERT_EVENT = `INSERT INTO events (stream, revision, id, type, size, data, metadata)
  VALUES (?, ?, unhex(?, '-'), ?, ?, ?, ?)`;
const IDS_AFTER = `SELECT lower(hex(id)), position FROM events
  WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?`;

/** A stream that the file knows. */
interface Stream {
  readonly id: number;
  /** Of its last event; `NO_STREAM` where none is left. */
  readonly revision: number;
}

/**
 * Decides and writes an append in the transaction that is open; one without events deletes the stream.
 * @returns the position of the last event, that of the original where this repeats an append
 * @throws WrongExpectedRevision, StreamDeleted before anything is written; SQLite's errors
 */
export function writeAppend(c: Connection, append: Append): number {
  const row = c.row({ sql: STREAM_END, values: [append.stream] });
  const known = row && { id: Number(row[0]), revision: Number(row[1] ?? NO_STREAM) };
  const actual = known?.revision ?? NO_STREAM;
  if (append.events.length === 0) return deleteStream(c, append, known);
  if (actual === DELETED_REVISION) throw new StreamDeleted(append.stream);
  if (append.expected === actual) return writeEvents(c, append, known);
  const original = known && append.expected < actual ? findOriginal(c, append, known) : undefined;
  if (original === undefined) throw new WrongExpectedRevision(append.stream, append.expected, actual);
  return original;
}

function writeEvents(c: Connection, append: Append, known: Stream | undefined): number {
  const { stream, expected, events, texts } = append;
  const id = known?.id ?? insertStream(c, stream);
  let position = 0;
  for (const [index, { data, metadata }] of texts.entries()) {
    const event = events[index]!;
    const size = data.length + metadata.length;
    const values = [id, expected + 1 + index, event.id, event.type, size, data, metadata];
    position = c.insert(INSERT_EVENT, values);
  }
  return position;
}

function deleteStream(c: Connection, { stream, expected }: Append, known: Stream | undefined): number {
  const actual = known?.revision ?? NO_STREAM;
  if (actual === DELETED_REVISION) return 0;
  if (actual !== expected) throw new WrongExpectedRevision(stream, expected, actual);
  const id = known?.id ?? insertStream(c, stream);
  c.run('DELETE FROM events WHERE stream = ?', [id]);
  return c.insert(INSERT_EVENT, [id, DELETED_REVISION, DELETED_ID, '$deleted', 4, '{}', '{}']);
}

function insertStream(c: Connection, stream: string): number {
  return c.insert('INSERT INTO streams (name) VALUES (?)', [stream]);
}

/** The position of the original append's last event if this one repeats what is stored after `expected`, by ids alone. */
function findOriginal(c: Connection, { expected, events }: Append, { id }: Stream): number | undefined {
  const stored = c.rows({ sql: IDS_AFTER, values: [id, expected, events.length] });
  const isRepetition =
    stored.length === events.length &&
    stored.every(([hex], index) => uuid(String(hex)) === events[index]?.id);
  return isRepetition ? Number(stored.at(-1)![1]) : undefined;
}

export function uuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
