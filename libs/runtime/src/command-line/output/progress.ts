import type { OnStep, Step } from '../../backup/backup-file.js';
import { count, duration } from './formats.js';
import type { Terminal, TextStream } from './terminal.js';

const DRAW_EVERY_MS = 100;
const BAR_CELLS = 24;
/** Shorter work needs no bar. */
const SHOW_AFTER_MS = 300;
const NARROW_COLUMNS = 80;

/** A bar for each step of long work, with rate and time left, on standard error; nothing unless that is a terminal. */
export class Progress {
  private label = '';
  private startedAt = 0;
  private drawnAt = -Infinity;
  private shown = false;

  constructor(
    private readonly stream: TextStream,
    private readonly now: () => number = () => performance.now(),
  ) {}

  readonly show = (step: Step): void => {
    const now = this.now();
    if (step.label !== this.label) {
      this.end();
      this.label = step.label;
      this.startedAt = now;
    }
    if (this.stream.isTTY !== true || now - this.startedAt < SHOW_AFTER_MS) return;
    if (now - this.drawnAt < DRAW_EVERY_MS) return;
    this.drawnAt = now;
    this.shown = true;
    const line = progressLine(step, now - this.startedAt);
    this.stream.write(`\r\u001b[K${line.slice(0, (this.stream.columns ?? NARROW_COLUMNS) - 1)}`);
  };

  end(): void {
    if (this.shown) this.stream.write('\r\u001b[K');
    this.shown = false;
    this.label = '';
  }
}

/** Shows how far work is, as long as it goes on. */
export async function showingProgress<T>(
  terminal: Terminal,
  work: (onStep: OnStep) => Promise<T>,
): Promise<T> {
  const progress = new Progress(terminal.err);
  try {
    return await work(progress.show);
  } finally {
    progress.end();
  }
}

export function progressLine({ label, unit, done, total }: Step, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  const speed = `${count(Math.round(rate))} ${unit}/s`;
  if (total === null || total <= 0) return `${label}  ${count(done)} ${unit}  ${speed}`;
  const share = Math.min(done / total, 1);
  const filled = Math.floor(share * BAR_CELLS);
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_CELLS - filled);
  const left = rate > 0 ? `${duration(Math.ceil((total - done) / rate))} left` : '';
  return `${label}  [${bar}] ${Math.floor(share * 100)} %  ${speed}  ${left}`.trimEnd();
}
