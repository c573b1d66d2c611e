import type { Collection, Document, Documents } from '#documents/documents';
import { IdempotencyConflict } from '#documents/idempotency-keys';
import type { EventStore, RecordedEvent } from '#event-store/event-store';
import type { Command } from '#ledger/commands';
import type { DecodedEvent } from '#ledger/event-codec';
import type { Household } from '#ledger/household';
import type { Advance, Advanced } from './advance.js';
import { CommandDecisions } from './command-decisions.js';
import type { CommandEnvelope } from './command-envelope.js';
import { ConflictAfterRetries, type Precondition } from './command-failures.js';
import { Contention } from './contention.js';
import type { Executed } from './executed.js';
import { isStoreDown } from './store-failures.js';
import { readAtMost } from './household-stream.js';
import { KnownHouseholds, type KnownHouseholdsOptions } from './known-households.js';
import { Lanes } from './lanes.js';
import type { ReadModels } from './read-models.js';

/** How often a command is decided at most, where others come first. */
const DECISIONS_MAX = 10;

/** What `advance` applies at once may weigh little more. */
const ADVANCE_WEIGHT_MAX = 8 * 1024 * 1024;

/**
 * The one way in which streams of households are read, folded, decided upon, appended to and applied to the
 * read models: by commands, by the projection host, and after a crash. One thing at a time is done with a household.
 *
 * Before anything is decided, the documents reflect every event up to the revision at which the command will
 * append; so a decision may rely on them, and whole documents guarded by revision cannot lose a change.
 */
