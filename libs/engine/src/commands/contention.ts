import { backoffMs } from '#concurrency/backoff';

const FIRST_WAIT_MS_MIN = 20;
const WAIT_MS_MAX = 250;
/** How long after a lost race a household counts as written by others as well. */
const CONTENDED_MS = 2_000;
/** The most that a command of such a household waits before it looks at it. */
const GIVE_WAY_MS_MAX = 20;
/** Households of which lost races are remembered. */
const REMEMBERED_MAX = 1_000;

/**
 * Races of processes for one household. Without any waiting, a process that has commands without end would win all of
 * them: it goes on while the other still reads what it did.
 */
export class Contention {
  /** When a race was last lost, the latest last. */
  private readonly lostAt = new Map<string, number>();

  /**
   * A random while before a command that lost a race looks again: up to as long as it took to lose, doubled with each
   * race.
   * @param lost how often this command was decided before, for races or for what it had not seen
   * @param tookMs from the look at the household to the lost race
   */
  async waitAfterRace(householdId: string, lost: number, tookMs: number): Promise<void> {
    this.remember(householdId);
    const first = Math.max(FIRST_WAIT_MS_MIN, tookMs);
    await pause(Math.random() * backoffMs(lost + 1, first, WAIT_MS_MAX));
  }

  /** Whether a race for a household was lost lately: its next command gives way to others. */
  wasLostLately(householdId: string): boolean {
    const lostAt = this.lostAt.get(householdId);
    if (lostAt === undefined) return false;
    if (performance.now() - lostAt < CONTENDED_MS) return true;
    this.lostAt.delete(householdId);
    return false;
  }

  /** A random while, in which others come to the household. */
  async giveWay(): Promise<void> {
    await pause(Math.random() * GIVE_WAY_MS_MAX);
  }

  private remember(householdId: string): void {
    this.lostAt.delete(householdId);
    this.lostAt.set(householdId, performance.now());
    const [oldest] = this.lostAt.keys();
    if (this.lostAt.size > REMEMBERED_MAX) this.lostAt.delete(oldest!);
  }
}

/** Not that of `node:timers/promises`, which the mock timers of Node 20 do not reach. */
function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}
