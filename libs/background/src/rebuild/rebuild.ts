import { setTimeout as pause } from 'node:timers/promises';
import type { Documents } from '#documents/documents';
import type { EventStore } from '#event-store/event-store';
import { STREAM_PREFIX, streamOf } from '#streams/household-stream';
import {
  changePointer,
  readPointer,
  type GenerationPointer,
  type PointerChange,
  type RebuildState,
  type WrittenBeside,
} from '#streams/generations/generation-pointer';
import { BESIDE_FAILURES, noteBesideFailure } from '#streams/generations/beside-failures';
import { PresenceObserver } from '#streams/generations/presences';
import { HouseholdStreams } from '#streams/household-streams';
import { PastHouseholds } from '#streams/past-households';
import {
  collectionsOf,
  collectionsOnlyIn,
  DOCUMENT_NAMES,
  readModelsOf,
  type Generations,
} from '#streams/read-models';
import { loggedOf } from '#streams/store-failures';
import { ProjectionHost } from '../projection-host.js';
import { StoredFailures } from '../stored-failures.js';
import { storedPositions } from '../stored-progress.js';
import type { BackgroundLog } from '../background-log.js';
import { writeMixedHeads } from './mixed-heads.js';
import { mendHousehold } from './household-mending.js';
import type { RebuildLease } from './rebuild-lease.js';
import { givenUp, ownSnapshots, replacedBy, snapshotNames, writtenBy } from './rebuild-request.js';
import { REBUILD_CHECKPOINTS, Replay } from './replay.js';
import { VerificationFailed, verifyHouseholds } from './verification.js';

/** A replay that has come so close to the end is finished by every process together. */
const CLOSE_TO_END_EVENTS = 512;
/** How often processes that have not confirmed are looked at again. */
const CONFIRMATION_POLL_MS = 200;
/** How often a long step looks whether it is still wanted. */
const ASKED_EVERY_MS = 1_000;
/** Households whose last revision to apply is remembered while a past moment is built. */
const MOMENTS_MAX = 50_000;

/** What a rebuild works with. */
export interface RebuildWorkplace {
  readonly store: EventStore;
  readonly documents: Documents;
  /** Whether other processes act on the same documents, so that they are waited for. */
  readonly shared: boolean;
  /**
   * Makes this process act by the pointer and resolves when nothing in it acts by an older one; for a process
   * that serves nothing, at once.
   */
  readonly confirm: (revision: number) => Promise<void>;
  /** The name of the projections' checkpoints. */
  readonly projectionName: string;
  readonly log: BackgroundLog;
  /** As the parameter of `RunAhead`. */
  readonly madeEventsMax?: number;
}

/** The pointer was changed by another process while this one worked. */
class PointerMoved extends Error {
  override readonly name = 'PointerMoved';
}

/**
 * Carries out what the pointer says is to be done: builds read models beside the live ones, verifies them, makes
 * them live, and drops what is not needed any more. Every step may be done again and stands in the pointer, so
 * that whoever comes next goes on where this process ended.
 */
export class Rebuild {
  private readonly observer: PresenceObserver;
  private replay: Replay | null = null;
  private builder: HouseholdStreams | null = null;
  private failure: string | null = null;
  private readonly moments = new Map<string, number>();
  private askedAt = 0;

  constructor(
    private readonly place: RebuildWorkplace,
    private readonly lease: RebuildLease,
    private readonly stopping: AbortSignal,
  ) {
    this.observer = new PresenceObserver(place.documents);
  }

  /**
   * Works until it has ended and nothing is left to drop. What is asked for meanwhile is another's.
   * @returns why it was given up, in one sentence: the live read models stay then. Null where it was carried out
   * @throws RebuildTakenOver, EventStoreUnavailable, DocumentsUnavailable: to be gone on with later
   */
  async run(): Promise<string | null> {
    const { id } = this.lease.current;
    for (;;) {
      this.assertGoing();
      const pointer = await readPointer(this.place.documents);
      if (pointer.ended?.id === id) this.failure = pointer.ended.failure;
      if (pointer.dropping.length > 0) await this.drop(pointer);
      else if (pointer.rebuild?.id === id) await this.step(pointer, pointer.rebuild);
      else return this.failure;
    }
  }

