import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs } from '#concurrency/backoff';
import { isStoreDown, loggedOf, toldOf } from '#engine/households/store-failures';
import type { JobQueue } from '#storage/jobs/job-queue';
import { ConfigurationError } from './configuration.js';
import { withMethods } from './metrics.js';

const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 5_000;

/**
 * What must be done before the first request: it needs servers that may not be up yet, so it is tried until it
 * works, and says meanwhile what it waits for.
 */
export class Preparation {
  private waiting: string | null = 'starting';
  private readonly stopping = new AbortController();
  private trying: Promise<void> | null = null;
  private finish: () => void = () => undefined;
  /** Resolves when all is prepared; never where the process stops before. */
  readonly done = new Promise<void>(resolve => (this.finish = resolve));

  constructor(
    private readonly work: () => Promise<void>,
    private readonly logger: Logger,
  ) {}

  /** Tries once and, where a server is not up, goes on in the background. @throws what no waiting can mend */
  async begin(): Promise<void> {
    await this.attempt();
    if (this.waiting !== null) this.trying = this.tryOn();
  }

  /** What is waited for, in one sentence for everybody, or null when all is prepared. */
  waitsFor(): string | null {
    return this.waiting;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.trying;
  }

  private async attempt(): Promise<void> {
    try {
      await this.work();
      if (this.waiting !== 'starting') this.logger.info('all servers are available');
      this.waiting = null;
      this.finish();
    } catch (error) {
      if (!isStoreDown(error)) throw error;
      if (this.waiting !== error.message) this.logger.warn({ reason: error.message }, 'waiting for a server');
      this.waiting = error.message;
    }
  }

  private async tryOn(): Promise<void> {
    const { signal } = this.stopping;
    for (let failures = 1; this.waiting !== null; failures++) {
      await pause(backoffMs(failures, RETRY_FIRST_MS, RETRY_MAX_MS), undefined, { signal }).catch(
        () => undefined,
      );
      if (signal.aborted) return;
      try {
        await this.attempt();
      } catch (error) {
        const isSetting = error instanceof ConfigurationError;
        this.waiting = isSetting ? error.message : toldOf(error);
        this.logger.error({ error: isSetting ? error.message : loggedOf(error) }, 'start-up failed');
        return;
      }
    }
  }
}

/**
 * A job queue whose jobs and schedules begin when everything that they need is there: before, each of them would fail
 * on missing collections and wait until it is repeated.
 */
export function preparedJobQueue(jobs: JobQueue, prepared: Promise<void>): JobQueue {
  return withMethods(jobs, {
    process: (...job) => void prepared.then(() => jobs.process(...job)),
    schedule: (...schedule) => void prepared.then(() => jobs.schedule(...schedule)),
  });
}
