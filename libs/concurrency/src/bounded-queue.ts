/** Lets a few run at once and a bounded number wait. */
export class BoundedQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly waitingMax: number,
    /** The refusal when as many wait already. */
    private readonly full: () => Error,
  ) {}

  /** @throws Error `full` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.atOnce) await this.turn();
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // A place is handed to the next one that waits.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= this.waitingMax) throw this.full();
    return new Promise(resolve => this.waiting.push(resolve));
  }
}
