import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs, jittered } from '#concurrency/backoff';
import { NoAnswer } from '#concurrency/within';
import { EventStoreUnavailable } from '../event-store/event-store.js';
import type { EventStoreDbConnection } from './connection.js';
import { classify, isSilence } from './failures.js';

/** Every waiting time of the adapter, in milliseconds. */
export interface Timings {
  /** How long one try of an append, or of a short read, waits for its answer. */
  readonly attemptMs: number;
  /** How long a call that failed unclearly is tried again before it fails. */
  readonly retryBudgetMs: number;
  /** How long a read waits for its next event while calls are answered, and a subscription until it has caught up. */
  readonly silenceMs: number;
  /** The same for reads of many streams, where the server may pass over many records of others. */
  readonly filteredSilenceMs: number;
  /** After how long a silence a live subscription looks whether the store has something for it. */
  readonly idleCheckMs: number;
  /** How long an event that the store has may take to arrive at a live subscription. */
  readonly deliveryMs: number;
  readonly reconnectFirstMs: number;
  readonly reconnectMaxMs: number;
}

export const TIMINGS: Timings = {
  attemptMs: 3_000,
  retryBudgetMs: 8_000,
  silenceMs: 10_000,
  filteredSilenceMs: 30_000,
  idleCheckMs: 10_000,
  deliveryMs: 2_000,
  reconnectFirstMs: 100,
  reconnectMaxMs: 5_000,
};

const PAUSE_FIRST_MS = 50;
const PAUSE_MAX_MS = 1_000;

/** Whether the server answers, as the calls of this process have seen it. */
export class Availability {
  private failingSince: number | null = null;

  constructor(
    private readonly connection: EventStoreDbConnection,
    private readonly where: string,
    readonly timings: Timings,
  ) {}

  answered(): void {
    this.failingSince = null;
  }

  /** A call failed unclearly: after silence the next one asks another node if there is one. */
  failed(error: unknown): void {
    this.failingSince ??= performance.now();
    if (isSilence(error)) this.connection.leave();
  }

  /** How long a call may go on trying. Once the server has been away for that long, calls fail at once. */
  budgetMs(): number {
    const { retryBudgetMs } = this.timings;
    const away = this.failingSince === null ? 0 : performance.now() - this.failingSince;
    return away > retryBudgetMs ? 0 : retryBudgetMs;
  }

  /** How long a read of one stream waits for its next event: while no call is answered, no longer than a try. */
  silenceMs(): number {
    const { attemptMs, silenceMs } = this.timings;
    return this.failingSince === null ? silenceMs : Math.min(attemptMs, silenceMs);
  }

  /** A failure that only the store or its configuration can be blamed for, as the port names it; one so named stays. */
  mapped(error: unknown): EventStoreUnavailable {
    if (error instanceof EventStoreUnavailable) return error;
    const failure = classify(error);
    const problem = 'problem' in failure ? failure.problem : `failed unexpectedly (${failure.kind})`;
    return new EventStoreUnavailable(`EventStoreDB at ${this.where} ${problem}.`, { cause: error });
  }
}

/** The tries of one call. */
export class Retry {
  private readonly end: number;
  private failures = 0;
  /** The last failure that says more than that nothing was heard. */
  private telling: unknown;

  constructor(private readonly availability: Availability) {
    this.end = performance.now() + availability.budgetMs();
  }

  /** What the next try may take. */
  attemptMs(): number {
    const { attemptMs } = this.availability.timings;
    const left = this.end - performance.now();
    return left <= 0 ? attemptMs : Math.min(attemptMs, left);
  }

  /** Waits before the next try. @throws EventStoreUnavailable when another try is useless or the time is over */
  async next(error: unknown): Promise<void> {
    const { availability } = this;
    if (error instanceof EventStoreUnavailable) throw error;
    if (classify(error).kind !== 'unclear') throw availability.mapped(error);
    availability.failed(error);
    const wait = jittered(backoffMs((this.failures += 1), PAUSE_FIRST_MS, PAUSE_MAX_MS));
    if (!(error instanceof NoAnswer)) this.telling = error;
    const { attemptMs } = availability.timings;
    if (performance.now() + wait + attemptMs / 2 >= this.end)
      throw availability.mapped(this.telling ?? error);
    await pause(wait);
  }
}
