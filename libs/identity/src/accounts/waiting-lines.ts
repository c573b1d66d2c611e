/** How often whoever is first in a line looks by itself, since other instances give places back too. */
const LOOK_AGAIN_MS = 50;

interface Line {
  /** Ends when the last who came has what it waited for, or has given up. */
  tail: Promise<unknown>;
  length: number;
  /** Has the first look at once. */
  call: () => void;
}

/**
 * Those who wait for places that others have taken, in a line for each key: first come, first served. Only the first
 * of a line looks whether a place is free, so that many who wait do not race each other for it.
 */
export class WaitingLines {
  private readonly lines = new Map<string, Line>();

  /** @param waitingMax how many may wait at most, in all lines together */
  constructor(private readonly waitingMax: number) {}

  /** Whether somebody waits in the line of a key. */
  has(key: string): boolean {
    return this.lines.has(key);
  }

  /**
   * Waits behind those who came before, then looks until something is found.
   * @param look answers null where no place is free
   * @param patienceMs how long to wait at most, in the line and at its head together
   * @returns null where nothing was found in time, or where too many wait
   * @throws whatever `look` throws
   */
  async found<T>(key: string, look: () => Promise<T | null>, patienceMs: number): Promise<T | null> {
    if (this.waiting() >= this.waitingMax) return null;
    const until = performance.now() + patienceMs;
    const line = this.lines.get(key) ?? { tail: Promise.resolve(), length: 0, call: () => undefined };
    this.lines.set(key, line);
    line.length += 1;
    const turn = line.tail.then(() => lookUntil(until, line, look));
    line.tail = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      line.length -= 1;
      if (line.length === 0) this.lines.delete(key);
    }
  }

  /** Tells the first in the line of a key that a place may be free now. */
  call(key: string): void {
    this.lines.get(key)?.call();
  }

  private waiting(): number {
    return [...this.lines.values()].reduce((sum, { length }) => sum + length, 0);
  }
}

async function lookUntil<T>(until: number, line: Line, look: () => Promise<T | null>): Promise<T | null> {
  while (performance.now() < until) {
    const found = await look();
    if (found !== null) return found;
    await called(line);
  }
  return null;
}

/** Resolves when the line's first is called, at the latest when it is time to look again anyway. */
function called(line: Line): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, LOOK_AGAIN_MS);
    line.call = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
