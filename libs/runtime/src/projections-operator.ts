import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Documents } from '#storage/documents/documents';
import { repeatedly } from '#concurrency/repeatedly';
import { StandingDocuments, TAKEN_OVER_MS } from '#engine/households/standing-documents';
import { PROJECTION_COLLECTIONS } from '#engine/projector/projection-collections';
import {
  readProgress,
  REBUILD_PROGRESS,
  RebuildTakenOver,
  type RebuildProgress,
} from '#engine/rebuild/rebuild';
import { ACTIVE_VERSION, readActiveVersion, type ActiveVersion } from '#engine/versions/active-version';
import { announce, workOff, type RebuildCommand, type WorkOutcome } from '#engine/rebuild/rebuild-work';
import { readConfiguration, type Configuration } from './configuration.js';
import { DataDirectoryLock } from './data-directory-lock.js';
import { refuseUnfinishedRestore, requireLedger } from './data-files.js';
import { operatorLog } from './log.js';
import { PROJECTIONS_PATH, reachServer } from './operator-socket.js';
import { processName } from './process-name.js';
import { hasEmbeddedStore, isSoleWriter, openLedgerStores } from './stores.js';

const PROGRESS_POLL_MS = 250;

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
 * Has a command about the read models done, by the server that holds the data directory or by this process. Where its
 * process ended before its work, the server, a projector or the same command given again goes on with it.
 * @throws the signal's reason, RebuildRefused, NotDoneByServer, ConfigurationError, DatabaseRefused,
 *   EventStoreUnavailable, DocumentsUnavailable
 */
export async function operateProjections(
  command: RebuildCommand,
  operator: Operator,
): Promise<OperatorOutcome> {
  const configuration = readConfiguration();
  const { dataDirectory } = configuration;
  const place = { configuration, logger: operatorLog(configuration.logLevel), command, operator };
  if (!hasEmbeddedStore(configuration)) return workHere(place, null);
  requireLedger(configuration);
  const reached = await reachServer(dataDirectory, PROJECTIONS_PATH, { command }, operator.signal);
  const id = reached instanceof DataDirectoryLock ? null : reached;
  const ended = reached instanceof DataDirectoryLock ? reached : await followServer(place, reached);
  if (!(ended instanceof DataDirectoryLock)) return ended;
  try {
    refuseUnfinishedRestore(dataDirectory);
    return await workHere(place, id);
  } finally {
    ended.release();
  }
}

/** A command, and where it is given. */
interface Operation {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly command: RebuildCommand;
  readonly operator: Operator;
}

/**
 * Follows the work of the server that holds the data directory, by what that writes. If the server ends, another one is
 * waited for, which goes on with the work by itself.
 * @returns how it ended, or the lock of the directory where the work has stood still and no process holds it
 */
async function followServer(
  { configuration, logger, command, operator: { begun, advanced, signal } }: Operation,
  id: string,
): Promise<OperatorOutcome | DataDirectoryLock> {
  begun();
  const stores = await openLedgerStores(configuration, logger, 'read');
  const { documents } = stores;
  try {
    await documents.ensure([ACTIVE_VERSION, REBUILD_PROGRESS]);
    const watch = new CommandWatch(documents, id, command);
    for (;;) {
      const outcome = await watch.look(advanced);
      if (outcome) return outcome;
      const lock = watch.standsStill() ? DataDirectoryLock.takeIfFree(configuration.dataDirectory) : null;
      if (lock) return lock;
      await pause(PROGRESS_POLL_MS, undefined, { signal });
    }
  } finally {
    await stores.close();
  }
}

/** @param accepted the id under which the command was written down already; null where it was not */
async function workHere(
  { configuration, logger, command, operator: { begun, advanced, signal } }: Operation,
  accepted: string | null,
): Promise<OperatorOutcome> {
  const stores = await openLedgerStores(configuration, logger);
  const { eventStore: store, documents } = stores;
  let endShowing: (() => void) | undefined;
  try {
    await documents.ensure(PROJECTION_COLLECTIONS);
    const id = accepted ?? (await announce(documents, command));
    begun();
    const shared = !isSoleWriter(configuration);
    const place = { store, documents, shared, confirm: async () => undefined, log: logger };
    const standing = new StandingDocuments(TAKEN_OVER_MS);
    const work = { owner: processName(), standing, signal, retryFailed: true };
    const watch = new CommandWatch(documents, id, command);
    endShowing = repeatedly(() => watch.look(advanced), PROGRESS_POLL_MS);
    // Another process may be at it already; if that ends, this one goes on.
    for (;;) {
      const held = await isHeld(() => workOff(place, work));
      const outcome = held ? null : await watch.look(advanced);
      if (outcome) return outcome;
      await pause(PROGRESS_POLL_MS, undefined, { signal });
    }
  } finally {
    endShowing?.();
    await stores.close();
  }
}

/** Whether another process is at work, or took the work over. */
async function isHeld(work: () => Promise<WorkOutcome>): Promise<boolean> {
  try {
    return (await work()) === 'held';
  } catch (error) {
    if (error instanceof RebuildTakenOver) return true;
    throw error;
  }
}

/**
 * No process works on a rebuild whose progress has not moved for this long. Longer than until another server would take
 * it over: a server that restarts after a crash resumes it, and could not start while this program does.
 */
const GONE_MS = 20_000;

export interface OperatorOutcome {
  readonly state: 'done' | 'failed';
  /** Why it failed, in one sentence. */
  readonly message: string | null;
  /** Null for a command without work of its own. */
  readonly progress: RebuildProgress | null;
}

const ENDED_UNREPORTED =
  'The process ended without reporting a result. `ledger projections status` shows the active version.';

/** Follows a recorded command: its progress, its end, and whether a process works on it. */
export class CommandWatch {
  private seen: { readonly revision: number; readonly at: number };

  constructor(
    private readonly documents: Documents,
    /** Under which the progress is reported. */
    private readonly id: string,
    private readonly command: RebuildCommand,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.seen = { revision: -1, at: now() };
  }

  /** @returns null as long as it goes on. @throws DocumentsUnavailable */
  async look(advanced: (progress: RebuildProgress) => void): Promise<OperatorOutcome | null> {
    const progress = await readProgress(this.documents);
    const version = await readActiveVersion(this.documents);
    const revision = (progress?.revision ?? 0) + version.revision;
    if (revision !== this.seen.revision) this.seen = { revision, at: this.now() };
    const isIdle = version.rebuild === null && version.dropping.length === 0;
    const own = progress?.id === this.id ? progress : null;
    if (own) advanced(own);
    if (own && own.state !== 'running') return { state: own.state, message: own.message, progress: own };
    const isOthers = version.rebuild !== null && version.rebuild.id !== this.id;
    if (!own) return isIdle || isOthers ? this.unreported(version, null) : null;
    // Its very last step reports the end.
    return isIdle && this.standsStill() ? this.unreported(version, own) : null;
  }

  /** Whether no process seems to be at work any more. */
  standsStill(): boolean {
    return this.now() - this.seen.at > GONE_MS;
  }

  /** The end of a command that no progress reports. */
  private unreported({ ended }: ActiveVersion, progress: RebuildProgress | null): OperatorOutcome {
    if (ended?.id === this.id) {
      return { state: ended.failure === null ? 'done' : 'failed', message: ended.failure, progress };
    }
    if (this.command === 'rebuild') return { state: 'failed', message: ENDED_UNREPORTED, progress };
    return { state: 'done', message: null, progress };
  }
}
