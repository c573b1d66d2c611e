import { convertToCommandError } from '@eventstore/db-client';
import type { ReadAnswer } from './read-answers.js';
import type { RecordedEvent } from '../event-store/event-store.js';
import { Feed } from './feed.js';

/** At most this many events may wait here; the server holds back the others. */
const EVENTS_WAITING_MAX = 128;

/** What a feed needs of a call of gRPC under way. */
export interface ReadCall {
  on(event: 'data', listener: (answer: ReadAnswer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
  cancel(): void;
}

/** The events that a read brings. An error without a listener would end the process: it listens to the end. */
export class ReadFeed extends Feed {
  private events: RecordedEvent[] = [];
  private call: ReadCall | undefined;
  private isPaused = false;
  private isClosed = false;

  /** @param opening the call, once there is a connection */
  constructor(private readonly opening: Promise<ReadCall>) {
    super();
    opening.then(
      call => this.listen(call),
      (error: unknown) => this.fail(error),
    );
  }

  /** A call may have ended, and events of it may wait. */
  override async more(silenceMs: number, signal: AbortSignal): Promise<boolean> {
    const goesOn = await super.more(silenceMs, signal);
    return goesOn || this.events.length > 0;
  }

  /** What has come, in its order; empty where nothing has. */
  take(eventsMax: number): RecordedEvent[] {
    if (this.events.length > eventsMax) return this.events.splice(0, eventsMax);
    const { events } = this;
    this.events = [];
    if (this.isPaused) this.call?.resume();
    this.isPaused = false;
    return events;
  }

  close(): void {
    this.isClosed = true;
    const cancel = (): void => {
      // A call whose last events wait unread has ended already, and tells so only when they are taken: until then the
      // client keeps it, and closing the connection waits for it.
      this.call?.resume();
      this.call?.cancel();
    };
    // In a later turn: a call that is cancelled while it fails reports both. https://github.com/grpc/grpc-node/issues/1652
    this.opening.then(() => setImmediate(cancel)).catch(() => undefined);
  }

  private listen(call: ReadCall): void {
    this.call = call;
    call.on('error', error => {
      if (!this.isClosed) this.fail(convertToCommandError(error));
    });
    call.on('end', () => this.end());
    call.on('data', ({ event }) => {
      if (event === null || this.isClosed) return;
      this.events.push(event);
      if (this.events.length >= EVENTS_WAITING_MAX) {
        this.isPaused = true;
        call.pause();
      }
      this.arrived();
    });
  }
}
