import type { OnStep, Step } from '../../backup/backup-file.js';
import { count, duration } from './formats.js';
import type { Terminal } from './terminal.js';

const DRAW_EVERY_MS = 100;
const BAR_CELLS = 24;
/** Shorter work needs no bar. */
const SHOW_AFTER_MS = 300;
const NARROW_COLUMNS = 80;

/**
 * Shows how far work is, as long as it goes on: a bar for each of its steps, with rate and time left, on standard error;
 * nothing unless that is a terminal.
 */
export async function showingProgress<T>(
  { err }: Pick<Terminal, 'err'>,
  work: (onStep: OnStep) => Promise<T>,
  clock: () => number = () => performance.now(),
): Promise<T> {
  let [label, startedAt, drawnAt] = ['', 0, -Infinity];
  let isShown = false;
  const clear = (): void => {
    if (isShown) err.write('\r\u001b[K');
    isShown = false;
  };
  const show = (step: Step): void => {
    const now = clock();
    if (step.label !== label) {
      clear();
      [label, startedAt] = [step.label, now];
    }
    if (err.isTTY !== true || now - startedAt < SHOW_AFTER_MS || now - drawnAt < DRAW_EVERY_MS) return;
    drawnAt = now;
    isShown = true;
    const line = progressLine(step, now - startedAt);
    err.write(`\r\u001b[K${line.slice(0, (err.columns ?? NARROW_COLUMNS) - 1)}`);
  };
  try {
    return await work(show);
  } finally {
    clear();
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
