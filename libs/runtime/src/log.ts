import { pino, stdTimeFunctions, type Logger } from 'pino';
import { loggedOf } from '#engine/households/store-failures';
import type { LogLevel } from './configuration.js';

const SERIALIZERS = { err: loggedError };

/** How much waits, in bytes, while a disk is full or a reader slow; beyond it, lines are dropped. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024;

/** The log of a server, at `info` where no level is set: JSON lines on standard output. */
export function serverLog(level: LogLevel | null): Logger {
  return logOn(1, process.stdout, level ?? 'info');
}

/**
 * The log of a command that an operator runs: nothing unless `LOG_LEVEL` is set, and then on standard error, beside the
 * command's own sentences.
 */
export function operatorLog(level: LogLevel | null): Logger {
  return logOn(2, process.stderr, level ?? 'silent');
}

/**
 * A full disk or a slow reader never holds up the process: what cannot be written waits for the next line. (With
 * `sync: false`, pino would try for ever at the end of the process.)
 */
function logOn(file: number, stream: NodeJS.WriteStream, level: LogLevel): Logger {
  const output = pino.destination({
    dest: file,
    sync: true,
    maxLength: WAITING_BYTES_MAX,
    retryEAGAIN: () => false,
  });
  output.on('error', () => undefined);
  // What is printed for a person goes to the same file. Where that is a pipe, opening it here makes it one that does not
  // block.
  stream.on('error', () => undefined);
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, serializers: SERIALIZERS }, output);
}

/** At most this many causes of causes are logged. */
const CAUSES_MAX = 5;

interface LoggedError {
  readonly type: string;
  /** Its message, or where it was thrown. */
  readonly message: string;
  readonly cause?: LoggedError;
}

/**
 * An error for the log, and its causes. Its message stands there only where it was made for operators or by the system:
 * any other may quote what a user wrote, as that of a text which does not parse.
 */
export function loggedError(error: unknown, causesMax = CAUSES_MAX): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: loggedOf(error) };
  const { name: type, cause } = error;
  const logged = { type, message: loggedOf(error) };
  if (cause === undefined || causesMax === 0) return logged;
  return { ...logged, cause: loggedError(cause, causesMax - 1) };
}
