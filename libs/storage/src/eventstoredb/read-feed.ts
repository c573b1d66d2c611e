import { setImmediate as nextTurn } from 'node:timers/promises';
import { convertToCommandError } from '@eventstore/db-client';
import { NoAnswer } from '#concurrency/within';
import type { Delivery, RecordedEvent } from '../event-store/event-store.js';
import type { Answer, ReadAnswer } from './read-answers.js';

/** At most this many answers may wait here; the server holds back the others. */
const ANSWERS_WAITING_MAX = 128;

/** What a feed needs of a call of gRPC under way. */
export interface ReadCall {
  on(event: 'data', listener: (answer: ReadAnswer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
  cancel(): void;
}

/**
 * What a read or a subscription brings bit by bit, until it ends or fails; the reader waits here for more. An error
 * without a listener would end the process: it listens to the end.
 */
export class ReadFeed {
  private waiting: Answer[] = [];
  private call: ReadCall | undefined;
  private isPaused = false;
  private isClosed = false;
  private hasEnded = false;
  private failure: { readonly error: unknown } | undefined;
  private wakeUp: (() => void) | undefined;

  /** @param opening the call, once there is a connection */
  constructor(private readonly opening: Promise<ReadCall>) {
    opening.then(
      call => this.listen(call),
      (error: unknown) => this.fail(error),
    );
  }

  /** What has come, in its order; empty where nothing has. */
  take(answersMax: number): Delivery[] {
    const taken = this.waiting.splice(0, answersMax);
    if (this.isPaused && this.waiting.length === 0) {
      this.isPaused = false;
      this.call?.resume();
    }
    return deliveriesOf(taken);
  }

  /**
   * @returns false when everything has come and was taken
   * @throws the call's failure; NoAnswer when nothing comes in time
   */
  async more(silenceMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.hasEnded && !this.failure && !signal.aborted) {
      if (this.waiting.length === 0) await this.change(silenceMs, signal);
      // Events come in small messages, several in one turn: taken one by one they cost much more.
      await nextTurn();
    }
    if (this.failure) throw this.failure.error;
    return !this.hasEnded || this.waiting.length > 0;
  }

  /**
   * Closes it with the signal, too: while somebody holds on to what came last, closing the connection would wait for it.
   * @returns closes it now
   */
  closeWith(signal: AbortSignal): () => void {
    const close = (): void => {
      signal.removeEventListener('abort', close);
      this.close();
    };
    signal.addEventListener('abort', close);
    return close;
  }

  /** Ends the call at the server as well; leaving it alone would not. */
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
    call.on('end', () => {
      this.hasEnded = true;
      this.wakeUp?.();
    });
    call.on('data', ({ answer }) => {
      if (answer === null || this.isClosed) return;
      this.waiting.push(answer);
      if (this.waiting.length >= ANSWERS_WAITING_MAX) {
        this.isPaused = true;
        call.pause();
      }
      this.wakeUp?.();
    });
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.wakeUp?.();
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
}

/** Events between which nothing else came are delivered together. */
function deliveriesOf(answers: readonly Answer[]): Delivery[] {
  const deliveries: Delivery[] = [];
  let events: RecordedEvent[] | null = null;
  for (const answer of answers) {
    if ('kind' in answer) {
      deliveries.push(answer);
      events = null;
    } else if (events === null) {
      events = [answer];
      deliveries.push({ kind: 'events', events });
    } else {
      events.push(answer);
    }
  }
  return deliveries;
}
