import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PROJECTION_NAME } from '#background/projection-host';
import {
  ProgressWatch,
  readProgress,
  RebuildTakenOver,
  type RebuildProgress,
} from '#background/rebuild/rebuild-lease';
import { RebuildRefused } from '#background/rebuild/rebuild-request';
import { announce, workOff, type Outcome, type RebuildCommand } from '#background/rebuild/rebuild-work';
import type { Documents } from '#documents/documents';
import { readPointer } from '#streams/generations/generation-pointer';
import { refuseUnfinishedRestore } from './backup/data-files.js';
import { CommandFiles } from './command-files.js';
import { ConfigurationError, type Configuration } from './configuration.js';
import { DataDirectoryLock, DataDirectoryTaken } from './data-directory-lock.js';
import { fieldsLast, isSoleWriter, SERVICE_COLLECTIONS } from './ledger-runtime.js';
import { hasEmbeddedStore, openDocuments, openEventStore } from './stores.js';

/** How often the progress is read. */
const PROGRESS_POLL_MS = 250;

/** How an operator's command ended. */
export interface OperatorOutcome {
  readonly state: 'done' | 'failed';
  /** Why it failed, in one sentence. */
  readonly message: string | null;
  /** Null for a command without work of its own. */
  readonly progress: RebuildProgress | null;
  /** Collections made as of a moment, where that was asked for. */
  readonly inspected: readonly string[];
}

/**
 * Has a command about the read models done, wherever that may be: by the server that holds the data directory, or
 * by this process. A command whose process ended before its work is gone on with by the server or a projector, or
 * by the same command given again.
 * @param advanced told how far it is, a few times a second
 * @throws RebuildRefused, NoAnswer, ConfigurationError, DatabaseRefused, EventStoreUnavailable, DocumentsUnavailable
 */
export async function operateProjections(
  configuration: Configuration,
  logger: Logger,
  command: RebuildCommand,
  advanced: (progress: RebuildProgress) => void,
): Promise<OperatorOutcome> {
  if (!hasEmbeddedStore(configuration)) return workHere(configuration, logger, command, advanced);
  const { dataDirectory } = configuration;
  if (!existsSync(dataDirectory)) {
    throw new ConfigurationError(
      `There is no data directory ${dataDirectory}; DATA_DIR must name the one of a server that has run.`,
    );
  }
  let lock: DataDirectoryLock;
  try {
    lock = DataDirectoryLock.take(dataDirectory);
  } catch (error) {
    if (error instanceof DataDirectoryTaken) return handOver(configuration, command, advanced);
    throw error;
  }
  try {
    refuseUnfinishedRestore(dataDirectory);
    return await workHere(configuration, logger, command, advanced);
  } finally {
    lock.release();
  }
}

/** The server that holds the data directory does it. */
async function handOver(
  configuration: Configuration,
  command: RebuildCommand,
  advanced: (progress: RebuildProgress) => void,
): Promise<OperatorOutcome> {
  const answer = await new CommandFiles(configuration.dataDirectory).send(command);
  if ('refused' in answer) throw new RebuildRefused(answer.refused);
  const documents = await openDocuments(configuration, 'read');
  try {
    await documents.ensure(SERVICE_COLLECTIONS);
    for (;;) {
      const outcome = await outcomeOf(documents, answer.accepted, advanced);
      if (outcome) return outcome;
      await pause(PROGRESS_POLL_MS);
    }
  } finally {
    await documents.close();
  }
}

async function workHere(
  configuration: Configuration,
  logger: Logger,
  command: RebuildCommand,
  advanced: (progress: RebuildProgress) => void,
): Promise<OperatorOutcome> {
  const eventStore = await openEventStore(configuration, logger);
  const documents = await openDocuments(configuration);
  const following = new AbortController();
  try {
    await documents.ensure(SERVICE_COLLECTIONS);
    const id = await announce(documents, command);
    const place = {
      store: eventStore,
      documents,
      shared: !isSoleWriter(configuration),
      confirm: async () => undefined,
      projectionName: PROJECTION_NAME,
      log: fieldsLast(logger),
    };
    const owner = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
    const watch = new ProgressWatch();
    const shown = follow(documents, id, advanced, following.signal);
    // Another process may be at it already; if that ends, this one goes on.
    for (;;) {
      const held = await isHeld(() =>
        workOff(place, { owner, watch, signal: following.signal, retryFailed: true }),
      );
      const outcome = held ? null : await outcomeOf(documents, id, advanced);
      if (outcome) {
        following.abort();
        await shown;
        return outcome;
      }
      await pause(PROGRESS_POLL_MS);
    }
  } finally {
    following.abort();
    await documents.close();
    await eventStore.close();
  }
}

/** Whether another process is at work, or took the work over. */
async function isHeld(work: () => Promise<Outcome>): Promise<boolean> {
  try {
    return (await work()).kind === 'held';
  } catch (error) {
    if (error instanceof RebuildTakenOver) return true;
    throw error;
  }
}

async function follow(
  documents: Documents,
  id: string,
  advanced: (progress: RebuildProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await outcomeOf(documents, id, advanced).catch(() => null);
    await pause(PROGRESS_POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** @returns null as long as it goes on */
async function outcomeOf(
  documents: Documents,
  id: string,
  advanced: (progress: RebuildProgress) => void,
): Promise<OperatorOutcome | null> {
  const progress = await readProgress(documents);
  const { rebuild, dropping, inspected } = await readPointer(documents);
  const names = inspected ? [...new Set(Object.values(inspected.generations))].map(n => `*_g${n}`) : [];
  if (progress?.id === id) {
    advanced(progress);
    if (progress.state === 'running') return null;
    return { state: progress.state, message: progress.message, progress, inspected: names };
  }
  // A command without a rebuild, or another rebuild has begun since.
  if (rebuild?.id === id || (rebuild === null && dropping.length > 0)) return null;
  return { state: 'done', message: null, progress: null, inspected: names };
}
