import { READ_PAGE_EVENTS, type Delivery, type KnownEvents, type RecordedEvent } from '../event-store.js';
import type { AppendedBatch } from './appended-batch.js';
import { positionNumber, positionText } from './event-table.js';

/** The most live events that wait for a slow subscriber; beyond it, it reads them from the file later. */
export const WAITING_EVENTS_MAX = 2_048;
/** The same in length of their texts. */
export const WAITING_SIZE_MAX = 8_000_000;
/** A live subscriber to whom nothing was delivered for this many positions is told how far the store is. */
export const CHECKPOINT_POSITIONS = 1_000;

/**
 * The state of one subscription: where it is and what waits for it.
 *
 * It is behind at first and reads pages from the file. With the page that reaches the end it turns live: events
 * then come straight from the appends. It falls behind again when too much waits, or when another process wrote.
 */
export class Tail {
  /** Whether it must read from the file once nothing waits any more. */
  behind = true;
  /** The caught-up delivery is due, or was made. */
  private caughtUp: 'no' | 'due' | 'told' = 'no';
  private page: readonly RecordedEvent[] = [];
  private waiting: RecordedEvent[] = [];
  private waitingSize = 0;
  /** Every event up to here was delivered, waits here, or is not for this subscription. */
  private covered: number;
  /** The subscriber knows that it has everything up to here. */
  private told: number;
  private wakeUp: (() => void) | undefined;

  constructor(
    readonly prefix: string,
    after: string | undefined,
    readonly isKnown?: KnownEvents | undefined,
  ) {
    this.covered = positionNumber(after);
    this.told = this.covered;
  }

  /** From where it reads when it is behind and nothing waits. */
  get position(): number {
    return this.covered;
  }

  /** What comes next, or undefined when it is behind or has everything. */
  take(): Delivery | undefined {
    if (this.page.length > 0) {
      const events = this.page;
      this.page = [];
      return this.deliver(events);
    }
    if (this.caughtUp === 'due') return this.takeCaughtUp();
    if (this.waiting.length > 0) {
      const events = this.waiting.splice(0, READ_PAGE_EVENTS);
      if (this.waiting.length === 0) this.waitingSize = 0;
      return this.deliver(events);
    }
    if (!this.behind && this.covered - this.told >= CHECKPOINT_POSITIONS) return this.checkpoint();
    return undefined;
  }

  /** Takes over a page read from `position` up to `covered`; `end`: nothing is stored after it. */
  accept(page: readonly RecordedEvent[], covered: number, end: boolean): void {
    this.page = page;
    this.covered = covered;
    if (!end) return;
    this.behind = false;
    if (this.caughtUp === 'no') this.caughtUp = 'due';
  }

  /**
   * Events that have just been appended, without a gap among them or to what was offered before. Some of them may have
   * come with a page already: what is durable can be read before it is told of.
   */
  offer({ events, size, last }: Omit<AppendedBatch, 'isWhole'>): void {
    if (!this.behind && last > this.covered) {
      const known = this.covered - (last - events.length);
      const wanted = events.filter((event, at) => at >= known && event.stream.startsWith(this.prefix));
      if (
        this.waiting.length + wanted.length > WAITING_EVENTS_MAX ||
        this.waitingSize + size > WAITING_SIZE_MAX
      ) {
        this.behind = true;
      } else {
        this.waiting.push(...wanted);
        if (wanted.length > 0) this.waitingSize += size;
        this.covered = last;
      }
    }
    this.wake();
  }

  /** There may be events that were not offered. */
  fallBehind(): void {
    this.behind = true;
    this.wake();
  }

  /** The connection to the store was lost: the next catching up is told again. */
  disconnected(): void {
    this.behind = true;
    this.caughtUp = 'no';
  }

  /** Until there is something to do, or for at most `timeoutMs`. */
  wait(timeoutMs?: number): Promise<void> {
    return new Promise(resolve => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.wake(), timeoutMs);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  readonly wake = (): void => {
    const { wakeUp } = this;
    this.wakeUp = undefined;
    wakeUp?.();
  };

  private deliver(events: readonly RecordedEvent[]): Delivery {
    this.told = positionNumber(events.at(-1)?.position);
    return { kind: 'events', events };
  }

  private takeCaughtUp(): Delivery {
    // Positions that were passed over are told once, so that the next start need not pass over them again.
    if (this.waiting.length === 0 && this.covered > this.told) return this.checkpoint();
    this.caughtUp = 'told';
    return { kind: 'caught-up' };
  }

  private checkpoint(): Delivery {
    this.told = this.covered;
    return { kind: 'checkpoint', position: positionText(this.covered) };
  }
}
