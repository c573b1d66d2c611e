// The thread's side of `AppendThread`.
import { parentPort, workerData } from 'node:worker_threads';
import { describeUnavailable, isUnavailable } from '#sqlite/unavailable';
import { WrongExpectedRevision, type EventTexts } from '../event-store.js';
import type {
  AppendColumns,
  AppendFailure,
  AppendOutcome,
  ThreadAnswer,
  ThreadRequest,
} from './append-thread.js';
import type { Append, EventHeading } from './appends.js';
import { EventLog } from './event-log.js';
import { positionNumber } from './event-table.js';

const port = parentPort;
if (port === null) throw new Error('this program is started as a thread');
const log = new EventLog<Append>({ file: String(workerData), openInOtherThread: true });
const answer = (given: ThreadAnswer): void => port.postMessage(given);
/** Settles when every batch so far is answered. */
let answered: Promise<void> = Promise.resolve();

port.on('message', (request: ThreadRequest) => {
  switch (request.kind) {
    case 'append':
      answered = answerBehind(answered, append(request.columns));
      break;
    case 'health':
      answer({ kind: 'health', unavailable: whatIsWrong() });
      break;
    case 'close':
      void log.close().finally(() => port.close());
  }
});

async function answerBehind(before: Promise<void>, outcomes: Promise<AppendOutcome[]>): Promise<void> {
  await before;
  answer({ kind: 'appended', outcomes: await outcomes, commits: log.commits });
}

/** All of them are queued at once, so that they share a commit. */
function append(columns: AppendColumns): Promise<AppendOutcome[]> {
  return Promise.all(appendsOf(columns).map(outcomeOf));
}

async function outcomeOf(append: Append): Promise<AppendOutcome> {
  try {
    const { position, isRepetition } = await log.append(append);
    return isRepetition ? -positionNumber(position) : positionNumber(position);
  } catch (error) {
    return failureOf(error);
  }
}

function appendsOf({
  streams,
  expected,
  counts,
  ids,
  types,
  data,
  metadata,
}: AppendColumns): readonly Append[] {
  let next = 0;
  return streams.map((stream, index): Append => {
    const events: EventHeading[] = [];
    const texts: EventTexts[] = [];
    let size = 0;
    for (const end = next + counts[index]!; next < end; next += 1) {
      events.push({ id: ids[next]!, type: types[next]! });
      texts.push({ data: data[next]!, metadata: metadata[next]! });
      size += data[next]!.length + metadata[next]!.length;
    }
    return { stream, expected: expected[index]!, events, texts, size };
  });
}

function failureOf(error: unknown): AppendFailure {
  if (error instanceof WrongExpectedRevision) return { kind: 'wrong-revision', actual: error.actual };
  if (isUnavailable(error)) return { kind: 'unavailable', reason: describeUnavailable(error) };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'bug', message, stack };
}

function whatIsWrong(): string | null {
  try {
    log.requireHealth();
    return null;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return describeUnavailable(error);
  }
}
