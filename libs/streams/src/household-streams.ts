import type { Collection, Document, Documents } from '#documents/documents';
import {
  WrongExpectedRevision,
  type EventStore,
  type JsonObject,
  type RecordedEvent,
} from '#event-store/event-store';
import type { Command } from '#ledger/commands';
import { decide, outcomeOf, type Facts, type Outcome } from '#ledger/decide';
import { decodeEvent, type DecodedEvent } from '#ledger/event-codec';
import { evolve } from '#ledger/evolve';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import type { TransactionRecord } from '#ledger/transaction-record';
import { neededTransactions, projectHousehold } from '#projections/household-documents';
import { addRecords, transactionKey } from '#projections/transaction-document';
import type { Advance, Advanced } from './advance.js';
import { ConflictAfterRetries, PreconditionFailed, type Precondition } from './command-failures.js';
import { CommandFacts } from './command-facts.js';
import { DueSnapshots, statesAlong } from './due-snapshots.js';
import { notBefore, type CommandEnvelope } from './command-envelope.js';
import { chained, endAt, recordedEvents } from './event-chain.js';
import { streamOf } from './household-stream.js';
import { weightOf } from './event-weight.js';
import { HouseholdMaking, type Making } from './household-making.js';
import { IdempotencyKeys, type RecordedCommand } from './idempotency-keys.js';
import { unchanged, type Applied, type Decided, type Executed } from './executed.js';
import { HouseholdVersions } from './household-versions.js';
import { Lanes } from './lanes.js';
import { collectionsOf, writeHouseholdDocuments, type ReadModels } from './read-models.js';
import { Snapshots, type SnapshotCollections } from './snapshots.js';
import { StateCache, type KnownHousehold } from './state-cache.js';
import { waitAfterRace } from './lost-race.js';
import { isUnavailable } from './store-failures.js';
import { presentMonth } from '#projections/month-document';

/** How often a command is decided again after another one came first. */
const DECISIONS_MAX = 5;

/** The stored head is written when it lags by this many events; it only bounds how much is applied again. */
const HEAD_LAG_MAX = 64;

/** What `advance` applies at once may weigh little more. */
const ADVANCE_WEIGHT_MAX = 8 * 1024 * 1024;

/**
 * Why a command is to be decided again. `outdated`: on what it was decided, the stream had moved on, and that is read
 * by now; `overtaken`: another append came first, and is to be read.
 */
type Undecided = 'outdated' | 'overtaken';

interface HouseholdStreamsOptions {
  /** One of its own by default. */
  readonly cache?: StateCache;
  /** Where snapshots are kept; those of the live set by default. */
  readonly snapshots?: SnapshotCollections | undefined;
  /** Told when a snapshot could not be made; commands go on without it. */
  readonly onSnapshotFailure?: ((householdId: string, error: unknown) => void) | undefined;
}

/**
 * The one way in which streams of households are read, folded, decided upon, appended to and applied to the
 * read models: by commands, by the projection host, and after a crash.
 *
 * Before anything is decided, the documents reflect every event up to the revision at which the command will
 * append; so a decision may rely on them, and whole documents guarded by revision cannot lose a change.
 */
