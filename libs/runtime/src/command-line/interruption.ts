const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How long a command may take to end by itself after a signal. */
const END_MS_MAX = 5_000;

/**
 * Ends a command in order on Ctrl-C: a process that exits while its thread writes a file of SQLite is aborted. A second
 * signal, or time, ends it all the same.
 */
export class Interruption {
  private readonly controller = new AbortController();
  private readonly interrupt = (): void => {
    if (this.signal.aborted) process.exit(1);
    this.controller.abort();
    setTimeout(() => process.exit(1), END_MS_MAX).unref();
  };

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.interrupt);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Signals end the program at once again. */
  end(): void {
    for (const signal of SIGNALS) process.off(signal, this.interrupt);
  }
}
