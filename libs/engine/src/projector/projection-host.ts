import { setTimeout as pause } from 'node:timers/promises';
import type { Documents } from '#storage/documents/documents';
import type { EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { HouseholdErased } from '../commands/command-call.js';
import { STREAM_PREFIX, timeOf, weightOf } from '../households/household-stream.js';
import { type BackgroundLog, StandingTrouble } from './background-log.js';
import { Checkpoints, SoleOwner, type PartitionOwnership } from './partitions.js';
import {
  FailingHouseholds,
  RETRY_FIRST_MS,
  RETRY_MAX_MS,
  StoredFailures,
  type FailingHousehold,
} from './failing-households.js';
import { eventsByHousehold, workOnHouseholds, BULK_EVENTS_MAX, CatchUp } from './catch-up.js';
import type { LiveStreams } from '../versions/live-streams.js';
import { backoffMs } from '#concurrency/backoff';
import { Turns } from '#concurrency/turns';
import { isStoreDown } from '../households/store-failures.js';

/** How long live events wait for more: commands apply their own events, so that most need nothing any more. */
const LIVE_BATCH_MS = 50;
/** A batch of this many events, or of this weight, is applied at once. */
const LIVE_BATCH_EVENTS = 4_096;
const LIVE_BATCH_WEIGHT = 24 * 1024 * 1024;

/** At most this many households are applied at the same time. */
const HOUSEHOLDS_AT_ONCE = 64;

const CHECKPOINT_EVERY_MS = 1_000;
/** How long a process without partitions waits at most before it looks again; it goes on as soon as it gets some. */
const PARTITIONS_WAIT_MS = 500;

export interface ProjectionStatus {
  /** Whether all that this process is to apply is applied, or its household listed as failing. */
  readonly caughtUp: boolean;
  /** Position of the last event that was handled, or null before the first. */
  readonly position: string | null;
  readonly failing: readonly FailingHousehold[];
  /** What keeps the host from going on, a store that is down for example; null when nothing does. */
  readonly waitingFor: string | null;
}

/** Does the work of applying that number of events, in the context that traces need. */
export type BatchEnclosure = (events: number, work: () => Promise<void>) => Promise<void>;

interface ProjectionHostOptions {
  readonly log: BackgroundLog;
  /** Of every partition by default. */
  readonly ownership?: PartitionOwnership;
  readonly enclose?: BatchEnclosure;
}

/**
 * Follows the log and applies every event to the read models. Commands apply their own events before they answer, so this
 * repairs what a crash left, serves what other processes wrote, and builds everything from nothing. It never skips an
 * event: a household that cannot be folded stops alone and is tried again; a store that is down is waited for.
 */
export class ProjectionHost {
  static readonly checkpoints = Checkpoints.collection;
  static readonly failures = StoredFailures.collection;

  private readonly log: BackgroundLog;
  private readonly ownership: PartitionOwnership;
  private readonly enclose: BatchEnclosure;
  private readonly stopping = new AbortController();
  private readonly failing: FailingHouseholds;
  private pending: RecordedEvent[] = [];
  private pendingWeight = 0;
  /** The oldest event of the batch that is being applied, or was last while there is more. */
  private underWay: RecordedEvent | null = null;
  /** A batch was left at a stop, so that the position may not pass beyond it with a later one. */
  private hasLeftOff = false;
  private readonly catchUp: CatchUp;
  private position: string | null = null;
  private subscription = new AbortController();
  private readonly checkpoints: Checkpoints;
  private savedAt = 0;
  private caughtUp = false;
  private readonly trouble: StandingTrouble;
  private running: Promise<void> | null = null;
  /** Batches never overlap, so the position only ever grows. */
  private readonly batches = new Turns();
  private liveTimer: NodeJS.Timeout | null = null;
  private saveTimer: NodeJS.Timeout | null = null;
  /** Failures of the stores in a row. */
  private failures = 0;

  constructor(
    private readonly store: EventStore,
    documents: Documents,
    private readonly streams: Pick<LiveStreams, 'catchUp' | 'advance' | 'forget'>,
    { log, ownership = new SoleOwner(), enclose = (_events, work) => work() }: ProjectionHostOptions,
  ) {
    this.log = log;
    this.ownership = ownership;
    this.enclose = enclose;
    this.checkpoints = new Checkpoints(documents, ownership);
    this.failing = new FailingHouseholds(documents, streams, log);
    const { shared } = ownership;
    // On servers a step holds as much already, and its writes go side by side.
    this.catchUp = new CatchUp(streams, () => this.isInterrupted(), shared, shared ? 0 : BULK_EVENTS_MAX);
    this.trouble = new StandingTrouble(log, 'projections are waiting');
  }

  start(): void {
    if (this.running) return;
    this.ownership.start(() => this.subscription.abort());
    this.running = this.follow();
  }

  /** Stops after the household under way, or where it is up to date after what was delivered, and writes the checkpoint. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.subscription.abort();
    if (this.liveTimer) clearTimeout(this.liveTimer);
    if (this.saveTimer) clearTimeout(this.saveTimer);
    this.failing.stop();
    await this.running;
    await this.batches.ended();
    // From an older one, more is looked at again at the next start, and nothing is missed.
    await this.saveCheckpoint(true).catch(() => undefined);
    await this.ownership.stop();
  }

  status(): ProjectionStatus {
    return {
      caughtUp: this.caughtUp || this.ownership.standsBy(),
      position: this.position,
      failing: this.failing.list(),
      waitingFor: this.trouble.reason,
    };
  }

  /** How long ago the oldest delivered event that is not applied was recorded; 0 for none, or where its text is damaged. */
  lagSeconds(): number {
    const oldest = this.underWay ?? this.pending[0];
    const at = oldest ? timeOf(oldest) : null;
    return at === null ? 0 : Math.max(0, (Date.now() - Date.parse(at)) / 1000);
  }

  /** Whether every event that was recorded before it came to the log's end is applied, or its household failing. */
  isCaughtUp(): boolean {
    return this.caughtUp;
  }

  private async follow(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.resume();
        if (!this.checkpoints.areNone) await this.consume();
        else {
          this.trouble.over();
          this.failures = 0;
          await this.pause(PARTITIONS_WAIT_MS, this.subscription.signal);
        }
        await this.flush();
        await this.saveCheckpoint(true);
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        this.trouble.met(error);
        await this.pause(backoffMs((this.failures += 1), RETRY_FIRST_MS, RETRY_MAX_MS));
      }
    }
  }

  /** Reads where work on the partitions of this process stopped, and begins with the one that is furthest behind. */
  private async resume(): Promise<void> {
    this.subscription = new AbortController();
    if (this.stopping.signal.aborted) this.subscription.abort();
    this.position = await this.checkpoints.take();
    this.pending = [];
    this.pendingWeight = 0;
    this.caughtUp = false;
    this.underWay = null;
    this.catchUp.forget();
    await this.failing.resume(householdId => this.checkpoints.haveHousehold(householdId));
  }

  private async consume(): Promise<void> {
    const { signal } = this.subscription;
    const after = this.position ?? undefined;
    for await (const delivery of this.store.subscribe({ after, prefix: STREAM_PREFIX, signal })) {
      this.failures = 0;
      if (delivery.kind === 'events') {
        this.pending.push(...delivery.events);
        for (const { data } of delivery.events) this.pendingWeight += weightOf(data);
        if (!this.caughtUp || this.isBatchFull()) await this.flush();
        else this.flushSoon();
      } else {
        await this.flush();
        // What came before it may have been left: it is read again from the last position.
        if (signal.aborted) return;
        if (delivery.kind === 'caught-up') this.turnLive();
        else {
          // Events of no household, or of those of others, end here.
          this.position = delivery.position;
          await this.saveCheckpoint(false);
        }
      }
    }
  }

  private isBatchFull(): boolean {
    return this.pending.length >= LIVE_BATCH_EVENTS || this.pendingWeight >= LIVE_BATCH_WEIGHT;
  }

  private turnLive(): void {
    if (!this.caughtUp) this.log.info({ position: this.position }, 'read models are up to date');
    this.caughtUp = true;
    this.underWay = null;
    // Where there was nothing left to apply, nothing else would say so.
    this.trouble.over();
    this.catchUp.forget();
  }

  private flushSoon(): void {
    this.liveTimer ??= setTimeout(() => {
      this.liveTimer = null;
      void this.flush();
    }, LIVE_BATCH_MS);
  }

  /** Applies what was delivered. */
  private flush(): Promise<void> {
    return this.batches.take(() => this.applyPending());
  }

  private async applyPending(): Promise<void> {
    const events = this.pending;
    if (events.length === 0 || this.hasLeftOff) return;
    this.pending = [];
    this.pendingWeight = 0;
    let failures = 0;
    do {
      try {
        this.underWay = events[0]!;
        await this.enclose(events.length, () => this.applyByHousehold(events));
        if (this.isInterrupted()) return;
        this.position = events.at(-1)!.position;
        this.trouble.over();
        if (this.caughtUp) this.underWay = null;
        await this.saveCheckpoint(false);
        return;
      } catch (error) {
        this.trouble.met(error);
        await this.pause(backoffMs((failures += 1), RETRY_FIRST_MS, RETRY_MAX_MS));
      }
    } while (!this.stopping.signal.aborted);
    this.hasLeftOff = true;
  }

  /** A page brings much more with it while catching up: a stop does not wait for all of it. */
  private isInterrupted(): boolean {
    return !this.caughtUp && this.subscription.signal.aborted;
  }

  /** @throws an unavailable store's error; a household's own failure is recorded instead */
  private async applyByHousehold(events: readonly RecordedEvent[]): Promise<void> {
    // Not what was handled before, nor what belongs to others.
    const byHousehold = eventsByHousehold(events, (householdId, { position }) =>
      this.checkpoints.isToBeHandled(householdId, position),
    );
    // Side by side, so that the writes of many households share a commit.
    const atOnce = this.caughtUp ? HOUSEHOLDS_AT_ONCE : this.catchUp.pace.householdsAtOnce;
    const isStopped = (): boolean => this.isInterrupted();
    await workOnHouseholds(byHousehold, atOnce, isStopped, (...household) => this.applyOne(...household));
  }

  private async applyOne(householdId: string, events: readonly RecordedEvent[]): Promise<void> {
    const { revision } = events.at(-1)!;
    if (this.failing.leavesOut(householdId, revision)) return;
    if (this.catchUp.includes(householdId, revision)) return;
    try {
      if (this.caughtUp) await this.streams.catchUp(householdId, revision, events);
      else await this.catchUp.apply(householdId, events);
    } catch (error) {
      if (error instanceof HouseholdErased) return;
      if (isStoreDown(error)) throw error;
      await this.failing.add(householdId, revision, error);
    }
  }

  private async saveCheckpoint(now: boolean): Promise<void> {
    if (!now && Date.now() - this.savedAt < CHECKPOINT_EVERY_MS) return this.saveSoon();
    if (this.position === null) return;
    await this.checkpoints.save(this.position);
    this.savedAt = Date.now();
  }

  /** So that the last events before a quiet time are not without a checkpoint until the next ones. */
  private saveSoon(): void {
    this.saveTimer ??= setTimeout(() => {
      this.saveTimer = null;
      // In its turn: between two batches. Where it fails, the next batch or the end tries again.
      this.batches.take(() => this.saveCheckpoint(true)).catch(() => undefined);
    }, CHECKPOINT_EVERY_MS);
    this.saveTimer.unref();
  }

  private async pause(milliseconds: number, signal = this.stopping.signal): Promise<void> {
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}