export class HouseholdStreams {
  /** Of the documents, as far as this process writes them. */
  readonly versions = new HouseholdVersions();
  private readonly cache: StateCache;
  private readonly lanes = new Lanes();
  private readonly snapshots: Snapshots;
  private readonly idempotencyKeys: IdempotencyKeys;
  private readonly dueSnapshots: DueSnapshots;
  private readonly facts: CommandFacts;
  private readonly making: HouseholdMaking;

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    /** The generation of read models that is written, and that queries read. */
    readonly models: ReadModels,
    {
      cache = new StateCache(),
      snapshots,
      onSnapshotFailure = () => undefined,
    }: HouseholdStreamsOptions = {},
  ) {
    this.cache = cache;
    this.snapshots = new Snapshots(documents, snapshots);
    this.dueSnapshots = new DueSnapshots(this.snapshots, cache, onSnapshotFailure);
    this.idempotencyKeys = new IdempotencyKeys(documents);
    this.facts = new CommandFacts(store, documents, models);
    this.making = new HouseholdMaking(
      store,
      documents,
      models,
      this.idempotencyKeys,
      this.snapshots.areOfPast,
    );
  }

  /** Every collection that this class uses, for `Documents.ensure`. */
  static collections(models: ReadModels): readonly Collection<Document>[] {
    return [...collectionsOf(models), ...HouseholdStreams.sharedCollections];
  }

  /** Those of them that belong to no set of read models. */
  static readonly sharedCollections: readonly Collection<Document>[] = [
    ...Snapshots.collections,
    IdempotencyKeys.collection,
  ];

  /**
   * Decides a command and records what it makes.
   *
   * @param precondition holds of the very state that is decided on; a command that its key repeats needs none
   * @throws Refusal when a rule forbids it; nothing is recorded
   * @throws PreconditionFailed when the precondition does not hold; nothing is recorded
   * @throws IdempotencyConflict when the key was used for another command
   * @throws ConflictAfterRetries after `DECISIONS_MAX` lost races
   * @throws UnknownEvent when the stream holds what this version does not know
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
      for (let attempt = 0; attempt < DECISIONS_MAX; attempt++) {
        const begun = performance.now();
        const known = await this.current(householdId);
        const executed = await this.attempt(householdId, known, command, envelope, precondition);
        if (executed === 'outdated') continue;
        if (executed !== 'overtaken') return executed;
        if (attempt + 1 < DECISIONS_MAX) await waitAfterRace(attempt, performance.now() - begun);
        await this.lookAgain(householdId, known);
      }
      throw new ConflictAfterRetries('Others changed the household at the same time; please try again.');
    });
  }

  /** The household as this process knows it, with the documents reflecting it. @throws as `execute` */
  load(householdId: string): Promise<Household> {
    return this.lanes.run(householdId, async () => (await this.current(householdId)).household);
  }

  /** Brings the documents up to the present end of the stream. @throws as `execute` */
  catchUp(householdId: string): Promise<Household> {
    return this.lanes.run(householdId, async () => {
      const known = await this.current(householdId);
      await this.refresh(householdId, known);
      return (await this.current(householdId)).household;
    });
  }

  /**
   * Applies events that a subscription delivered; those that the documents reflect already change nothing.
   * @param events of one household, in order; where earlier ones are missing here, they are read
   * @throws as `execute`
   */
  observe(householdId: string, events: readonly RecordedEvent[]): Promise<void> {
    return this.lanes.run(householdId, async () => {
      const known = await this.current(householdId, events[0]?.revision);
      const fresh = events.filter(event => event.revision > known.household.revision);
      if (fresh.length === 0) return;
      if (fresh[0]!.revision === known.household.revision + 1) await this.apply(householdId, known, fresh);
      else await this.refresh(householdId, known);
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
    return this.lanes.run(householdId, async () => {
      const made = await this.make(householdId, { from, upTo, eventsMax: madeEventsMax, isStopped });
      if (made) return made;
      const known = await this.current(householdId, from);
      const events: RecordedEvent[] = [];
      let weight = 0;
      const { revision } = known.household;
      const range = { from: revision + 1, limit: Math.min(eventsMax, upTo - revision) };
      for await (const page of this.store.readStream(streamOf(householdId), range)) {
        events.push(...page);
        for (const { data } of page) weight += weightOf(data);
        if (weight >= ADVANCE_WEIGHT_MAX) break;
      }
      if (events.length > 0) await this.apply(householdId, known, events);
      // Else the next step might find its snapshots under way, and leave out its own.
      await this.dueSnapshots.ended(householdId);
      const isCut = events.length === eventsMax || weight >= ADVANCE_WEIGHT_MAX;
      return { events: events.length, revision: revision + events.length, isEnd: !isCut };
    });
  }

  private async make(householdId: string, making: Making): Promise<Advanced | null> {
    if (making.eventsMax === 0 || this.cache.get(householdId)) return null;
    const made = await this.making.make(householdId, making);
    if (made === null) return null;
    const { household, end } = made.states.at(-1)!;
    const { revision } = household;
    this.cache.set(householdId, { household, end, snapshot: null, headRevision: revision });
    this.versions.changed(householdId);
    this.dueSnapshots.makeWhenDue(householdId, made.states);
    await this.dueSnapshots.ended(householdId);
    return { events: revision + 1, isEnd: true, revision, digest: made.digest };
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
      const known = await this.current(householdId);
      const fresh = events.filter(event => event.revision > known.household.revision);
      if (fresh[0]?.revision === known.household.revision + 1) await this.apply(householdId, known, fresh);
      if (!this.reflects(householdId, revision)) {
        await this.refresh(householdId, await this.current(householdId));
      }
    });
  }

  /** Up to which revision the documents reflect a household, as far as this process knows; -1 where it does not. */
  knownRevision(householdId: string): number {
    return this.known(householdId)?.revision ?? -1;
  }

  /** As `knownRevision`, or as the stored head says. @throws DocumentsUnavailable */
  async reflectedRevision(householdId: string): Promise<number> {
    const known = this.knownRevision(householdId);
    return known >= 0 ? known : ((await this.documents.get(this.models.heads, householdId))?.revision ?? -1);
  }

  /** The household in memory, as the documents reflect it; null where it is not there. */
  known(householdId: string): Household | null {
    return this.cache.get(householdId)?.household ?? null;
  }

  /** Whether this process knows that the documents reflect the household up to a revision. */
  reflects(householdId: string, revision: number): boolean {
    return this.knownRevision(householdId) >= revision;
  }

  /** Forgets what is in memory, so that it is read again. */
  forget(householdId: string): void {
    this.cache.delete(householdId);
  }

  cacheSize(): { readonly households: number; readonly bytes: number } {
    return this.cache.size();
  }

  /** Waits for running commands and writes the heads, so that the next start has nothing to apply again. */
  async settle(): Promise<void> {
    await this.lanes.idle();
    const heads = [...this.cache.all()]
      .filter(([, { known }]) => known.headRevision < known.household.revision)
      .map(([key, { known }]) => ({ key, revision: known.household.revision }));
    if (heads.length > 0) await this.documents.put(this.models.heads, heads);
  }

  /** Reads what came first. Where there is nothing, what this process knows is not the stream's past: all is read. */
  private async lookAgain(householdId: string, known: KnownHousehold): Promise<void> {
    if (!(await this.refresh(householdId, known))) this.cache.delete(householdId);
  }

  /** One decision. */
  private async attempt(
    householdId: string,
    known: KnownHousehold,
    command: Command,
    envelope: CommandEnvelope,
    precondition?: Precondition,
  ): Promise<Executed | Undecided> {
    const recorded = await this.idempotencyKeys.find(householdId, envelope);
    if (recorded) return this.replayed(householdId, known, command, recorded);
    let facts: Facts;
    let events: DecodedEvent[];
    let outcome: Outcome;
    try {
      facts = await this.facts.of(householdId, known.household, command);
      if (precondition && !precondition(known.household, facts.transaction)) {
        throw new PreconditionFailed('This has changed since you read it.');
      }
      const decided = decide(known.household, command, facts);
      events = recordedEvents(householdId, known.household.revision, decided, notBefore(envelope, known.end));
      outcome = outcomeOf(known.household, events);
    } catch (error) {
      // What looks forbidden may be allowed by events that this process has not seen yet. What was looked up may be
      // newer than the state: whatever goes wrong then is no fault of the command.
      if (!isUnavailable(error) && (await this.refresh(householdId, known))) return 'outdated';
      throw error;
    }
    if (events.length === 0) {
      if (await this.refresh(householdId, known)) return 'outdated';
      const replayed = command.type === 'CreateTransaction';
      return { ...unchanged(known.household, facts.transaction), replayed };
    }
    const { household, months } = outcome;
    const complete = chained(householdId, events, known.end?.hash ?? null, months, envelope);
    if (!(await this.append(householdId, known, complete.events))) return 'overtaken';
    const transactions = facts.transaction ? [facts.transaction] : [];
    const decided = { household, end: complete.end, transactions };
    const applied = await this.apply(householdId, known, complete.events, decided);
    return {
      household,
      events: complete.events,
      months,
      monthDocuments: applied.months,
      transaction:
        applied.transactions.get('id' in command ? command.id : (facts.transaction?.id ?? '')) ?? null,
      replayed: false,
      recorded: null,
    };
  }

  private async replayed(
    householdId: string,
    known: KnownHousehold,
    command: Command,
    recorded: RecordedCommand,
  ): Promise<Executed | Undecided> {
    if (await this.refresh(householdId, known)) return 'outdated';
    const transaction = await this.facts.transactionOf(householdId, known.household, command);
    return { ...unchanged(known.household, transaction), replayed: true, recorded };
  }

  /** @returns false when another append came first */
  private async append(
    householdId: string,
    known: KnownHousehold,
    events: readonly DecodedEvent[],
  ): Promise<boolean> {
    try {
      await this.store.append(
        streamOf(householdId),
        known.household.revision,
        events.map(({ id, type, data, metadata }) => ({
          id,
          type,
          data: json(data),
          metadata: json(metadata),
        })),
      );
      return true;
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return false;
      // The append may have happened: the stream tells when it is read again.
      this.cache.delete(householdId);
      throw error;
    }
  }

  /**
   * The household in memory, or read from a snapshot and the events after it.
   * @param before only events before this revision, and what the documents reflect, are read
   */
  private async current(
    householdId: string,
    before: number = Number.MAX_SAFE_INTEGER,
  ): Promise<KnownHousehold> {
    const cached = this.cache.get(householdId);
    if (cached) return cached;
    const head = await this.documents.get(this.models.heads, householdId);
    const headRevision = head?.revision ?? -1;
    const snapshot = headRevision < 0 ? null : await this.snapshots.latest(householdId, headRevision);
    let known: KnownHousehold = {
      household: snapshot?.household ?? NO_HOUSEHOLD,
      end: snapshot?.end ?? null,
      snapshot: snapshot?.parts ?? null,
      headRevision,
    };
    const from = known.household.revision + 1;
    // What the head covers needs no applying, whatever is asked for.
    const limit = Math.max(before, headRevision + 1) - from;
    const pages = limit > 0 ? this.store.readStream(streamOf(householdId), { from, limit }) : [];
    for await (const page of pages) {
      const reflected = page.filter(event => event.revision <= headRevision);
      if (reflected.length > 0) known = folded(known, reflected);
      const fresh = page.slice(reflected.length);
      if (fresh.length > 0) {
        known = this.latest(householdId, await this.apply(householdId, known, fresh));
      }
    }
    this.cache.set(householdId, known);
    return known;
  }

  /** Reads and applies what came after the known state. @returns whether there was anything */
  private async refresh(householdId: string, known: KnownHousehold): Promise<boolean> {
    let moved = false;
    let from = known;
    for await (const page of this.store.readStream(streamOf(householdId), {
      from: known.household.revision + 1,
    })) {
      if (page.length === 0) continue;
      from = this.latest(householdId, await this.apply(householdId, from, page));
      moved = true;
    }
    return moved;
  }

  /** A snapshot may have been made since; where others took its place in the cache, what was applied. */
  private latest(householdId: string, { known }: Applied): KnownHousehold {
    return this.cache.get(householdId) ?? known;
  }

  /**
   * Folds events and writes what they change in the documents. When the documents cannot be written, the
   * household is forgotten: the next command reads it again and applies the events first.
   * @param decided what is known already of events that were decided here
   */
  private async apply(
    householdId: string,
    known: KnownHousehold,
    recorded: readonly (RecordedEvent | DecodedEvent)[],
    decided?: Decided,
  ): Promise<Applied> {
    try {
      const events = recorded.map(event => ('stream' in event ? decodeEvent(event) : event));
      const states = decided
        ? [decided]
        : statesAlong(streamOf(householdId), known.household, events, recorded);
      const { household, end } = states.at(-1)!;
      const records = new Map(decided?.transactions.map(record => [record.id, record]));
      await this.addMissing(householdId, records, neededTransactions(events));
      const changed = projectHousehold(householdId, known.household, household, events, records);
      this.versions.changed(householdId);
      await writeHouseholdDocuments(this.documents, this.models, changed);
      await this.idempotencyKeys.record(householdId, events);
      const headRevision = await this.advanceHead(householdId, known.headRevision, household.revision);
      const applied = { ...known, household, end, headRevision };
      this.cache.set(householdId, applied);
      this.dueSnapshots.makeWhenDue(householdId, states);
      addRecords(records, changed.transactions);
      const months = changed.months.flatMap(document => presentMonth(document) ?? []);
      return { known: applied, transactions: records, months };
    } catch (error) {
      this.cache.delete(householdId);
      throw error;
    } finally {
      this.versions.changed(householdId);
    }
  }

  private async addMissing(
    householdId: string,
    records: Map<string, TransactionRecord>,
    ids: readonly string[],
  ): Promise<void> {
    const missing = ids.filter(id => !records.has(id));
    if (missing.length === 0) return;
    const keys = missing.map(id => transactionKey(householdId, id));
    addRecords(records, await this.documents.getMany(this.models.transactions, keys));
  }

  private async advanceHead(householdId: string, stored: number, revision: number): Promise<number> {
    if (revision - stored < HEAD_LAG_MAX) return stored;
    await this.documents.put(this.models.heads, [{ key: householdId, revision }]);
    return revision;
  }
}

/** Folds events that the documents reflect already. */
function folded(known: KnownHousehold, events: readonly RecordedEvent[]): KnownHousehold {
  const last = events.at(-1)!;
  return {
    ...known,
    household: evolve(known.household, events.map(decodeEvent)),
    end: endAt(last.stream, last),
  };
}

/** Events are made of plain JSON values only; the type system cannot see that through interfaces. */
function json(value: object): JsonObject {
  return value as JsonObject;
}
