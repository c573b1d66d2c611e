import timers from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventStore } from '#storage/event-store/event-store';
import { retryLater, UNAVAILABLE_RETRY_SECONDS } from '#http/api-error';
import { householdOf, STREAM_PREFIX } from '#engine/households/household-stream';

/** The most clients that one process serves at the same time. */
export const CLIENTS_MAX = 1_000;

/** How long after something was recorded clients are told, in milliseconds: the command's own answer goes first. */
export const TOLD_AFTER_MS = 10;
/** The pause between two rounds of telling, in milliseconds: what is recorded in it costs a client one read in all. */
export const ROUNDS_APART_MS = 500;
/** How many clients are told in one turn of the event loop; requests come in between. */
const TOLD_AT_ONCE = 8;

/** One client: told that something was recorded, it reads the stream itself, at its own pace. */
export interface Listener {
  /** Resolves when something may have been recorded since the last call, the time is over, or the signal came. */
  wait(milliseconds: number): Promise<void>;
  readonly signal: AbortSignal;
  close(): void;
}

/** Tells the clients of the process when something was recorded, by one subscription that holds no events for them. */
@Injectable()
export class ChangeFeed implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ChangeFeed.name);
  private readonly stopping = new AbortController();
  private readonly listeners = new Map<string, Set<() => void>>();
  /** Those that are served now, each with its user, the oldest first. */
  private readonly served = new Map<Listener, string>();
  /** Clients that the next round is to tell. */
  private readonly due = new Set<() => void>();
  private telling = false;
  private begun: Promise<void> | null = null;

  constructor(private readonly store: EventStore) {}

  /** How many clients are served now. */
  get clientCount(): number {
    return this.served.size;
  }

  /** Ends every client's stream: the server closes only when all are answered. */
  beforeApplicationShutdown(): void {
    this.stopping.abort();
    for (const listener of this.served.keys()) listener.close();
  }

  /**
   * Everything that is recorded after this resolves wakes the listener.
   * @param userId who listens
   * @throws ApiError `unavailable` with `CLIENTS_MAX` clients; EventStoreUnavailable
   */
  async listen(householdId: string, userId: string): Promise<Listener> {
    if (!this.hasRoomFor(userId)) throw retryLater('unavailable', UNAVAILABLE_RETRY_SECONDS);
    // It has its place before it waits: many may come while the log is slow.
    const listener = this.add(householdId, userId);
    this.begun ??= this.begin();
    try {
      await this.begun;
      return listener;
    } catch (error) {
      this.begun = null;
      listener.close();
      throw error;
    }
  }

  /** Where all places are taken, the oldest client of the user with the most gives way to a user with fewer. */
  private hasRoomFor(userId: string): boolean {
    if (this.clientCount < CLIENTS_MAX) return true;
    const counts = new Map<string, number>();
    for (const owner of this.served.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const [owner, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    if (most <= (counts.get(userId) ?? 0) + 1) return false;
    const [oldest] = [...this.served].find(each => each[1] === owner)!;
    oldest.close();
    return true;
  }

  private async begin(): Promise<void> {
    const after = (await this.store.head(STREAM_PREFIX)) ?? undefined;
    void this.follow(after);
  }

  private async follow(after: string | undefined): Promise<void> {
    const { signal } = this.stopping;
    try {
      for await (const delivery of this.store.subscribe({ after, prefix: STREAM_PREFIX, signal })) {
        if (delivery.kind !== 'events') continue;
        for (const household of new Set(delivery.events.map(({ stream }) => householdOf(stream)))) {
          for (const wake of this.listeners.get(household) ?? []) this.due.add(wake);
        }
        if (this.due.size === 0 || this.telling) continue;
        this.telling = true;
        void this.tell();
      }
    } catch (error) {
      this.logger.error(error);
    } finally {
      // Whatever ended it: the next client starts over, and the present ones look when their heartbeat comes.
      this.begun = null;
    }
  }

  /** Tells clients in rounds, as long as any is due after the pause behind a round. */
  private async tell(): Promise<void> {
    await timers.setTimeout(TOLD_AFTER_MS, undefined, { ref: false });
    while (this.due.size > 0) {
      const clients = [...this.due];
      this.due.clear();
      for (let at = 0; at < clients.length; at += TOLD_AT_ONCE) {
        if (at > 0) await timers.setTimeout(1);
        for (const wake of clients.slice(at, at + TOLD_AT_ONCE)) wake();
      }
      await timers.setTimeout(ROUNDS_APART_MS, undefined, { ref: false });
    }
    this.telling = false;
  }

  private add(householdId: string, userId: string): Listener {
    const closing = new AbortController();
    if (this.stopping.signal.aborted) closing.abort();
    const { signal } = closing;
    let woken = false;
    let resume: (() => void) | null = null;
    const wake = (): void => {
      woken = true;
      resume?.();
    };
    const listeners = this.listeners.get(householdId) ?? new Set();
    this.listeners.set(householdId, listeners.add(wake));
    signal.addEventListener('abort', wake, { once: true });
    const listener: Listener = {
      signal,
      async wait(milliseconds) {
        if (!woken && !signal.aborted) {
          const timer = setTimeout(wake, milliseconds);
          await new Promise<void>(resolve => (resume = resolve));
          clearTimeout(timer);
        }
        woken = false;
      },
      close: () => {
        if (!this.served.delete(listener)) return;
        closing.abort();
        listeners.delete(wake);
        if (listeners.size === 0 && this.listeners.get(householdId) === listeners) {
          this.listeners.delete(householdId);
        }
      },
    };
    this.served.set(listener, userId);
    return listener;
  }
}
