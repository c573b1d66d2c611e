import { pino, stdTimeFunctions, type Logger } from 'pino';
import type { BackgroundLog } from '#background/background-log';
import type { LogLevel } from './configuration.js';
import { LogOutput } from './log-output.js';
import { loggedError } from './logged-error.js';

const SERIALIZERS = { err: loggedError };

/**
 * The log of a server, at `info` where no level is set: JSON lines on standard output. A killed process loses the lines
 * of its last tenth of a second; one that ends in any other way at most those that were on their way to a reader who is
 * slow.
 */
export function serverLog(level: LogLevel | null): Logger {
  return logOn(1, process.stdout, level ?? 'info');
}

/**
 * The log of a command that an operator runs: nothing unless `LOG_LEVEL` is set, and then on standard error, beside
 * the command's own sentences. A full disk takes nothing of either, and holds up nobody.
 */
export function operatorLog(level: LogLevel | null): Logger {
  return logOn(2, process.stderr, level ?? 'silent');
}

function logOn(file: number, stream: NodeJS.WriteStream, level: LogLevel | 'silent'): Logger {
  const output = new LogOutput(file);
  process.once('exit', () => output.end());
  // What is printed for a person goes to the same file, which may be on a full disk. And where that is a pipe, opening
  // it here makes it one that does not block, without which a write would hold up the end of the process.
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
