/** An event as the fake server holds it: texts and bytes, nothing parsed. */
export interface LogRecord {
  readonly stream: string;
  readonly revision: number;
  /** Commit and prepare position; the server gives every event of an append its own. */
  readonly position: bigint;
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export type ProposedRecord = Pick<LogRecord, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;

export type Decision =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: bigint }
  | { readonly kind: 'wrong-revision'; readonly actual: number }
  | { readonly kind: 'tombstoned' };

/** The revision of a stream that does not exist. */
export const NONE = -1;

/** Bytes of a record beside its texts, as positions count them. */
const RECORD_BYTES = 100n;

/** The log of the fake server. It outlives the server, as a disk does. */
export class MemoryLog {
  readonly records: LogRecord[] = [];
  private readonly streams = new Map<string, LogRecord[]>();
  private readonly deleted = new Set<string>();
  private readonly tombstoned = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private next = 548n;

  constructor() {
    this.writeSystemEvent();
  }

  /** Decides as `IndexWriter.CheckCommit` does; only ids are compared. */
  append(stream: string, expected: number, proposed: readonly ProposedRecord[]): Decision {
    if (this.tombstoned.has(stream)) return { kind: 'tombstoned' };
    const records = this.streams.get(stream) ?? [];
    const actual = records.length - 1;
    const isGone = this.deleted.has(stream);
    if (expected === actual || (isGone && expected === NONE)) return this.write(stream, records, proposed);
    if (expected > actual || isGone) return { kind: 'wrong-revision', actual: isGone ? NONE : actual };
    const stored = records.slice(expected + 1, expected + 1 + proposed.length);
    const last = stored.at(-1);
    const isRepetition =
      stored.length === proposed.length && stored.every(({ id }, index) => id === proposed[index]!.id);
    return isRepetition && last
      ? { kind: 'appended', revision: last.revision, position: last.position }
      : { kind: 'wrong-revision', actual };
  }

  /** Appends past the server, and quickly. */
  store(
    stream: string,
    events: readonly {
      readonly id: string;
      readonly type: string;
      readonly data: object;
      readonly metadata: object;
    }[],
  ): void {
    const utf8 = new TextEncoder();
    const proposed = events.map(({ id, type, data, metadata }) => ({
      id,
      type,
      contentType: 'application/json',
      data: utf8.encode(JSON.stringify(data)),
      metadata: utf8.encode(JSON.stringify(metadata)),
    }));
    this.write(stream, this.streams.get(stream) ?? [], proposed);
  }

  /** A record of the server's own, as its statistics are. */
  writeSystemEvent(): void {
    const stream = '$stats-127.0.0.1:2113';
    const id = '00000000-0000-4000-8000-000000000000';
    const empty = new Uint8Array();
    this.write(stream, this.streams.get(stream) ?? [], [
      { id, type: '$statsCollected', contentType: 'application/json', data: empty, metadata: empty },
    ]);
  }

  /** Softly: the stream can be begun again, its revisions go on. */
  delete(stream: string): void {
    this.deleted.add(stream);
  }

  /** For good. What was recorded stays in the log of all streams, with an event that tells of it, until it is scavenged. */
  tombstone(stream: string, expected: number): Decision {
    if (this.tombstoned.has(stream)) return { kind: 'tombstoned' };
    const actual = (this.streams.get(stream)?.length ?? 0) - 1;
    if (expected !== actual) return { kind: 'wrong-revision', actual };
    const id = '00000000-0000-4000-8000-000000000001';
    const empty = new Uint8Array();
    const tombstone = { id, type: '$streamDeleted', contentType: '', data: empty, metadata: empty };
    const decision = this.write(stream, [], [tombstone]);
    this.tombstoned.add(stream);
    this.streams.delete(stream);
    return decision;
  }

  isTombstoned(stream: string): boolean {
    return this.tombstoned.has(stream);
  }

  /** Undefined for a stream that does not exist. */
  stream(name: string): readonly LogRecord[] | undefined {
    return this.deleted.has(name) ? undefined : this.streams.get(name);
  }

  /** @returns how to stop listening */
  onAppend(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private write(stream: string, records: LogRecord[], proposed: readonly ProposedRecord[]): Decision {
    this.deleted.delete(stream);
    let position = 0n;
    for (const event of proposed) {
      position = this.next;
      const record = { ...event, stream, revision: records.length, position };
      records.push(record);
      this.records.push(record);
      this.next += RECORD_BYTES + BigInt(event.data.length + event.metadata.length);
    }
    this.streams.set(stream, records);
    for (const listener of this.listeners) listener();
    return { kind: 'appended', revision: records.length - 1, position };
  }
}
