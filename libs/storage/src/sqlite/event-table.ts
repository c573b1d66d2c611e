import type { RecordedEvent } from '../event-store/event-store.js';
import type { Connection, Row as StoredRow } from './connection.js';

/**
 * The revision of the event that stands for a stream which was deleted. It keeps its position, so that positions go on
 * growing, and the stream takes no more.
 */
export const DELETED_REVISION = Number.MAX_SAFE_INTEGER;
const NOT_DELETED = `e.revision < ${DELETED_REVISION}`;

/** Texts up to this size come with the page; larger ones are fetched one by one until the page is full. */
const SIZE_INLINE_MAX = 16_384;
/** A page ends with the event that takes it beyond this size. */
export const PAGE_SIZE_MAX = 4_000_000;

const inline = (text: string): string => `CASE WHEN e.size > ${SIZE_INLINE_MAX} THEN NULL ELSE ${text} END`;
const COLUMNS = `e.position, e.revision, lower(hex(e.id)), e.type, e.size, ${inline('e.data')}, ${inline('e.metadata')}`;
const BY_STREAM = `SELECT ${COLUMNS} FROM streams s CROSS JOIN events e ON e.stream = s.id
  WHERE s.name = ? AND ${NOT_DELETED}`;
const STREAM = {
  forwards: `${BY_STREAM} AND e.revision >= ? ORDER BY e.revision LIMIT ?`,
  backwards: `${BY_STREAM} AND e.revision <= ? ORDER BY e.revision DESC LIMIT ?`,
};
const BY_POSITION = 'FROM events e CROSS JOIN streams s ON s.id = e.stream WHERE';
/** Name comparison is by bytes, so that the names with a prefix are one range. Parameters: the prefix twice. */
const WITH_PREFIX = 's.name >= ? AND s.name < ? || char(1114111)';
const LOG = `SELECT ${COLUMNS}, s.name ${BY_POSITION} e.position > ? AND e.position <= ? AND ${WITH_PREFIX}
  AND ${NOT_DELETED} ORDER BY e.position LIMIT ?`;
const LAST = `SELECT e.position ${BY_POSITION} ${WITH_PREFIX} ORDER BY e.position DESC LIMIT 1`;

/** An event without its stream's name. */
type Row = readonly [
  position: number,
  revision: number,
  id: string,
  type: string,
  size: number,
  data: string | null,
  metadata: string | null,
];
type NamedRow = readonly [...Row, stream: string];

/** A part of the log: positions after one and up to another, in the streams with the prefix. */
interface LogRange {
  readonly after: number;
  readonly upTo: number;
  readonly prefix: string;
}

export interface Page {
  readonly events: readonly RecordedEvent[];
  /** No event of the range that was asked for is left after these. */
  readonly complete: boolean;
}

/** @param from a revision, inclusive @throws SQLite's errors */
export function streamPage(
  c: Connection,
  stream: string,
  direction: 'forwards' | 'backwards',
  from: number,
  limit: number,
): Page {
  return pageOf(c, c.statement(STREAM[direction]).all(stream, from, limit), limit, stream);
}

/** @throws SQLite's errors */
export function logPage(c: Connection, { after, upTo, prefix }: LogRange, limit: number): Page {
  return pageOf(c, c.statement(LOG).all(after, upTo, prefix, prefix, limit), limit);
}

/** The last position of the streams with the prefix; undefined where they have none. @throws SQLite's errors */
export function lastOf(c: Connection, prefix: string): number | undefined {
  const row = c.row({ sql: LAST, values: [prefix, prefix] });
  return row && Number(row[0]);
}

/** 0 for an empty store. @throws SQLite's errors */
export function lastPosition(c: Connection): number {
  return Number(c.row({ sql: 'SELECT max(position) FROM events', values: [] })?.[0] ?? 0);
}

/** @param stream of all rows; each names its own where none is given */
function pageOf(c: Connection, rows: readonly (Row | NamedRow)[], limit: number, stream?: string): Page {
  const events: RecordedEvent[] = [];
  let size = 0;
  for (const row of rows) {
    events.push(recordedEvent(c, row, row[7] ?? stream!));
    size += row[4];
    if (size > PAGE_SIZE_MAX) break;
  }
  return { events, complete: events.length === rows.length && rows.length < limit };
}

function recordedEvent(c: Connection, row: Row | NamedRow, stream: string): RecordedEvent {
  const [position, revision, id, type, , inlineData, inlineMetadata] = row;
  const [data, metadata] = inlineData === null ? textsAt(c, position) : [inlineData, inlineMetadata];
  let read: Pick<RecordedEvent, 'data' | 'metadata'> | undefined;
  const contents = () => (read ??= parsed(String(data), String(metadata)));
  return {
    stream,
    revision,
    position: positionText(position),
    id: uuid(id),
    type,
    // Parsed on demand: a projector skips most of what this process has written.
    get data() {
      return contents().data;
    },
    get metadata() {
      return contents().metadata;
    },
  };
}

function textsAt(c: Connection, position: number): StoredRow {
  return c.row({ sql: 'SELECT data, metadata FROM events WHERE position = ?', values: [position] }) ?? [];
}

/**
 * What is not JSON any more was damaged. Such an event is passed on empty rather than refused, so that its household
 * stops alone when it is folded.
 */
function parsed(data: string, metadata: string): Pick<RecordedEvent, 'data' | 'metadata'> {
  try {
    return {
      data: JSON.parse(data) as RecordedEvent['data'],
      metadata: JSON.parse(metadata) as RecordedEvent['metadata'],
    };
  } catch {
    return { data: {}, metadata: {} };
  }
}

const POSITION_DIGITS = 20;
const POSITION = /^\d{20}$/;

export function positionText(position: number): string {
  return String(position).padStart(POSITION_DIGITS, '0');
}

/** 0, before every event, for none. @throws RangeError */
export function positionNumber(position: string | undefined): number {
  if (position === undefined) return 0;
  if (!POSITION.test(position)) throw new RangeError(`${position} is no position of this store`);
  return Number(position);
}

export function uuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
