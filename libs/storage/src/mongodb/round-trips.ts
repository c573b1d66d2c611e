import { OPERATION_DEADLINE_MS } from './mongo-connection.js';

/**
 * How long what is asked while a round trip is on its way waits, at most, to go together in the next one: a trip that
 * hangs holds up few.
 */
export const TRIP_AWAITED_MS = 50;
/** At most this many round trips are on their way at once. */
export const TRIPS_AT_ONCE = 4;

interface Waiting<Asked, Answer> {
  readonly asked: Asked;
  readonly since: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** @param deadlineMs what is left to the one that has waited longest @returns the answers, in the order of what was asked */
type Trip<Asked, Answer> = (asked: readonly Asked[], deadlineMs: number) => Promise<readonly Answer[]>;

/**
 * Lets callers who ask at the same time share round trips to a server: a command for thirty keys costs this process and
 * the server little more than one for a single key. A request while none is on its way waits only for others of the
 * same turn of the event loop: under load, many requests come in one. A trip departs after everything that it carries
 * was asked, so that a read sees what was acknowledged before.
 */
export class RoundTrips<Asked, Answer> {
  private waiting: Waiting<Asked, Answer>[] = [];
  private underWay = 0;
  private overdue: NodeJS.Timeout | null = null;
  /** The departure at the end of this turn. */
  private planned: NodeJS.Immediate | null = null;

  constructor(
    private readonly travel: Trip<Asked, Answer>,
    /** The most that goes in one trip. */
    private readonly perTrip: number,
  ) {}

  /** @throws what the trip throws that carries it, to all whom it carries */
  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, since: performance.now(), resolve, reject });
      if (this.underWay === 0) this.departSoon();
      else this.overdue ??= setTimeout(() => this.departBeside(), TRIP_AWAITED_MS);
    });
  }

  private departSoon(): void {
    this.planned ??= setImmediate(() => {
      this.planned = null;
      if (this.mayDepart()) void this.depart();
    });
  }

  private mayDepart(): boolean {
    return this.waiting.length > 0 && this.underWay < TRIPS_AT_ONCE;
  }

  private departBeside(): void {
    this.overdue = null;
    if (!this.mayDepart()) return;
    void this.depart();
    if (this.waiting.length > 0) this.overdue = setTimeout(() => this.departBeside(), TRIP_AWAITED_MS);
  }

  private async depart(): Promise<void> {
    const carried = this.waiting.slice(0, this.perTrip);
    this.waiting = this.waiting.slice(this.perTrip);
    if (this.waiting.length === 0) this.stopTimer();
    this.underWay += 1;
    const waitedMs = performance.now() - carried[0]!.since;
    try {
      const answers = await this.travel(
        carried.map(({ asked }) => asked),
        Math.max(Math.ceil(OPERATION_DEADLINE_MS - waitedMs), 1),
      );
      for (const [at, { resolve }] of carried.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      for (const { reject } of carried) reject(error);
    }
    this.underWay -= 1;
    if (this.waiting.length > 0) this.departSoon();
  }

  private stopTimer(): void {
    if (this.overdue !== null) clearTimeout(this.overdue);
    this.overdue = null;
  }
}
