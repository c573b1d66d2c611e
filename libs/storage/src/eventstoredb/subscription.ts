import { backoffMs, jittered } from '#concurrency/backoff';
import { NoAnswer } from '#concurrency/within';
import { setTimeout as pause } from 'node:timers/promises';
import { READ_PAGE_EVENTS, type Delivery } from '../event-store/event-store.js';
import type { EventStoreDbConnection } from './connection.js';
import { SubscriptionDropped, classify, isSilence } from './failures.js';
import type { ReadFeed } from './read-feed.js';
import { subscription } from './read-requests.js';
import type { Reads } from './reads.js';
import { isTombstone, parsePosition } from './read-answers.js';
import type { Availability, Timings } from './retry.js';

/** Where subscriptions tell operators what they wait for. */
export interface EventStoreDbLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface SubscriptionContext {
  readonly connection: EventStoreDbConnection;
  readonly availability: Availability;
  readonly reads: Reads;
  readonly log: EventStoreDbLog;
}

/**
 * One subscription to `$all`, filtered by stream names, that comes back by itself after every drop.
 *
 * Dropped means: an error, an end that was not requested, silence before it has caught up, or a live subscription
 * to which an event that the store has does not arrive. It resumes after the last delivery that was taken, so
 * that nothing is left out; what comes again is not delivered again.
 */
export class AllSubscription {
  private readonly timings: Timings;
  /** Of the last event or checkpoint that was delivered. */
  private position: string | undefined;
  /** In a row. */
  private failures = 0;
  private dropped = false;

  constructor(
    private readonly context: SubscriptionContext,
    after: string | undefined,
    private readonly prefix: string,
    private readonly signal: AbortSignal,
  ) {
    this.timings = context.availability.timings;
    this.position = after;
  }

  /** @throws RangeError for a position of another store */
  async *deliveries(): AsyncGenerator<Delivery, void, undefined> {
    if (this.position !== undefined) parsePosition(this.position);
    while (!this.signal.aborted) {
      const since = performance.now();
      try {
        yield* this.followed();
      } catch (error) {
        this.noteDrop(error, performance.now() - since);
      }
      if (!this.signal.aborted) await this.waitToReconnect();
    }
    // Another one may take its place, to which nothing is amiss: who waits to hear that it is back waits in vain.
    if (this.dropped) {
      this.context.log.info({ prefix: this.prefix }, 'subscription ended before it was restored');
    }
  }

  private async *followed(): AsyncGenerator<Delivery, void, undefined> {
    const from = this.position === undefined ? 'start' : parsePosition(this.position);
    const feed = this.context.connection.read(subscription({ from, prefix: this.prefix }));
    const close = feed.closeWith(this.signal);
    try {
      yield* this.follow(feed);
    } finally {
      close();
    }
  }

  /** Ends without an error only when the subscriber has ended it. */
  private async *follow(feed: ReadFeed): AsyncGenerator<Delivery, void, undefined> {
    let isLive = false;
    while (!this.signal.aborted) {
      const taken = feed.take(READ_PAGE_EVENTS);
      if (taken.length === 0 && !(await this.comesMore(feed, isLive)))
        throw new SubscriptionDropped('ended the subscription');
      for (const delivery of taken) {
        if (this.signal.aborted) return;
        if (delivery.kind === 'caught-up') isLive = true;
        const fresh = this.withoutRepetition(delivery);
        if (fresh) yield* withoutTombstones(fresh);
        if (fresh) this.advance(fresh);
      }
    }
  }

  /**
   * Waits for more, and finds out of a live subscription whether it is silent because there is nothing, or because it
   * has died unnoticed.
   */
  private async comesMore(feed: ReadFeed, isLive: boolean): Promise<boolean> {
    const { silenceMs, idleCheckMs, deliveryMs } = this.timings;
    if (!isLive) return feed.more(silenceMs, this.signal);
    try {
      return await feed.more(idleCheckMs, this.signal);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
    if (!(await this.context.reads.hasEventAfter(this.position, this.prefix))) return true;
    try {
      return await feed.more(deliveryMs, this.signal);
    } catch (error) {
      throw error instanceof NoAnswer ? new SubscriptionDropped('stopped delivering events') : error;
    }
  }

  private withoutRepetition(delivery: Delivery): Delivery | null {
    let last = this.position ?? '';
    if (delivery.kind === 'caught-up') return delivery;
    if (delivery.kind === 'checkpoint') return delivery.position > last ? delivery : null;
    const events = delivery.events.filter(({ position }) => {
      const isNew = position > last;
      if (isNew) last = position;
      return isNew;
    });
    return events.length > 0 ? { kind: 'events', events } : null;
  }

  /** The delivery was taken: this is where the next connection goes on. */
  private advance(delivery: Delivery): void {
    const { context } = this;
    if (delivery.kind !== 'caught-up') {
      this.position = delivery.kind === 'events' ? delivery.events.at(-1)!.position : delivery.position;
      this.failures = 0;
    }
    context.availability.answered();
    if (this.dropped) context.log.info({ prefix: this.prefix }, 'subscription restored');
    this.dropped = false;
  }

  private noteDrop(error: unknown, lastedMs: number): void {
    const { availability, connection, log } = this.context;
    if (this.signal.aborted) return;
    if (isSilence(error)) connection.leave();
    if (lastedMs > this.timings.reconnectMaxMs) this.failures = 0;
    const { message: reason, cause } = availability.mapped(error);
    if (classify(cause).kind === 'refused') this.failures = Infinity;
    if (!this.dropped) log.error({ prefix: this.prefix, reason }, 'subscription dropped, reconnecting');
    this.dropped = true;
  }

  private async waitToReconnect(): Promise<void> {
    const { reconnectFirstMs, reconnectMaxMs } = this.timings;
    const wait = jittered(backoffMs((this.failures += 1), reconnectFirstMs, reconnectMaxMs));
    await pause(wait, undefined, { signal: this.signal }).catch(() => undefined);
  }
}

/** What a subscriber gets of a delivery: of the deletion of a stream, only that the log has come this far. */
function* withoutTombstones(delivery: Delivery): Generator<Delivery> {
  const last = delivery.kind === 'events' ? delivery.events.at(-1) : undefined;
  if (delivery.kind !== 'events' || !delivery.events.some(isTombstone)) return yield delivery;
  const events = delivery.events.filter(event => !isTombstone(event));
  if (events.length > 0) yield { kind: 'events', events };
  if (last && isTombstone(last)) yield { kind: 'checkpoint', position: last.position };
}
