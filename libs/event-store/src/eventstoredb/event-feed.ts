import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AllStreamResolvedEvent, ResolvedEvent } from '@eventstore/db-client';
import { READ_PAGE_EVENTS } from '../event-store.js';
import type { Delivery, RecordedEvent } from '../event-store.js';
import { NoAnswer } from './failures.js';
import { toRecordedEvent } from './recorded-event.js';

/**
 * Pulls events from one of the client's streams, as many at once as have arrived.
 *
 * It listens from the turn in which the stream is made and for as long as the stream lives: an error for which
 * nobody listens would end the process.
 */
export class EventFeed {
  private failure: { readonly error: unknown } | undefined;
  private ended = false;
  private taken = 0;
  /** What belongs between two events, by the number of events before it. */
  private markers: { readonly after: number; readonly delivery: Delivery }[] = [];
  private wakeUp: (() => void) | undefined;

  constructor(
    private readonly source: Readable,
    private readonly cancel: () => Promise<void>,
  ) {
    source.on('readable', this.wake);
    source.on('error', (error: unknown) => {
      this.failure ??= { error };
      this.wake();
    });
    source.on('end', () => {
      this.ended = true;
      this.wake();
    });
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
    this.wake();
  }

  /** What has arrived, or undefined. */
  take(eventsMax = READ_PAGE_EVENTS): Delivery | undefined {
    const marker = this.markers[0];
    if (marker && marker.after <= this.taken) {
      this.markers.shift();
      return marker.delivery;
    }
    const events = this.read(Math.min(eventsMax, (marker?.after ?? Infinity) - this.taken));
    return events.length > 0 ? { kind: 'events', events } : undefined;
  }

  /**
   * @returns false when the stream has ended
   * @throws the stream's failure; NoAnswer when nothing comes in time
   */
  async more(silenceMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.isDone() && !signal.aborted) {
      await this.change(silenceMs, signal);
      // Events come in small messages, several in one turn: taken one by one they cost much more.
      await nextTurn();
    }
    if (this.failure) throw this.failure.error;
    return !this.ended;
  }

  /** Ends the call at the server as well; leaving the stream alone would not. */
  close(): void {
    // The call may not have begun, while its cluster is being discovered: nobody waits for that.
    this.cancel().catch(() => undefined);
  }

  private isDone(): boolean {
    return this.failure !== undefined || this.ended;
  }

  private read(max: number): RecordedEvent[] {
    const events: RecordedEvent[] = [];
    while (events.length < max) {
      const resolved = this.source.read() as ResolvedEvent | AllStreamResolvedEvent | null;
      if (resolved === null) break;
      this.taken += 1;
      const event = toRecordedEvent(resolved);
      if (event) events.push(event);
    }
    return events;
  }

  private change(silenceMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wakeUp);
        this.wakeUp = undefined;
      };
      const wakeUp = (): void => {
        stopWaiting();
        resolve();
      };
      const timer = setTimeout(() => {
        stopWaiting();
        reject(new NoAnswer());
      }, silenceMs);
      signal.addEventListener('abort', wakeUp);
      this.wakeUp = wakeUp;
    });
  }

  private readonly wake = (): void => {
    this.wakeUp?.();
  };
}
