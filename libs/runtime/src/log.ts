import { pino, stdTimeFunctions, type Logger } from 'pino';
import type { BackgroundLog } from '#engine/projector/background-log';
import type { LogLevel } from './configuration.js';
import { loggedError } from './logged-error.js';

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
function logOn(file: number, stream: NodeJS.WriteStream, level: LogLevel | 'silent'): Logger {
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

/** A log as the libraries below write it. */
export function fieldsLast(logger: Logger): BackgroundLog {
  return {
    info: (message, fields) => logger.info(fields, message),
    error: (message, fields) => logger.error(fields, message),
  };
}
