import { untilStopped } from '#concurrency/repeatedly';
import { loggedOf, toldOf } from '../households/store-failures.js';

/** Where work beside requests tells operators what it does, as a logger of Pino takes it. */
export interface BackgroundLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What keeps work that is tried again and again from being done: told once for as long as it stays the same. */
export class StandingTrouble {
  private present: { readonly told: string; readonly logged: string } | null = null;

  /** @param message what cannot be done */
  constructor(
    private readonly log: Pick<BackgroundLog, 'error'>,
    private readonly message: string,
  ) {}

  /** Why the latest try failed, without quoting a user; null if it did not. */
  get reason(): string | null {
    return this.present?.told ?? null;
  }

  met(error: unknown): void {
    const logged = loggedOf(error);
    if (logged !== this.present?.logged) this.log.error({ error: logged }, this.message);
    this.present = { told: toldOf(error), logged };
  }

  over(): void {
    this.present = null;
  }
}

/**
 * Does work again and again, each time a while after it has ended, until the signal.
 * @param trouble told what keeps it from being done
 * @param beginsAgain whether an error only means that the work is to begin again
 */
export function workUntilStopped(
  signal: AbortSignal,
  pauseMs: number,
  trouble: StandingTrouble,
  work: () => Promise<unknown>,
  beginsAgain: (error: unknown) => boolean,
): Promise<void> {
  return untilStopped(signal, pauseMs, async () => {
    try {
      await work();
      trouble.over();
    } catch (error) {
      if (!signal.aborted && !beginsAgain(error)) trouble.met(error);
    }
  });
}
