import { backoffMs, jittered } from '#concurrency/backoff';

/** A piece of work that is about to be queued. It carries its id alone: the work is recorded elsewhere. */
export interface NewJob {
  /** `[a-z][a-z0-9-]*`, at most `QUEUE_NAME_LENGTH_MAX` characters. */
  readonly queue: string;
  /**
   * Names the work: while a job of this id is pending or running, enqueuing it again changes nothing.
   * Letters, digits, `.`, `_` and `-`, at most `JOB_ID_LENGTH_MAX`. No secret: Redis keeps it in clear text.
   */
  readonly id: string;
}

/** A job as its handler gets it. */
export interface Job {
  readonly id: string;
  /** 1 for the first run. */
  readonly attempt: number;
}

/**
 * Does the work. It may be called again for a job that it had already done (the process died before that was
 * recorded), so what it does must be repeatable. When it throws, the job is tried again later; an error with
 * `permanent: true` parks the job at once.
 */
export type JobHandler = (job: Job) => Promise<void>;

/** How many jobs a queue holds. */
export interface QueueStats {
  /** Waiting for their turn, their time or their next attempt. */
  readonly pending: number;
  readonly running: number;
  /** Given up, for an operator to look at. */
  readonly parked: number;
}

/** A failure to report to an operator. Sentences only: errors of clients may contain credentials. */
export type JobTrouble =
  | {
      readonly kind: 'attempt-failed' | 'parked';
      readonly queue: string;
      readonly id: string;
      readonly attempt: number;
      readonly reason: string;
    }
  | { readonly kind: 'schedule-failed'; readonly name: string; readonly reason: string }
  | { readonly kind: 'store'; readonly reason: string };

interface RetryPolicy {
  readonly attemptsMax: number;
  /** Before the second attempt; doubled for each further one. */
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
}

/** Twelve attempts within one to two hours: longer than greylisting or a restart of a mail server takes. */
export const RETRY_POLICY: RetryPolicy = { attemptsMax: 12, firstDelayMs: 5_000, delayMsMax: 30 * 60_000 };

/** `enqueue` answers or fails within this time, whatever the store does, because requests wait for it. */
export const ENQUEUE_MS_MAX = 1_000;
/** How long `close` waits for running jobs. */
export const CLOSE_MS_MAX = 5_000;
/** The most parked jobs that a queue keeps; the oldest go first. */
export const PARKED_JOBS_MAX = 1_000;
/** The longest that a parked job is kept. */
export const PARKED_MS_MAX = 30 * 24 * 3_600_000;
const JOB_ID_LENGTH_MAX = 120;
const QUEUE_NAME_LENGTH_MAX = 60;
export const REASON_LENGTH_MAX = 300;
/** The longest time between two runs of a schedule: timers hold 31 bits of milliseconds. */
export const SCHEDULE_MS_MAX = 2 ** 31 - 1;

/** What both adapters take; the defaults are the constants above. */
export interface JobQueueOptions {
  readonly retry?: RetryPolicy;
  readonly closeMs?: number;
  /** Called for every failure; must not throw. */
  readonly report?: (trouble: JobTrouble) => void;
}

/**
 * Work that is done after the answer, retried with growing pauses, given up after a number of attempts.
 *
 * A queue may lose its jobs with the process, so work that must not be lost is recorded elsewhere first and enqueued
 * again from there; enqueuing twice is harmless.
 */
export abstract class JobQueue {
  /**
   * Queues a job unless one of its id is pending or running; a parked one starts again. Settles within `ENQUEUE_MS_MAX`.
   * @throws JobsUnavailable, where it may have been queued all the same; RangeError for a name or id over its limits
   */
  abstract enqueue(job: NewJob): Promise<void>;

  /**
   * Runs the queue's jobs from now on, at most `concurrency` at once in this process,
   * also after the store was away. @throws RangeError for a second handler of one queue
   */
  abstract process(queue: string, handler: JobHandler, options: { readonly concurrency: number }): void;

  /**
   * Runs housekeeping now and then about every `everyMs` (1 to `SCHEDULE_MS_MAX`), on one of the processes that schedule
   * this name, not while the store is away. A run that fails is reported and not retried. Runs on one process never
   * overlap. @throws RangeError for another period, or a name that is scheduled already
   */
  abstract schedule(name: string, everyMs: number, handler: () => Promise<void>): void;

  /** @throws JobsUnavailable */
  abstract stats(queue: string): Promise<QueueStats>;

  /**
   * Resolves when the store answers, and has not refused a write just now for a reason that others would meet as well.
   * @throws JobsUnavailable with a sentence for the operator
   */
  abstract ping(): Promise<void>;

  /** Takes no more jobs, waits for running ones at most the configured time, and frees the store. */
  abstract close(): Promise<void>;
}

/** The store is down, unreachable, full, frozen or closing. The sentence names no secret. */
export class JobsUnavailable extends Error {
  override readonly name = 'JobsUnavailable';
  /** Read by the HTTP layer: this failure answers `503 unavailable`. */
  readonly unavailable = true;
}

const NAME = /^[a-z][a-z0-9-]*$/;
const ID = /^[A-Za-z0-9._-]+$/;

/** The checks that every adapter makes first. @throws RangeError */
export function checkJob({ queue, id }: NewJob): void {
  checkName(queue);
  if (!ID.test(id) || id.length > JOB_ID_LENGTH_MAX) {
    throw new RangeError(`job id ${JSON.stringify(id.slice(0, JOB_ID_LENGTH_MAX))} cannot be used`);
  }
}

/** @throws RangeError for a name that not every store can keep */
export function checkName(name: string): void {
  if (!NAME.test(name) || name.length > QUEUE_NAME_LENGTH_MAX) {
    throw new RangeError(`${JSON.stringify(name.slice(0, QUEUE_NAME_LENGTH_MAX))} cannot name a queue`);
  }
}

/** The pause after a failed attempt. @param attempt the one that failed, 1 for the first */
export function retryDelayMs(
  { firstDelayMs, delayMsMax }: Pick<RetryPolicy, 'firstDelayMs' | 'delayMsMax'>,
  attempt: number,
): number {
  return Math.ceil(jittered(backoffMs(attempt, firstDelayMs, delayMsMax)));
}

/** Whether the error says that a retry cannot help. */
export function isPermanent(error: unknown): boolean {
  return error instanceof Error && 'permanent' in error && error.permanent === true;
}

/** Errors whose messages may quote what a user wrote: of a text that does not parse, of Node, of MongoDB's driver. */
const QUOTING = /^(?:SyntaxError|TypeError|Mongo\w*)$/;

/** One line about an error, for parked jobs, reports and logs. It quotes no text of a user. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown failure';
  const text = QUOTING.test(error.name) ? error.name : `${error.name}: ${error.message}`;
  return text.replace(/\s+/g, ' ').slice(0, REASON_LENGTH_MAX);
}
