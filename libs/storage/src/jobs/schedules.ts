import { untilStopped } from '#concurrency/repeatedly';
import { SCHEDULE_MS_MAX, checkName, reasonOf, type JobTrouble } from './job-queue.js';

/** What is behind `JobQueue.schedule`; the adapter decides which process runs. */
export class Schedules {
  private readonly schedules = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

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
    const run = async (): Promise<void> => {
      try {
        if (await this.claim(name, everyMs)) await handler();
      } catch (error) {
        this.report({ kind: 'schedule-failed', name, reason: reasonOf(error) });
      }
    };
    this.schedules.set(name, untilStopped(this.stopping.signal, everyMs, run));
  }

  /** No further runs; resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.schedules.values());
  }
}
