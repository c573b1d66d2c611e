import type { Readable } from 'node:stream';
import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import { READ_PAGE_EVENTS, type Delivery, type RecordedEvent } from '../event-store/event-store.js';
import { Feed } from './feed.js';
import { toRecordedEvent } from './recorded-event.js';

/**
 * Pulls events from one of the client's subscriptions, as many at once as have arrived.
 *
 * It listens from the turn in which the subscription is made and for as long as it lives: an error without a listener
 * would end the process.
 */
export class SubscriptionFeed extends Feed {
  private taken = 0;
  /** What belongs between two events, by the number of events before it. */
  private markers: { readonly after: number; readonly delivery: Delivery }[] = [];

  constructor(
    private readonly source: Readable,
    private readonly cancel: () => Promise<void>,
  ) {
    super();
    source.on('readable', () => this.arrived());
    source.on('error', (error: unknown) => this.fail(error));
    source.on('end', () => this.end());
  }

  /**
   * Puts a delivery behind the events that have arrived. The client reports what is between events before the
   * events that wait in front of it were taken.
   */
  mark(delivery: Delivery): void {
    const after = this.taken + this.source.readableLength;
    const last = this.markers.at(-1);
    if (delivery.kind === 'checkpoint' && last?.after === after && last.delivery.kind === 'checkpoint') {
      this.markers.pop();
    }
    this.markers.push({ after, delivery });
    this.arrived();
  }

  /** What has arrived, or undefined. */
  take(): Delivery | undefined {
    const marker = this.markers[0];
    if (marker && marker.after <= this.taken) {
      this.markers.shift();
      return marker.delivery;
    }
    const events = this.read(Math.min(READ_PAGE_EVENTS, (marker?.after ?? Infinity) - this.taken));
    return events.length > 0 ? { kind: 'events', events } : undefined;
  }

  close(): void {
    // A call that the server has ended tells so only when its last events are taken, and the client keeps it until then.
    this.source.removeAllListeners('readable').resume();
    // The call may not have begun, while its cluster is being discovered: it is not waited for.
    this.cancel().catch(() => undefined);
  }

  private read(max: number): RecordedEvent[] {
    const events: RecordedEvent[] = [];
    while (events.length < max) {
      const resolved = this.source.read() as AllStreamResolvedEvent | null;
      if (resolved === null) break;
      this.taken += 1;
      const event = toRecordedEvent(resolved);
      if (event) events.push(event);
    }
    return events;
  }
}
