// A program that runs until it gets a signal; its argument says how its server stops then.
import { serverLog } from './log.js';
import { stopOnSignals } from './serve.js';

const STOPS: Readonly<Record<string, () => Promise<void>>> = {
  stops: () => Promise.resolve(),
  fails: () => Promise.reject(new Error('the disk is gone')),
  hangs: () => new Promise(() => undefined),
};
const STOP_MS_MAX = 50;

const logger = serverLog('info');
stopOnSignals({ stop: STOPS[process.argv[2]!]! }, logger, STOP_MS_MAX);
// What a server that listens does: it keeps the process alive.
setInterval(() => undefined, 1_000);
logger.info('listening');
