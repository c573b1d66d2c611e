import { NO_STREAM, type EventTexts, type RecordedEvent } from '../event-store/event-store.js';
import type { Database } from './open-database.js';

/**
 * The revision of the event that stands for a stream which was deleted. It keeps its position, so that positions go on
 * growing, and the stream takes no more.
 */
export const DELETED_REVISION = Number.MAX_SAFE_INTEGER;
const DELETED_ID = '00000000-0000-0000-0000-000000000000';
const NOT_DELETED = `e.revision < ${DELETED_REVISION}`;

/** A page ends with the event that takes it beyond this size. */
export const PAGE_SIZE_MAX = 4_000_000;

const COLUMNS = 'e.position, e.revision, lower(hex(e.id)), e.type, e.size, e.data, e.metadata';
const BY_STREAM = `SELECT ${COLUMNS} FROM streams s CROSS JOIN events e ON e.stream = s.id
  WHERE s.name = ? AND ${NOT_DELETED}`;
/** Name comparison is by bytes, so that the names with a prefix are one range. Parameters: the prefix twice. */
const WITH_PREFIX = `s.name >= ? AND s.name < ? || char(1114111)`;
const WITH_NAME = `${COLUMNS}, s.name`;
const BY_POSITION = `FROM events e CROSS JOIN streams s ON s.id = e.stream WHERE e.position > ? AND e.position <= ? AND ${WITH_PREFIX}`;

/** An event without its stream's name. */
type Row = readonly [
  position: number,
  revision: number,
  id: string,
  type: string,
  size: number,
  data: string,
  metadata: string,
];
type NamedRow = readonly [...Row, stream: string];

/** A part of the log: positions after one and up to another, in the streams with the prefix. */
interface LogRange {
  readonly after: number;
  readonly upTo: number;
  readonly prefix: string;
}

interface Page {
  readonly events: readonly RecordedEvent[];
  /** No event of the range that was asked for is left after these. */
  readonly complete: boolean;
}

export interface StreamEnd {
  readonly id: number;
  /** Of its last event; `NO_STREAM` where none is left. */
  readonly revision: number;
}

/** The statements on one open event log. Every method may throw SQLite's errors. */
export class EventTable {
  private readonly statements;

  constructor(db: Database) {
    const prepare = (sql: string) => {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    this.statements = {
      streamEnd: prepare(`SELECT s.id, (SELECT max(revision) FROM events WHERE stream = s.id) FROM streams s
        WHERE s.name = ?`),
      insertStream: prepare('INSERT INTO streams (name) VALUES (?)'),
      insertEvent: prepare(`INSERT INTO events (stream, revision, id, type, size, data, metadata)
        VALUES (?, ?, unhex(?, '-'), ?, ?, ?, ?)`),
      deleteEvents: prepare('DELETE FROM events WHERE stream = ?'),
      idsAfter: prepare(`SELECT lower(hex(id)), position FROM events
        WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?`),
      forwards: prepare(`${BY_STREAM} AND e.revision >= ? ORDER BY e.revision LIMIT ?`),
      backwards: prepare(`${BY_STREAM} AND e.revision <= ? ORDER BY e.revision DESC LIMIT ?`),
      byPosition: prepare(
        `SELECT ${WITH_NAME} ${BY_POSITION} AND ${NOT_DELETED} ORDER BY e.position LIMIT ?`,
      ),
      lastOf: prepare(`SELECT e.position FROM events e CROSS JOIN streams s ON s.id = e.stream
        WHERE ${WITH_PREFIX} ORDER BY e.position DESC LIMIT 1`),
      lastPosition: prepare('SELECT max(position) FROM events'),
    };
  }

  streamEnd(stream: string): StreamEnd | undefined {
    const row: [number, number | null] | undefined = this.statements.streamEnd.get(stream);
    return row && { id: row[0], revision: row[1] ?? NO_STREAM };
  }

  /** @returns the stream's id */
  insertStream(stream: string): number {
    return Number(this.statements.insertStream.run(stream).lastInsertRowid);
  }

  /** @returns the event's position */
  insertEvent(
    streamId: number,
    revision: number,
    event: { readonly id: string; readonly type: string },
    { data, metadata }: EventTexts,
  ): number {
    const size = data.length + metadata.length;
    const { lastInsertRowid } = this.statements.insertEvent.run(
      streamId,
      revision,
      event.id,
      event.type,
      size,
      data,
      metadata,
    );
    return Number(lastInsertRowid);
  }

  /** @returns the position of what stands for the stream from now on */
  deleteEvents(streamId: number): number {
    this.statements.deleteEvents.run(streamId);
    const event = { id: DELETED_ID, type: '$deleted' };
    return this.insertEvent(streamId, DELETED_REVISION, event, { data: '{}', metadata: '{}' });
  }

  /** Ids and positions of at most `count` events after a revision. */
  idsAfter(streamId: number, revision: number, count: number): { id: string; position: number }[] {
    const rows: [string, number][] = this.statements.idsAfter.all(streamId, revision, count);
    return rows.map(([hex, position]) => ({ id: uuid(hex), position }));
  }

  streamPage(stream: string, direction: 'forwards' | 'backwards', from: number, limit: number): Page {
    return pageOf(this.statements[direction].iterate(stream, from, limit), limit, stream);
  }

  allPage({ after, upTo, prefix }: LogRange, limit: number): Page {
    return pageOf(this.statements.byPosition.iterate(after, upTo, prefix, prefix, limit), limit);
  }

  /** The last position of the streams with the prefix; undefined where they have none. */
  lastOf(prefix: string): number | undefined {
    const row: [number] | undefined = this.statements.lastOf.get(prefix, prefix);
    return row?.[0];
  }

  /** 0 for an empty store. */
  lastPosition(): number {
    const [position]: [number | null] = this.statements.lastPosition.get();
    return position ?? 0;
  }
}

/** @param rows read no further than the page goes @param stream of all rows; each names its own where none is given */
function pageOf(rows: Iterable<unknown>, limit: number, stream?: string): Page {
  const events: RecordedEvent[] = [];
  let size = 0;
  for (const row of rows as Iterable<Row | NamedRow>) {
    events.push(recordedEvent(row, row[7] ?? stream!));
    size += row[4];
    if (size > PAGE_SIZE_MAX) return { events, complete: false };
  }
  return { events, complete: events.length < limit };
}

function recordedEvent(row: Row | NamedRow, stream: string): RecordedEvent {
  const [position, revision, id, type, , data, metadata] = row;
  let read: Pick<RecordedEvent, 'data' | 'metadata'> | undefined;
  const contents = () => (read ??= parsed(data, metadata));
  return {
    stream,
    revision,
    position: positionText(position),
    id: uuid(id),
    type,
    // Parsed when asked for: who follows the log passes over most of what this process has written.
    get data() {
      return contents().data;
    },
    get metadata() {
      return contents().metadata;
    },
  };
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

function uuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
