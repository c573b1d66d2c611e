import { pino, type Logger } from 'pino';
import type { LogLevel } from './configuration.js';

/** Lines are written when they have come to so many characters, … */
const WRITE_FROM_LENGTH = 15_000;
/** … or when so much time has passed. */
const WRITE_EVERY_MS = 100;
/** What waits while nobody reads standard output; beyond it, lines are dropped. */
const WAITING_LENGTH_MAX = 16 * 1024 * 1024;

/**
 * The log of a server: JSON lines on standard output, many in one write, since a write for each request would cost
 * as much as reading its documents. A killed process loses the lines of its last tenth of a second; one that ends
 * in any other way loses none.
 */
export function serverLog(level: LogLevel): Logger {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: WRITE_FROM_LENGTH,
    periodicFlush: WRITE_EVERY_MS,
    maxLength: WAITING_LENGTH_MAX,
  });
  outliveFailures(output);
  return pino({ level, base: null }, output);
}

/**
 * Where standard output is a file on a full disk, the server goes on: lines wait as they do for a slow reader, and are
 * written once there is room. What cannot be written at the end is lost, because the library would try that for ever.
 */
function outliveFailures(output: ReturnType<typeof pino.destination>): void {
  let isFailing = false;
  output.on('error', () => {
    isFailing = true;
  });
  output.on('write', () => {
    isFailing = false;
  });
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => {
    if (!isFailing) flushSync();
  };
  // What is printed for a person, on the same file.
  process.stdout.on('error', () => undefined);
}

/**
 * The log of a command that an operator runs: nothing unless `LOG_LEVEL` is set, and then on standard error, beside
 * the command's own sentences.
 */
export function operatorLog(level: LogLevel): Logger {
  return pino({ level: process.env['LOG_LEVEL'] ? level : 'silent', base: null }, pino.destination(2));
}
