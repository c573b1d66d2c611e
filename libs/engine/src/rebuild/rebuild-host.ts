import { StandingDocuments, TAKEN_OVER_MS } from '../households/standing-documents.js';
import { RebuildTakenOver } from './rebuild-lease.js';
import { announce, workOff, type RebuildCommand } from './rebuild-work.js';
import type { RebuildWorkplace } from './rebuild.js';
import { StandingTrouble, workUntilStopped } from '../projector/background-log.js';

/** How often a process that projects looks whether there is something to rebuild. */
const LOOK_MS = 1_000;

/** Takes up rebuilds in a process that projects: those asked for, and those that another process left unfinished. */
export class RebuildHost {
  private readonly stopping = new AbortController();
  private readonly standing = new StandingDocuments(TAKEN_OVER_MS);
  private running: Promise<unknown> | null = null;
  private retryFailed = false;

  constructor(
    private readonly place: RebuildWorkplace,
    /** Unique to this process. */
    private readonly owner: string,
  ) {}

  start(): void {
    const { signal } = this.stopping;
    const trouble = new StandingTrouble(this.place.log, 'rebuilds are waiting');
    const isTakenOver = (error: unknown): boolean => error instanceof RebuildTakenOver;
    this.running ??= workUntilStopped(signal, LOOK_MS, trouble, () => this.work(), isTakenOver);
  }

  /** Takes a command of a person, as `announce`. */
  async take(command: RebuildCommand): Promise<string> {
    const accepted = await announce(this.place.documents, command);
    this.retryFailed = true;
    return accepted;
  }

  /** Stops after the current batch; another process can resume. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private work(): Promise<unknown> {
    const { owner, standing, retryFailed } = this;
    this.retryFailed = false;
    return workOff(this.place, { owner, standing, retryFailed, signal: this.stopping.signal });
  }
}
