import { setTimeout as pause } from 'node:timers/promises';
import { ProgressWatch, RebuildTakenOver } from './rebuild-lease.js';
import { RebuildRefused } from './rebuild-request.js';
import { announce, workOff, type RebuildCommand } from './rebuild-work.js';
import type { RebuildWorkplace } from './rebuild.js';
import { StandingTrouble } from '../standing-trouble.js';

/** How often a process that projects looks whether there is something to rebuild. */
const LOOK_MS = 1_000;

/** What is handed to a server from outside, where only it may write its stores. */
export interface CommandBox {
  /** The command that waits, or null. It stays until it is answered. */
  next(): Promise<WaitingCommand | null>;
}

export interface WaitingCommand {
  readonly command: RebuildCommand;
  answer(answer: CommandAnswer): Promise<void>;
}

export type CommandAnswer = { readonly accepted: string } | { readonly refused: string };

/** Takes up rebuilds in a process that projects: those asked for, and those that another process left unfinished. */
export class RebuildHost {
  private readonly stopping = new AbortController();
  private readonly watch = new ProgressWatch();
  private running: Promise<unknown> | null = null;
  private retryFailed = false;

  constructor(
    private readonly place: RebuildWorkplace,
    /** Unique to this process. */
    private readonly owner: string,
    private readonly box: CommandBox | null,
  ) {}

  start(): void {
    this.running ??= Promise.all([
      this.repeat(() => this.answerNext()),
      this.repeat(async () => {
        const { owner, watch, retryFailed } = this;
        this.retryFailed = false;
        await workOff(this.place, { owner, watch, retryFailed, signal: this.stopping.signal });
      }),
    ]);
  }

  /** Stops after the batch under way; whoever comes next goes on. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async answerNext(): Promise<void> {
    const waiting = await this.box?.next();
    if (!waiting) return;
    try {
      const accepted = await announce(this.place.documents, waiting.command);
      this.retryFailed = true;
      await waiting.answer({ accepted });
    } catch (error) {
      if (!(error instanceof RebuildRefused)) throw error;
      await waiting.answer({ refused: error.message });
    }
  }

  /** Does the work again and again. */
  private async repeat(work: () => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    const trouble = new StandingTrouble(this.place.log, 'rebuilds are waiting');
    while (!signal.aborted) {
      try {
        await work();
        trouble.over();
      } catch (error) {
        if (!signal.aborted && !(error instanceof RebuildTakenOver)) trouble.met(error);
      }
      await pause(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
