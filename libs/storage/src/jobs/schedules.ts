import { SCHEDULE_MS_MAX, checkName, reasonOf, type JobTrouble } from './job-queue.js';

interface Schedule {
  readonly name: string;
  readonly everyMs: number;
  readonly handler: () => Promise<void>;
  timer: NodeJS.Timeout | undefined;
  running: Promise<void>;
}

/** The timers behind `JobQueue.schedule`; the adapter decides which process runs. */
export class Schedules {
  private readonly schedules = new Map<string, Schedule>();
  private stopped = false;

  /** @param claim whether this process makes the run that is due now */
  constructor(
    private readonly claim: (name: string, everyMs: number) => Promise<boolean>,
    private readonly report: (trouble: JobTrouble) => void,
  ) {}

  /** @throws RangeError */
  add(name: string, everyMs: number, handler: () => Promise<void>): void {
    checkName(name);
    if (this.schedules.has(name)) throw new RangeError(`schedule ${name} is given twice`);
    if (!Number.isInteger(everyMs) || everyMs < 1 || everyMs > SCHEDULE_MS_MAX) {
      throw new RangeError(`a schedule cannot run every ${everyMs} ms`);
    }
    const schedule: Schedule = { name, everyMs, handler, timer: undefined, running: Promise.resolve() };
    this.schedules.set(name, schedule);
    this.runAfter(schedule, 0);
  }

  /** No further runs; resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const schedule of this.schedules.values()) clearTimeout(schedule.timer);
    await Promise.all([...this.schedules.values()].map(schedule => schedule.running));
  }

  private runAfter(schedule: Schedule, delayMs: number): void {
    if (this.stopped) return;
    schedule.timer = setTimeout(() => {
      schedule.running = this.run(schedule);
    }, delayMs);
    schedule.timer.unref();
  }

  private async run(schedule: Schedule): Promise<void> {
    const startedAt = performance.now();
    try {
      if (await this.claim(schedule.name, schedule.everyMs)) await schedule.handler();
    } catch (error) {
      this.report({ kind: 'schedule-failed', name: schedule.name, reason: reasonOf(error) });
    }
    this.runAfter(schedule, Math.max(0, schedule.everyMs - (performance.now() - startedAt)));
  }
}
