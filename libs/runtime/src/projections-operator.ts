import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PROJECTION_COLLECTIONS } from '#engine/projector/projection-collections';
import { PROJECTION_NAME } from '#engine/projector/projection-host';
import { ProgressWatch, RebuildTakenOver, type RebuildProgress } from '#engine/rebuild/rebuild-lease';
import {
  announce,
  RebuildRefused,
  workOff,
  type RebuildCommand,
  type WorkOutcome,
} from '#engine/rebuild/rebuild-work';
import { closeAll, type Closing } from './closing.js';
import { CommandWatch, GONE_MS, PROGRESS_POLL_MS, type OperatorOutcome } from './command-watch.js';
import type { Configuration } from './configuration.js';
import { DataDirectoryLock } from './data-directory-lock.js';
import { refuseUnfinishedRestore, requireLedger } from './data-files.js';
import { fieldsLast } from './log.js';
import { linesFrom, NO_RESPONSE, ServerUnresponsive } from './operator-client.js';
import { PROJECTIONS_PATH, socketPath } from './operator-socket.js';
import { processName } from './process-name.js';
import { hasEmbeddedStore, isSoleWriter, openLedgerStores } from './stores.js';

/** How long a server is given to listen: it may have just started, and what holds the directory may be a command. */
export const REACHED_MS_MAX = 10_000;

/** Who waits for a command. */
interface Operator {
  /** From here on it is gone on with, whatever becomes of this process. */
  readonly begun: () => void;
  /** Told how far it is, a few times a second. */
  readonly advanced: (progress: RebuildProgress) => void;
  /** Ends the waiting, and the work of this process after its step. */
  readonly signal: AbortSignal;
}

/**
 * Has a command about the read models done, wherever that may be: by the server that holds the data directory, or
 * by this process. A command whose process ended before its work is gone on with by the server or a projector, or
 * by the same command given again.
 * @throws the signal's reason, RebuildRefused, ServerUnresponsive, ConfigurationError, DatabaseRefused, EventStoreUnavailable, DocumentsUnavailable
 */
export async function operateProjections(
  configuration: Configuration,
  logger: Logger,
  command: RebuildCommand,
  operator: Operator,
): Promise<OperatorOutcome> {
  if (!hasEmbeddedStore(configuration)) return workHere(configuration, logger, command, null, operator);
  const { dataDirectory } = configuration;
  requireLedger(configuration);
  const free = DataDirectoryLock.takeIfFree(dataDirectory);
  const handed = free ? { lock: free, accepted: null } : await handOver(dataDirectory, command, operator);
  if ('outcome' in handed) return handed.outcome;
  const { lock, accepted } = handed;
  try {
    refuseUnfinishedRestore(dataDirectory);
    return await workHere(configuration, logger, command, accepted, operator);
  } finally {
    lock.release();
  }
}

/** How a command ended that was handed over, or what is needed to do it here if the directory is free. */
type HandedOver =
  | { readonly outcome: OperatorOutcome }
  /** `accepted`: the id under which it was begun elsewhere; null where it was not. */
  | { readonly lock: DataDirectoryLock; readonly accepted: string | null };

/**
 * The server that holds the data directory does it, as long as there is one. If it ends in the middle, another one is
 * waited for, which goes on with the work by itself.
 */
async function handOver(
  dataDirectory: string,
  command: RebuildCommand,
  { begun, advanced, signal }: Operator,
): Promise<HandedOver> {
  const path = socketPath(dataDirectory);
  let accepted: string | null = null;
  let aliveAt = performance.now();
  for (;;) {
    for await (const line of linesFrom(path, PROJECTIONS_PATH, { command, accepted }, signal)) {
      if ('refused' in line) throw new RebuildRefused(line.refused);
      if ('outcome' in line) return { outcome: line.outcome };
      if ('progress' in line) advanced(line.progress);
      if ('accepted' in line) {
        accepted = line.accepted;
        begun();
      }
      aliveAt = performance.now();
    }
    const silence = performance.now() - aliveAt;
    if (accepted === null || silence > GONE_MS) {
      const lock = DataDirectoryLock.takeIfFree(dataDirectory);
      if (lock) return { lock, accepted };
    }
    if (accepted === null && silence > REACHED_MS_MAX) throw new ServerUnresponsive(NO_RESPONSE);
    await pause(PROGRESS_POLL_MS, undefined, { signal });
  }
}

/** @param accepted the id under which the command was written down already; null where it was not */
async function workHere(
  configuration: Configuration,
  logger: Logger,
  command: RebuildCommand,
  accepted: string | null,
  { begun, advanced, signal }: Operator,
): Promise<OperatorOutcome> {
  const following = new AbortController();
  const closings: Closing[] = [];
  try {
    const { eventStore, documents } = await openLedgerStores(configuration, logger);
    closings.unshift(
      () => documents.close(),
      () => eventStore.close(),
    );
    await documents.ensure(PROJECTION_COLLECTIONS);
    const id = accepted ?? (await announce(documents, command));
    begun();
    const place = {
      store: eventStore,
      documents,
      shared: !isSoleWriter(configuration),
      confirm: async () => undefined,
      projectionName: PROJECTION_NAME,
      log: fieldsLast(logger),
    };
    const owner = processName();
    const watch = new ProgressWatch();
    const shown = follow(new CommandWatch(documents, id, command), advanced, following.signal);
    const end = new CommandWatch(documents, id, command);
    // Another process may be at it already; if that ends, this one goes on.
    for (;;) {
      const held = await isHeld(() => workOff(place, { owner, watch, signal, retryFailed: true }));
      const outcome = held ? null : await end.look(advanced);
      if (outcome) {
        following.abort();
        await shown;
        return outcome;
      }
      await pause(PROGRESS_POLL_MS, undefined, { signal });
    }
  } finally {
    following.abort();
    await closeAll(closings);
  }
}

/** Whether another process is at work, or took the work over. */
async function isHeld(work: () => Promise<WorkOutcome>): Promise<boolean> {
  try {
    return (await work()).kind === 'held';
  } catch (error) {
    if (error instanceof RebuildTakenOver) return true;
    throw error;
  }
}

async function follow(
  watch: CommandWatch,
  advanced: (progress: RebuildProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await watch.look(advanced).catch(() => null);
    await pause(PROGRESS_POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