export class HouseholdStreams {
  private readonly lanes = new Lanes();
  private readonly contention = new Contention();
  private readonly households: KnownHouseholds;
  private readonly decisions: CommandDecisions;

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    /** The generation of read models that is written, and that queries read. */
    readonly models: ReadModels,
    options: KnownHouseholdsOptions = {},
  ) {
    this.households = new KnownHouseholds(store, documents, models, options);
    this.decisions = new CommandDecisions(store, documents, models, this.households);
  }

  /** Every collection that this class uses, for `Documents.ensure`. */
  static collections(models: ReadModels): readonly Collection<Document>[] {
    return KnownHouseholds.collections(models);
  }

  /** Those of them that belong to no set of read models. */
  static readonly sharedCollections = KnownHouseholds.sharedCollections;

  /**
   * Decides a command and records what it makes.
   *
   * @param precondition holds of the very state that is decided on; a command that its key repeats needs none
   * @throws Refusal when a rule forbids it; nothing is recorded
   * @throws PreconditionFailed when the precondition does not hold; nothing is recorded
   * @throws IdempotencyConflict when the key was used for another command
   * @throws ConflictAfterRetries after `DECISIONS_MAX` decisions of which others came first
   * @throws UnknownEvent when the stream holds what this version does not know, LogEndsEarly when it is cut short
   * @throws EventStoreUnavailable, DocumentsUnavailable, LaneFull: recorded wholly or not at all; a retry of a
   *   creation by id, or with an `Idempotency-Key`, finds out
   */
  execute(
    householdId: string,
    command: Command,
    envelope: CommandEnvelope,
    precondition?: Precondition,
  ): Promise<Executed> {
    return this.lanes.run(householdId, async () => {
      try {
        return await this.decided(householdId, command, envelope, precondition);
      } catch (error) {
        // Another command's key is left alone: it is not reserved for this one.
        const isReserved = !isStoreDown(error) && !(error instanceof IdempotencyConflict);
        if (isReserved) await this.decisions.release(householdId, envelope);
        throw error;
      }
    });
  }

  private async decided(
    householdId: string,
    command: Command,
    envelope: CommandEnvelope,
    precondition?: Precondition,
  ): Promise<Executed> {
    if (this.contention.wasLostLately(householdId)) await this.contention.giveWay();
    for (let attempt = 0; attempt < DECISIONS_MAX; attempt++) {
      const begun = performance.now();
      const known = await this.households.current(householdId);
      const executed = await this.decisions.attempt(householdId, known, command, envelope, precondition);
      if (executed === 'outdated') continue;
      if (executed !== 'overtaken') return executed;
      const tookMs = performance.now() - begun;
      if (attempt + 1 < DECISIONS_MAX) await this.contention.waitAfterRace(householdId, attempt, tookMs);
      // Where nothing came first, what this process knows is not the stream's past: all is read.
      if (!(await this.households.refresh(householdId, known))) this.forget(householdId);
    }
    throw new ConflictAfterRetries('Somebody else changed the household at the same time. Try again.');
  }

  /** The household as this process knows it, with the documents reflecting it. @throws as `execute` */
  load(householdId: string): Promise<Household> {
    return this.lanes.run(householdId, async () => (await this.households.current(householdId)).household);
  }

  /** Brings the documents up to the present end of the stream. @throws as `execute` */
  catchUp(householdId: string): Promise<Household> {
    return this.lanes.run(householdId, async () => {
      await this.refresh(householdId);
      return (await this.households.current(householdId)).household;
    });
  }

  /**
   * Applies events that a subscription delivered; those that the documents reflect already change nothing.
   * @param events of one household, in order; where earlier ones are missing here, they are read
   * @throws as `execute`
   */
  observe(householdId: string, events: readonly RecordedEvent[]): Promise<void> {
    return this.project(householdId, async () => {
      const known = await this.households.current(householdId, events[0]?.revision);
      const fresh = events.filter(event => event.revision > known.household.revision);
      if (fresh.length === 0) return;
      if (fresh[0]!.revision === known.household.revision + 1) {
        await this.households.apply(householdId, known, fresh);
      } else {
        await this.households.refresh(householdId, known);
      }
    });
  }

  /**
   * Applies the next events of a stream in one go: some more, so that a document which they change often is written
   * once, and the writes of one household come together.
   * @throws as `execute`
   */
  advance(
    householdId: string,
    { from, upTo = Infinity, eventsMax, madeEventsMax = 0, isStopped = () => false }: Advance,
  ): Promise<Advanced> {
    return this.project(householdId, async () => {
      const making = { from, upTo, eventsMax: madeEventsMax, isStopped };
      const made = await this.households.make(householdId, making);
      if (made) return made;
      const known = await this.households.current(householdId, from);
      const { revision } = known.household;
      const limit = Math.min(eventsMax, upTo - revision);
      const { events, isHeavy } = await readAtMost(
        this.store,
        householdId,
        revision + 1,
        limit,
        ADVANCE_WEIGHT_MAX,
      );
      if (events.length > 0) await this.households.apply(householdId, known, events);
      // Else the next step might find its snapshots under way, and leave out its own.
      await this.households.snapshotsEnded(householdId);
      const isCut = events.length === eventsMax || isHeavy;
      return { events: events.length, revision: revision + events.length, isEnd: !isCut };
    });
  }

  /**
   * Brings the documents up to a revision, where they are not there yet.
   * @param events some of those up to it, in order; what is missing is read
   * @throws as `execute`
   */
  async reach(
    householdId: string,
    revision: number,
    events: readonly (RecordedEvent | DecodedEvent)[] = [],
  ): Promise<void> {
    if (this.reflects(householdId, revision)) return;
    await this.lanes.run(householdId, async () => {
      const known = await this.households.current(householdId);
      const fresh = events.filter(event => event.revision > known.household.revision);
      if (fresh[0]?.revision === known.household.revision + 1) {
        await this.households.apply(householdId, known, fresh);
      }
      if (!this.reflects(householdId, revision)) await this.refresh(householdId);
    });
  }

  /** Up to which revision the documents reflect a household, as far as this process knows; -1 where it does not. */
  knownRevision(householdId: string): number {
    return this.households.revisionInMemory(householdId);
  }

  /** As `knownRevision`, or as the stored head says. @throws DocumentsUnavailable */
  async reflectedRevision(householdId: string): Promise<number> {
    const known = this.knownRevision(householdId);
    return known >= 0 ? known : ((await this.documents.get(this.models.heads, householdId))?.revision ?? -1);
  }

  /** The household in memory, as the documents reflect it; null where it is not there. */
  known(householdId: string): Household | null {
    return this.households.inMemory(householdId)?.household ?? null;
  }

  /** Whether this process knows that the documents reflect the household up to a revision. */
  reflects(householdId: string, revision: number): boolean {
    return this.knownRevision(householdId) >= revision;
  }

  /** Forgets what is in memory, so that it is read again. */
  forget(householdId: string): void {
    this.households.forget(householdId);
  }

  /** The households in memory, and what they take there by estimate. */
  cacheSize(): { readonly households: number; readonly bytes: number } {
    return this.households.size();
  }

  /** Waits for running commands and writes the heads, so that the next start has nothing to apply again. */
  async settle(): Promise<void> {
    await this.lanes.idle();
    await this.households.writeHeads();
  }

  /** Has a place behind any number of commands: a household that is flooded must not hold up the projection of others. */
  private project<T>(householdId: string, work: () => Promise<T>): Promise<T> {
    return this.lanes.run(householdId, work, Infinity);
  }

  private async refresh(householdId: string): Promise<void> {
    await this.households.refresh(householdId, await this.households.current(householdId));
  }
}