  private async step(pointer: GenerationPointer, state: RebuildState): Promise<void> {
    this.lease.advance({ phase: state.phase, message: null });
    try {
      await this.carryOut(pointer, state);
    } catch (error) {
      this.builder = null;
      this.replay = null;
      // The next look tells what it is to be instead.
      if (error instanceof PointerMoved) return;
      if (!(error instanceof VerificationFailed)) throw error;
      if (error.cause !== undefined) {
        this.place.log.error('read models could not be verified', { error: loggedOf(error.cause) });
      }
      this.assertGoing();
      const given = await changePointer(this.place.documents, pointer, givenUp(pointer, error.message));
      // By the next look another one may have ended.
      if (given) this.failure = error.message;
    }
  }

  private async carryOut(pointer: GenerationPointer, state: RebuildState): Promise<void> {
    switch (state.phase) {
      case 'replaying':
        return this.replayAll(pointer, state);
      case 'joining':
        return this.join(pointer, state);
      case 'verifying':
        return this.verifyAndSwitch(pointer, state);
      case 'settling':
        return this.settle(pointer, state);
      case 'mending':
        return this.mend(pointer, state);
      case 'returning':
        return this.comeBack(pointer, state);
    }
  }

  /** Applies the log while it grows, until nearly nothing is left. */
  private async replayAll(pointer: GenerationPointer, state: RebuildState): Promise<void> {
    await this.prepare(state);
    // Commands begin to write what is near enough as soon as their processes look.
    if (state.to === null) void this.place.confirm(pointer.revision).catch(() => undefined);
    if (state.household !== null) await this.replayHousehold(state, state.household);
    else {
      while ((await this.replayUpToEnd(state)) > CLOSE_TO_END_EVENTS) this.assertGoing();
    }
    if (state.to !== null) return this.finishInspection(pointer, state);
    await this.change(pointer, {
      beside: { ...pointer.beside!, complete: true },
      rebuild: { ...state, phase: 'joining' },
    });
  }

  /**
   * Once every process writes the new set, whatever is recorded later is written there by the command itself; the
   * replay applies what was recorded before.
   */
  private async join(pointer: GenerationPointer, state: RebuildState): Promise<void> {
    await this.confirmed(pointer);
    const reflected = await this.reflectedByLive();
    if (state.household !== null) await this.replayHousehold(state, state.household);
    else await this.replayUpToEnd(state);
    await this.change(pointer, { rebuild: { ...state, phase: 'verifying', reflected } });
  }

  private async verifyAndSwitch(pointer: GenerationPointer, state: RebuildState): Promise<void> {
    // What was live is gone back to as it was, right or wrong.
    if (state.kind === 'rebuild') await this.verifyAll(state);
    if (state.household === null) await this.makeLive(pointer, state);
    else await this.divert(pointer, state, state.household);
  }

  /** The new set is read from now on, and what was live is written beside it. */
  private async makeLive(pointer: GenerationPointer, state: RebuildState): Promise<void> {
    const { live } = pointer;
    if (state.projection !== null) await writeMixedHeads(this.place.documents, live, state);
    await this.change(pointer, {
      live: state.becomes,
      beside: { ...completeSet(live), household: null },
      rebuild: { ...state, phase: 'settling' },
    });
    this.place.log.info('switched the live read models', { pointer: pointer.revision + 1 });
  }

  /** One household alone is read from the new set, while its documents in the live one are mended. */
  private async divert(pointer: GenerationPointer, state: RebuildState, household: string): Promise<void> {
    await this.change(pointer, {
      diverted: { household, generations: state.builds },
      beside: { ...completeSet(pointer.live), household },
      rebuild: { ...state, phase: 'mending' },
    });
  }

