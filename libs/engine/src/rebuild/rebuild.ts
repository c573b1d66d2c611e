import { setTimeout as pause } from 'node:timers/promises';
import type { Document, Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { STREAM_PREFIX } from '../households/household-stream.js';
import { HouseholdStreams } from '../households/household-streams.js';
import { readModelsOf, derived } from '../households/read-models.js';
import { loggedOf } from '../households/store-failures.js';
import {
  changeActiveVersion,
  everyCollectionOf,
  HEARTBEAT_LAPSES_MS,
  namesOf,
  ownSnapshotsOf,
  processesBehind,
  readActiveVersion,
  type ActiveVersion,
  type RebuildState,
  type VersionChange,
  BESIDE_FAILURES,
  noteBesideFailure,
} from '../versions/active-version.js';
import { HeldDocument, StandingDocuments } from '../households/standing-documents.js';
import type { BackgroundLog } from '../projector/background-log.js';
import { REBUILD_CHECKPOINTS, Replay } from './replay.js';
import { VerificationFailed, verifyHouseholds } from './verification.js';

/** A replay that has come so close to the end is finished by every process together. */
const CLOSE_TO_END_EVENTS = 512;
/** How often processes that have not confirmed are looked at again. */
const CONFIRMATION_POLL_MS = 200;
/** How often a long step looks whether it was cancelled. */
const ASKED_EVERY_MS = 1_000;

/** What a rebuild works with. */
export interface RebuildWorkplace {
  readonly store: EventStore;
  readonly documents: Documents;
  /** Whether other processes act on the same documents, so that they are waited for. */
  readonly shared: boolean;
  /** Makes this process act by a revision of the active version; resolves when nothing in it acts by an older one. */
  readonly confirm: (revision: number) => Promise<void>;
  readonly log: BackgroundLog;
  /** As of `HouseholdStreams`. */
  readonly onWritten?: (householdId: string) => void;
  /** As the parameter of `CatchUp`. */
  readonly bulkEventsMax?: number;
}

/** How far a rebuild is; the latest one stays after its end. */
export interface RebuildProgress extends Document {
  readonly id: string;
  /** The process that works on it. */
  readonly owner: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly phase: RebuildState['phase'];
  /** The version that it builds. */
  readonly version: number;
  /** Events that were applied. */
  readonly events: number;
  /** How much of the work that is by estimate, from 0 to 1; null where nothing can be said. */
  readonly fraction: number | null;
  /** Households that were compared with their events. */
  readonly verified: number;
  /** One sentence: why it failed, or what it waits for. */
  readonly message: string | null;
  /** ISO timestamps, UTC. */
  readonly startedAt: string;
  readonly updatedAt: string;
}

/** Another process took the rebuild over, or may have. */
export class RebuildTakenOver extends Error {
  override readonly name = 'RebuildTakenOver';
}

const PROGRESS_KEY = 'rebuild';

export const REBUILD_PROGRESS = derived<RebuildProgress>('read_model_progress');

/** @throws DocumentsUnavailable */
export function readProgress(documents: Documents): Promise<RebuildProgress | null> {
  return documents.get(REBUILD_PROGRESS, PROGRESS_KEY);
}

/** That this process works on the rebuild, and how far it is. What decides is the active version. */
export type RebuildLease = HeldDocument<RebuildProgress>;

/**
 * Takes over from the process that worked before.
 * @param former the progress as it was read
 * @returns null when another process was faster
 * @throws DocumentsUnavailable
 */
export async function takeRebuild(
  documents: Documents,
  former: RebuildProgress | null,
  { id, phase, version }: RebuildState,
  owner: string,
): Promise<RebuildLease | null> {
  const same = former?.id === id ? former : null;
  const now = (): string => new Date().toISOString();
  const progress: RebuildProgress = {
    key: PROGRESS_KEY,
    revision: (former?.revision ?? 0) + 1,
    id,
    owner,
    state: 'running',
    phase,
    version,
    events: same?.events ?? 0,
    fraction: same?.fraction ?? null,
    verified: same?.verified ?? 0,
    message: null,
    startedAt: same?.startedAt ?? now(),
    updatedAt: now(),
  };
  return HeldDocument.take(documents, REBUILD_PROGRESS, former, progress, () => ({ updatedAt: now() }));
}

/** Another process changed the active version while this one worked. */
class VersionMoved extends Error {
  override readonly name = 'VersionMoved';
}

/**
 * Builds a version of the read models beside the active one, compares it with the events, makes it active and drops the
 * former one. Each step may be repeated and is recorded with the active version, so any process can resume the work.
 */
export class Rebuild {
  private readonly standing = new StandingDocuments(HEARTBEAT_LAPSES_MS);
  private readonly builder: HouseholdStreams;
  private readonly replay: Replay;
  private readonly id: string;
  private askedAt = 0;

  constructor(
    private readonly place: RebuildWorkplace,
    private readonly lease: RebuildLease,
    private readonly stopping: AbortSignal,
  ) {
    const { store, documents, onWritten } = place;
    const { id, version } = lease.current;
    this.id = id;
    const snapshots = ownSnapshotsOf(version);
    this.builder = new HouseholdStreams(store, documents, readModelsOf(version), { snapshots, onWritten });
    this.replay = this.replayInto(this.builder);
  }

  /**
   * Works until it has ended and nothing is left to drop. Leaves rebuilds that are requested meanwhile to others.
   * @returns why the active version stayed, in one sentence; null if the new one took its place
   * @throws RebuildTakenOver, EventStoreUnavailable, DocumentsUnavailable: to be resumed later
   */
  async run(): Promise<string | null> {
    let failure: string | null = null;
    for (;;) {
      this.assertGoing();
      const version = await readActiveVersion(this.place.documents);
      if (version.ended?.id === this.id) ({ failure } = version.ended);
      if (version.dropping.length > 0) await this.drop(version);
      else if (version.rebuild?.id === this.id) await this.step(version, version.rebuild);
      else return failure;
    }
  }

  private async step(version: ActiveVersion, state: RebuildState): Promise<void> {
    const { documents, log } = this.place;
    this.lease.advance({ phase: state.phase, message: null });
    try {
      if (state.phase !== 'settling') await documents.ensure(everyCollectionOf(state.version));
      await this.carryOut(version, state);
    } catch (error) {
      // The next poll decides what to do.
      if (error instanceof VersionMoved) return;
      if (!(error instanceof VerificationFailed)) throw error;
      if (error.cause !== undefined) {
        log.error({ error: loggedOf(error.cause) }, 'read models could not be verified');
      }
      this.assertGoing();
      await changeActiveVersion(documents, version, cancelled(version, error.message));
    }
  }

  private carryOut(version: ActiveVersion, state: RebuildState): Promise<void> {
    switch (state.phase) {
      case 'replaying':
        return this.replayAll(version, state);
      case 'joining':
        return this.join(version, state);
      case 'verifying':
        return this.verifyAndSwitch(version, state);
      case 'settling':
        return this.settle(version, state);
    }
  }

  /** Applies the log while it grows, until nearly nothing is left. */
  private async replayAll(version: ActiveVersion, state: RebuildState): Promise<void> {
    while ((await this.replayUpToEnd()) > CLOSE_TO_END_EVENTS) this.assertGoing();
    await this.change(version, {
      beside: { version: state.version, complete: true },
      rebuild: { ...state, phase: 'joining' },
    });
  }

  /** Once every process writes the new version, the replay applies what was recorded before. */
  private async join(version: ActiveVersion, state: RebuildState): Promise<void> {
    await this.confirmed(version);
    await this.replayUpToEnd();
    await this.change(version, { rebuild: { ...state, phase: 'verifying' } });
  }

  /** From the switch on queries read the new version, and commands write the former one beside it. */
  private async verifyAndSwitch(version: ActiveVersion, state: RebuildState): Promise<void> {
    const { builder, replay } = this;
    const { store, documents } = this.place;
    const advanced = (verified: number): Promise<void> => this.advance({ verified });
    await verifyHouseholds({ store, documents, builder, replay, advanced });
    await this.change(version, {
      active: state.version,
      beside: { version: version.active, complete: true },
      rebuild: { ...state, phase: 'settling' },
    });
    this.place.log.info({ version: state.version }, 'switched the read models');
  }

  /** The former version is written until no process reads it any more. */
  private async settle(version: ActiveVersion, state: RebuildState): Promise<void> {
    await this.confirmed(version);
    const snapshots = namesOf(Object.values(ownSnapshotsOf(state.version)));
    const former = version.beside ? namesOf(everyCollectionOf(version.beside.version)) : [];
    await this.change(version, {
      beside: null,
      rebuild: null,
      ended: { id: state.id, failure: null },
      dropping: [...version.dropping, ...former, ...snapshots],
    });
    await this.place.documents.remove(REBUILD_CHECKPOINTS, this.id);
    await this.place.documents.removePrefix(BESIDE_FAILURES, '');
  }

  /** Drops what no process reads or writes: every process has looked since it was put on the list. */
  private async drop(version: ActiveVersion): Promise<void> {
    await this.confirmed(version);
    for (const name of version.dropping) {
      this.assertGoing();
      await this.place.documents.drop(name);
    }
    // A cancelled rebuild leaves its checkpoint. The running one drops before it begins.
    await this.place.documents.removePrefix(REBUILD_CHECKPOINTS, '');
    await changeActiveVersion(this.place.documents, version, { dropping: [] });
  }

  private replayInto(builder: HouseholdStreams): Replay {
    const { store, documents, shared, log, bulkEventsMax } = this.place;
    const { id, stopping: signal } = this;
    return new Replay(store, documents, builder, {
      id,
      shared,
      signal,
      bulkEventsMax,
      advanced: (events, fraction) => this.advance({ events, fraction }),
      onFailure: async (household, error) => {
        log.error({ household, error: loggedOf(error) }, 'cannot rebuild a household');
        await noteBesideFailure(documents, household);
      },
    });
  }

  private async replayUpToEnd(): Promise<number> {
    return this.replay.upTo(await this.place.store.head(STREAM_PREFIX));
  }

  /** Waits until every living process acts by this revision. One without a heartbeat for long serves nothing. */
  private async confirmed({ revision, rebuild }: ActiveVersion): Promise<void> {
    const { documents, confirm } = this.place;
    await confirm(revision);
    while (this.place.shared) {
      if (rebuild) await this.assertAsked(rebuild.id);
      else this.assertGoing();
      const behind = await processesBehind(documents, revision, this.standing);
      if (behind.length === 0) break;
      this.lease.advance({ message: `waiting for ${behind.slice(0, 5).join(', ')} to confirm` });
      await pause(CONFIRMATION_POLL_MS);
    }
    this.lease.advance({ message: null });
  }

  /** @throws VersionMoved */
  private async change(version: ActiveVersion, change: VersionChange): Promise<void> {
    this.assertGoing();
    if (!(await changeActiveVersion(this.place.documents, version, change))) {
      throw new VersionMoved('Another process changed the pending work.');
    }
  }

  /** Reports how far a long step is. @throws VersionMoved */
  private async advance(change: Partial<RebuildProgress>): Promise<void> {
    this.lease.advance(change);
    await this.assertAsked(this.id);
  }

  /** Looks now and then whether the rebuild was cancelled. @throws VersionMoved */
  private async assertAsked(id: string): Promise<void> {
    this.assertGoing();
    if (performance.now() - this.askedAt < ASKED_EVERY_MS) return;
    this.askedAt = performance.now();
    const { rebuild } = await readActiveVersion(this.place.documents);
    if (rebuild?.id !== id) throw new VersionMoved('The rebuild was cancelled.');
  }

  private assertGoing(): void {
    this.stopping.throwIfAborted();
    if (this.lease.isHeld()) return;
    throw new RebuildTakenOver('This process could not renew its lease on the rebuild.');
  }
}

/** How a rebuild ends before its version is active: what it has built is dropped. @param failure why, in one sentence */
export function cancelled({ rebuild, dropping }: ActiveVersion, failure: string): VersionChange {
  const { id, version } = rebuild!;
  return {
    beside: null,
    rebuild: null,
    ended: { id, failure },
    dropping: [...dropping, ...namesOf(everyCollectionOf(version))],
  };
}
