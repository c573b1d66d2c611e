import { setImmediate as nextTurn } from 'node:timers/promises';
import { NoAnswer } from './failures.js';

/** What a server sends bit by bit, until it ends or fails; the reader waits here for more. */
export abstract class Feed {
  private failure: { readonly error: unknown } | undefined;
  private ended = false;
  private wakeUp: (() => void) | undefined;

  /** Ends the call at the server as well; leaving it alone would not. */
  abstract close(): void;

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

  /**
   * @returns false when everything has come
   * @throws the call's failure; NoAnswer when nothing comes in time
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

  /** Tells who waits that something has come. */
  protected arrived(): void {
    this.wakeUp?.();
  }

  protected fail(error: unknown): void {
    this.failure ??= { error };
    this.arrived();
  }

  protected end(): void {
    this.ended = true;
    this.arrived();
  }

  private isDone(): boolean {
    return this.failure !== undefined || this.ended;
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
