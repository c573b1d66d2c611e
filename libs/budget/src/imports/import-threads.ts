import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { BoundedQueue } from '#concurrency/bounded-queue';
import { ApiError, retryLater, UNAVAILABLE_RETRY_SECONDS, validationFailed } from '#http/api-error';
import type { ImportedFile, UnreadableReason } from '#imports/imported-file';
import type { ImportRow } from '#imports/import-rows';
import type { ReadMessage, ReadTask } from './read-thread.js';

/** Files that are read at once, each by a thread. */
const FILES_AT_ONCE = 2;
/** Files that wait, each with its bytes in memory. */
const FILES_WAITING_MAX = 8;
/** Files that take longer are made to. */
const READING_MS_MAX = 30_000;
/** What a thread may take for objects, in MiB. A file of eight MiB takes about 100. */
const THREAD_MIB_MAX = 192;
/** Of new objects, in MiB: with V8's own 48, a file takes 25 more, and is not read faster. */
const YOUNG_MIB_MAX = 8;

const unavailable = (): ApiError => retryLater('unavailable', UNAVAILABLE_RETRY_SECONDS);

const PROGRAM = new URL('./read-thread.js', import.meta.url);

const SENTENCES: Readonly<Record<UnreadableReason, string>> = {
  unknown_format: 'The file is not CSV, OFX, QFX, QIF or CAMT.053.',
  no_rows: 'The file has no entries.',
  no_date_column: 'No column of the file has dates. Name the one that does.',
  no_amount_column:
    'No column of the file has the amounts. Name the one that does, or those for debits and credits.',
  too_many_rows: 'The file has more than 20,000 rows. Import it in parts.',
};

/** A file as a thread has read it. */
export interface ReadFile {
  readonly file: Omit<ImportedFile, 'entries'>;
  readonly rows: readonly ImportRow[];
}

/** Reads files in threads, so that requests go on meanwhile. */
@Injectable()
export class ImportThreads implements BeforeApplicationShutdown {
  private readonly queue = new BoundedQueue(FILES_AT_ONCE, FILES_WAITING_MAX, unavailable);
  private readonly threads = new Set<Worker>();

  /** Ends what is being read: it records nothing, and the process would wait for it. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(Array.from(this.threads, thread => thread.terminate()));
  }

  /**
   * Reads a file and works on it, in one of few places.
   * @throws ApiError `import_unreadable`, `validation_failed`, `unavailable` when too many wait already
   */
  read<T>(task: ReadTask, work: (read: ReadFile) => Promise<T>): Promise<T> {
    return this.queue.run(async () => work(await this.readInThread(task)));
  }

  private async readInThread(task: ReadTask): Promise<ReadFile> {
    const thread = new Worker(PROGRAM, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MIB_MAX, maxYoungGenerationSizeMb: YOUNG_MIB_MAX },
    });
    this.threads.add(thread);
    thread.on('error', () => undefined);
    try {
      return await readBy(thread);
    } finally {
      // Its place is free when its memory is.
      await thread.terminate();
      this.threads.delete(thread);
    }
  }
}

/** What a thread makes of its file. @throws ApiError if it cannot be read, or not within the limits of time and memory */
async function readBy(thread: Worker): Promise<ReadFile> {
  const rows: ImportRow[] = [];
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), READING_MS_MAX);
  try {
    const messages = on(thread, 'message', { signal: over.signal, close: ['exit'] });
    for await (const [message] of messages as AsyncIterable<[ReadMessage]>) {
      if ('rows' in message) rows.push(...message.rows);
      else if ('file' in message) return { file: message.file, rows };
      else throw refusal(message);
    }
    // The process is about to end.
    throw unavailable();
  } catch (error) {
    if (over.signal.aborted || isOutOfMemory(error)) throw unreadable('unknown_format');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function refusal(message: Exclude<ReadMessage, { rows: unknown } | { file: unknown }>): ApiError {
  if ('reason' in message) return unreadable(message.reason, message.columns);
  return validationFailed([{ path: message.unknownColumn, message: 'names no column of the file' }]);
}

function unreadable(reason: UnreadableReason, columns: readonly string[] | null = null): ApiError {
  const details = { reason, ...(columns && { columns }) };
  return new ApiError('import_unreadable', details, { message: SENTENCES[reason] });
}
