import { backoffMs } from '#concurrency/backoff';
import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery } from '../event-store/event-store.js';
import { READABLE_OPTIONS, streamFilter, type EventStoreDbConnection } from './connection.js';
import { EndedByServer, NoAnswer, NotDelivered, classify, isSilence } from './failures.js';
import type { Reads } from './reads.js';
import { isTombstone, parsePosition, positionText } from './recorded-event.js';
import { jittered, type Availability, type Timings } from './retry.js';
import { SubscriptionFeed } from './subscription-feed.js';

/** Where subscriptions tell operators what they wait for. */
export interface EventStoreDbLog {
  info(message: string, fields: object): void;
  error(message: string, fields: object): void;
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
 * Dropped means: an error, an end that nobody asked for, silence before it has caught up, or a live subscription
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
      this.context.log.info('subscription ended before it was restored', { prefix: this.prefix });
    }
  }

  private async *followed(): AsyncGenerator<Delivery, void, undefined> {
    const feed = this.open();
    const close = feed.closeWith(this.signal);
    try {
      yield* this.follow(feed);
    } finally {
      close();
    }
  }

  private open(): SubscriptionFeed {
    const { connection } = this.context;
    const filter = streamFilter(this.prefix, (_subscription, position) => {
      feed.mark({ kind: 'checkpoint', position: positionText(position) });
    });
    const source = connection.subscribeToAll(
      {
        fromPosition: this.position === undefined ? 'start' : parsePosition(this.position),
        filter,
        requiresLeader: true,
      },
      READABLE_OPTIONS,
    );
    const feed = new SubscriptionFeed(source, () => source.unsubscribe());
    source.on('caughtUp', () => feed.mark({ kind: 'caught-up' }));
    return feed;
  }

  /** Ends without an error only when the subscriber has ended it. */
  private async *follow(feed: SubscriptionFeed): AsyncGenerator<Delivery, void, undefined> {
    const idle = new IdleCheck(this.context, this.prefix);
    let live = false;
    while (!this.signal.aborted) {
      const delivery = feed.take();
      if (delivery !== undefined) {
        if (delivery.kind === 'caught-up') live = true;
        idle.delivered();
        const fresh = this.withoutRepetition(delivery);
        if (fresh) yield* withoutTombstones(fresh);
        if (fresh) this.advance(fresh);
      } else if (!live) {
        await this.more(feed, this.timings.silenceMs);
      } else {
        await this.moreWhenLive(feed, idle);
      }
    }
  }

  private async more(feed: SubscriptionFeed, silenceMs: number): Promise<void> {
    if (!(await feed.more(silenceMs, this.signal))) throw new EndedByServer();
  }

  private async moreWhenLive(feed: SubscriptionFeed, idle: IdleCheck): Promise<void> {
    try {
      await this.more(feed, idle.silenceMs);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      await idle.check(this.position);
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
    if (this.dropped) context.log.info('subscription restored', { prefix: this.prefix });
    this.dropped = false;
  }

  private noteDrop(error: unknown, lastedMs: number): void {
    const { availability, connection, log } = this.context;
    if (this.signal.aborted) return;
    if (isSilence(error)) connection.leave();
    if (lastedMs > this.timings.reconnectMaxMs) this.failures = 0;
    const { message: reason, cause } = availability.mapped(error);
    if (classify(cause).kind === 'refused') this.failures = Infinity;
    if (!this.dropped) log.error('subscription dropped, reconnecting', { prefix: this.prefix, reason });
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

/**
 * Finds out whether a live subscription is silent because there is nothing, or because it has died unnoticed.
 * Each check looks only at what was recorded since the last one.
 */
class IdleCheck {
  private nothingUpTo: string | undefined;
  private missing = false;

  constructor(
    private readonly context: SubscriptionContext,
    private readonly prefix: string,
  ) {}

  /** How long a silence may last before the next check. */
  get silenceMs(): number {
    const { deliveryMs, idleCheckMs } = this.context.availability.timings;
    return this.missing ? deliveryMs : idleCheckMs;
  }

  delivered(): void {
    this.missing = false;
  }

  /**
   * @param position of the last delivery
   * @throws NotDelivered; EventStoreUnavailable when the store does not answer either
   */
  async check(position: string | undefined): Promise<void> {
    if (this.missing) throw new NotDelivered();
    const { reads } = this.context;
    const end = await reads.end();
    const after = later(position, this.nothingUpTo);
    if (end === null || end <= (after ?? '')) return;
    if (await reads.hasEventAfter(after, this.prefix)) this.missing = true;
    else this.nothingUpTo = end;
  }
}

function later(one: string | undefined, other: string | undefined): string | undefined {
  return (one ?? '') > (other ?? '') ? one : other;
}