  /** The former set is written until nobody reads it any more. */
  private async settle(pointer: GenerationPointer, state: RebuildState): Promise<void> {
    await this.confirmed(pointer);
    const former = pointer.beside!.generations;
    await this.finish(pointer, state, {
      beside: null,
      previous: { generations: former, position: state.reflected, since: new Date().toISOString() },
    });
  }

  private async mend(pointer: GenerationPointer, state: RebuildState): Promise<void> {
    await this.confirmed(pointer);
    const { store, documents } = this.place;
    const models = readModelsOf(pointer.live);
    // An operator's process serves nothing, so nothing else made it know the live ones.
    await documents.ensure(collectionsOf(models));
    await mendHousehold(store, documents, models, state.household!);
    await this.change(pointer, {
      diverted: null,
      beside: { ...completeSet(state.builds), household: state.household },
      rebuild: { ...state, phase: 'returning' },
    });
  }

  private async comeBack(pointer: GenerationPointer, state: RebuildState): Promise<void> {
    await this.confirmed(pointer);
    await this.finish(pointer, state, { beside: null });
  }

  private async finishInspection(pointer: GenerationPointer, state: RebuildState): Promise<void> {
    await this.verifyAll(state);
    await this.finish(pointer, state, {
      inspected: { generations: state.builds, to: state.to!, household: state.household },
    });
  }

  private async finish(
    pointer: GenerationPointer,
    state: RebuildState,
    change: PointerChange,
  ): Promise<void> {
    const kept = change.inspected ? state.builds : state.becomes;
    await this.change(pointer, {
      ...change,
      rebuild: null,
      ended: { id: state.id, failure: null },
      dropping: [...pointer.dropping, ...collectionsOnlyIn(state.builds, kept), ...snapshotNames(state)],
    });
    await this.place.documents.remove(REBUILD_CHECKPOINTS, state.id);
    await this.place.documents.removePrefix(BESIDE_FAILURES, '');
  }

  /** Drops what nobody reads or writes: every process has looked since it was put on the list. */
  private async drop(pointer: GenerationPointer): Promise<void> {
    await this.confirmed(pointer);
    for (const name of pointer.dropping) {
      this.assertGoing();
      await this.place.documents.drop(name);
    }
    // Those of what was given up are left, too: what is under way has dropped this before it began.
    await this.place.documents.removePrefix(REBUILD_CHECKPOINTS, '');
    await changePointer(this.place.documents, pointer, { dropping: [] });
  }

  private async verifyAll(state: RebuildState): Promise<void> {
    const { store, documents, projectionName } = this.place;
    const builder = await this.prepare(state);
    await verifyHouseholds({
      store,
      documents,
      names: replacedBy(state) ?? DOCUMENT_NAMES,
      builder,
      replay: this.replayOf(state, builder),
      isTolerated: async householdId =>
        (await documents.get(ProjectionHost.failures, StoredFailures.keyOf(projectionName, householdId))) !==
        null,
      advanced: async verified => {
        this.lease.advance({ verified });
        await this.assertAsked(state);
      },
    });
  }

  private async replayHousehold(state: RebuildState, householdId: string): Promise<void> {
    const builder = await this.prepare(state);
    if (state.to === null) await builder.catchUp(householdId);
    else await this.replayUntil(builder, householdId, await this.lastAt(state.to, householdId));
    const revision = builder.knownRevision(householdId);
    if (revision < 0) return;
    // Always from the first one on, however often it was interrupted.
    this.lease.advance({ events: revision + 1 });
    await this.place.documents.put(builder.models.heads, [{ key: householdId, revision }]);
  }

  private async replayUntil(builder: HouseholdStreams, householdId: string, revision: number): Promise<void> {
    const from = (await builder.reflectedRevision(householdId)) + 1;
    if (from > revision) return;
    const range = { from, limit: revision - from + 1 };
    for await (const page of this.place.store.readStream(streamOf(householdId), range)) {
      this.assertGoing();
      if (page.length > 0) await builder.observe(householdId, page);
    }
  }

