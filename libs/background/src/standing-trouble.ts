import { sentenceOf } from '#streams/store-failures';
import type { BackgroundLog } from './background-log.js';

/** What keeps work that is tried again and again from being done: told once for as long as it stays the same. */
export class StandingTrouble {
  private present: string | null = null;

  /** @param message what cannot be done */
  constructor(
    private readonly log: Pick<BackgroundLog, 'error'>,
    private readonly message: string,
  ) {}

  /** Why the latest try failed; null where it did not. */
  get reason(): string | null {
    return this.present;
  }

  met(error: unknown): void {
    const reason = sentenceOf(error);
    if (reason !== this.present) this.log.error(this.message, { error: reason });
    this.present = reason;
  }

  over(): void {
    this.present = null;
  }
}
