// What crosses between `AppendThread` and its program, and both ways of each.
import { SqliteUnavailable, describeUnavailable, isUnavailable } from '#sqlite/unavailable';
import { StreamDeleted, WrongExpectedRevision, type EventTexts } from '../event-store.js';
import type { Append, EventHeading, Written } from './appends.js';
import { positionNumber, positionText } from './event-table.js';

/**
 * Appends as they cross to the thread: columns, since an object for each event would cost more than its texts. The
 * columns of events have those of all appends, one after the other.
 */
interface AppendColumns {
  readonly streams: string[];
  readonly expected: number[];
  /** Events of each append. */
  readonly counts: number[];
  readonly ids: string[];
  readonly types: string[];
  readonly data: string[];
  readonly metadata: string[];
}

/** What the thread is asked for; it answers batches of appends, and questions about its health, each in their order. */
export type ThreadRequest =
  | { readonly kind: 'append'; readonly columns: AppendColumns }
  | { readonly kind: 'health' }
  /** Behind everything else; then the thread ends. */
  | { readonly kind: 'close' };

/** The position of an append's last event, negative where it repeats what was stored before; or why there is none. */
export type AppendOutcome = number | AppendFailure;

/** Errors keep no classes where they cross. */
type AppendFailure =
  | { readonly kind: 'wrong-revision'; readonly actual: number }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'bug'; readonly message: string; readonly stack: string | undefined };

export type ThreadAnswer =
  | { readonly kind: 'appended'; readonly outcomes: readonly AppendOutcome[]; readonly commits: number }
  /** `unavailable`: why it is not well; null where it is. */
  | { readonly kind: 'health'; readonly unavailable: string | null };

export function columnsOf(appends: readonly Append[]): AppendColumns {
  const columns: AppendColumns = {
    streams: [],
    expected: [],
    counts: [],
    ids: [],
    types: [],
    data: [],
    metadata: [],
  };
  for (const { stream, expected, events, texts } of appends) {
    columns.streams.push(stream);
    columns.expected.push(expected);
    columns.counts.push(events.length);
    for (const [at, { id, type }] of events.entries()) {
      const { data, metadata } = texts[at]!;
      columns.ids.push(id);
      columns.types.push(type);
      columns.data.push(data);
      columns.metadata.push(metadata);
    }
  }
  return columns;
}

export function appendsOf(columns: AppendColumns): readonly Append[] {
  const { streams, expected, counts, ids, types, data, metadata } = columns;
  let next = 0;
  return streams.map((stream, at): Append => {
    const events: EventHeading[] = [];
    const texts: EventTexts[] = [];
    let size = 0;
    for (const end = next + counts[at]!; next < end; next += 1) {
      events.push({ id: ids[next]!, type: types[next]! });
      texts.push({ data: data[next]!, metadata: metadata[next]! });
      size += data[next]!.length + metadata[next]!.length;
    }
    return { stream, expected: expected[at]!, events, texts, size };
  });
}

export function outcomeOf(result: Written | Error): AppendOutcome {
  if (result instanceof Error) return failureOf(result);
  const position = positionNumber(result.position);
  return result.isRepetition ? -position : position;
}

function failureOf(error: Error): AppendFailure {
  if (error instanceof WrongExpectedRevision) return { kind: 'wrong-revision', actual: error.actual };
  if (error instanceof StreamDeleted) return { kind: 'deleted' };
  if (isUnavailable(error)) return { kind: 'unavailable', reason: describeUnavailable(error) };
  return { kind: 'bug', message: error.message, stack: error.stack };
}

/** @param outcome undefined where the thread gave none */
export function resultOf(
  { stream, expected, events }: Append,
  outcome: AppendOutcome | undefined,
): Written | Error {
  if (outcome === undefined) return new Error('the thread that writes events left an append unanswered');
  if (typeof outcome === 'number') {
    const revision = expected + events.length;
    return { revision, position: positionText(Math.abs(outcome)), isRepetition: outcome < 0 };
  }
  switch (outcome.kind) {
    case 'wrong-revision':
      return new WrongExpectedRevision(stream, expected, outcome.actual);
    case 'deleted':
      return new StreamDeleted(stream);
    case 'unavailable':
      return new SqliteUnavailable(outcome.reason);
    case 'bug': {
      const error = new Error(outcome.message);
      // Of the thread that is told it would say no more than that an answer came.
      if (outcome.stack !== undefined) error.stack = outcome.stack;
      return error;
    }
  }
}
