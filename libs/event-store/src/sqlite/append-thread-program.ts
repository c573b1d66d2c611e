// The thread's side of `AppendThread`.
import { parentPort, workerData } from 'node:worker_threads';
import { describeUnavailable, isUnavailable } from '#sqlite/unavailable';
import {
  appendsOf,
  outcomeOf,
  type AppendOutcome,
  type ThreadAnswer,
  type ThreadRequest,
} from './append-messages.js';
import type { Append } from './appends.js';
import { EventLog } from './event-log.js';

const port = parentPort;
if (port === null) throw new Error('this program is started as a thread');
const log = new EventLog<Append>({ file: String(workerData), openInOtherThread: true });
const answer = (given: ThreadAnswer): void => port.postMessage(given);
/** Settles when every batch so far is answered. */
let answered: Promise<void> = Promise.resolve();

port.on('message', (request: ThreadRequest) => {
  switch (request.kind) {
    case 'append':
      answered = answerBehind(answered, append(appendsOf(request.columns)));
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

/** @param appends queued at once, so that they share a commit */
function append(appends: readonly Append[]): Promise<AppendOutcome[]> {
  return Promise.all(appends.map(each => log.append(each).then(outcomeOf, failed)));
}

function failed(reason: unknown): AppendOutcome {
  return outcomeOf(reason instanceof Error ? reason : new Error(String(reason)));
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