  /** Opens the set that is built. */
  private async prepare(state: RebuildState): Promise<HouseholdStreams> {
    if (this.builder) return this.builder;
    const { store, documents } = this.place;
    const models = readModelsOf(state.builds, writtenBy(state));
    const snapshots = ownSnapshots(state);
    await documents.ensure([...collectionsOf(models), ...Object.values(snapshots ?? {})]);
    this.builder = new HouseholdStreams(store, documents, models, { snapshots });
    return this.builder;
  }

  private replayOf(state: RebuildState, builder: HouseholdStreams): Replay {
    const { store, documents, shared, log, madeEventsMax } = this.place;
    const { to } = state;
    this.replay ??= new Replay(store, documents, builder, {
      id: state.id,
      shared,
      signal: this.stopping,
      madeEventsMax,
      after: state.after,
      ...(to !== null && { revisionMax: householdId => this.lastAt(to, householdId) }),
      advanced: async (events, fraction) => {
        this.lease.advance({ events, fraction });
        await this.assertAsked(state);
      },
      onFailure: async (household, error) => {
        log.error('cannot rebuild a household', { household, error: loggedOf(error) });
        await noteBesideFailure(documents, household);
      },
    });
    return this.replay;
  }

  private async replayUpToEnd(state: RebuildState): Promise<number> {
    const end = await this.place.store.head(STREAM_PREFIX);
    return this.replayOf(state, await this.prepare(state)).upTo(end);
  }

  /** The last revision of a household at a moment. */
  private async lastAt(moment: string, householdId: string): Promise<number> {
    const known = this.moments.get(householdId);
    if (known !== undefined) return known;
    const { store, documents } = this.place;
    const revision = await new PastHouseholds(store, documents).revisionAt(householdId, moment);
    if (this.moments.size >= MOMENTS_MAX) this.moments.clear();
    this.moments.set(householdId, revision);
    return revision;
  }

  /** Everything up to here is surely in the live set: the projections handled it. Null where that is not known. */
  private async reflectedByLive(): Promise<string | null> {
    const { documents, projectionName } = this.place;
    return (await storedPositions(documents, projectionName)).sort()[0] || null;
  }

  /** Waits until every process that is there acts by the pointer. One that is not there for long serves nothing. */
  private async confirmed(pointer: GenerationPointer): Promise<void> {
    await this.place.confirm(pointer.revision);
    while (this.place.shared) {
      if (pointer.rebuild) await this.assertAsked(pointer.rebuild);
      else this.assertGoing();
      const behind = await this.observer.behind(pointer.revision);
      if (behind.length === 0) break;
      this.lease.advance({ message: `waiting for ${behind.slice(0, 5).join(', ')} to confirm` });
      await pause(CONFIRMATION_POLL_MS);
    }
    this.lease.advance({ message: null });
  }

  /** @throws PointerMoved */
  private async change(pointer: GenerationPointer, change: PointerChange): Promise<void> {
    this.assertGoing();
    if (!(await changePointer(this.place.documents, pointer, change))) {
      throw new PointerMoved('Another process changed the pending work.');
    }
  }

  /** Looks now and then whether the rebuild was given up. @throws PointerMoved */
  private async assertAsked(state: RebuildState): Promise<void> {
    this.assertGoing();
    if (performance.now() - this.askedAt < ASKED_EVERY_MS) return;
    this.askedAt = performance.now();
    const { rebuild } = await readPointer(this.place.documents);
    if (rebuild?.id !== state.id) throw new PointerMoved('The rebuild was cancelled.');
  }

  private assertGoing(): void {
    this.stopping.throwIfAborted();
    this.lease.assertHeld();
  }
}

/** A set that has everything, and is written as it stands. */
function completeSet(generations: Generations): Omit<WrittenBeside, 'household'> {
  return { generations, written: null, snapshots: null, complete: true };
}
