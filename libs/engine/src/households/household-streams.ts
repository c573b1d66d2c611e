import { KeyedQueue, requestsFirst, stepByStep } from '#concurrency/turns';
import type { Collection, Document, Documents, Write } from '#storage/documents/documents';
import { Erasures } from '#storage/documents/erasures';
import { IdempotencyKeys } from '#storage/documents/idempotency-keys';
import {
  WrongExpectedRevision,
  type EventStore,
  type JsonObject,
  type NewEvent,
  type RecordedEvent,
} from '#storage/event-store/event-store';
import { AppendThenWrite, type UnitOfWork } from '#storage/event-store/unit-of-work';
import { decodeEvent, type DecodedEvent } from '#ledger/event-codec';
import { evolve } from '#ledger/events';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import {
  neededTransactions,
  projectionSteps,
  type HouseholdDocuments,
} from '#projections/household-documents';
import { presentMonth, type MonthDocument } from '#projections/month-document';
import { addRecords, transactionKey } from '#projections/transaction-document';
import { HouseholdErased } from '../commands/command-call.js';
import { CommandFacts } from '../commands/command-facts.js';
import { DueSnapshots, StateCache, type KnownHousehold } from './known-households.js';
import { statesAlong, type StateAlong, Snapshots, type SnapshotCollections } from './snapshots.js';
import { endAt, settledKeys, type Chained, readAtMost, streamOf } from './household-stream.js';
import { BulkBuild, type BulkBuildOptions } from './bulk-build.js';
import { LogEndsEarly, isStoreDown } from './store-failures.js';
import { collectionsOf, DOCUMENT_NAMES, type ReadModels } from './read-models.js';

/** The stored head is written when it lags by this many events; it only bounds how much is applied again. */
const HEAD_LAG_MAX = 64;

/** Commands that may wait for one household; more are turned away. */
const WAITING_MAX = 512;

/** Transactions: one event may touch 20,000. */
const LOOKED_UP_AT_ONCE = 2_048;

/** What `advance` applies at once may weigh little more. */
const ADVANCE_WEIGHT_MAX = 8 * 1024 * 1024;

export interface HouseholdStreamsOptions {
  /** One of its own by default. */
  readonly cache?: StateCache;
  /** Records events with the documents that they change; one after the other by default. */
  readonly unitOfWork?: UnitOfWork | undefined;
  /** Where snapshots are kept; those of the active version by default. */
  readonly snapshots?: SnapshotCollections | undefined;
  /** Called when a snapshot could not be made; commands go on without it. */
  readonly onSnapshotFailure?: ((householdId: string, error: unknown) => void) | undefined;
  /** Called before the first document of a change is written, and after the last, also if that failed. */
  readonly onChange?: ((householdId: string) => void) | undefined;
  /** Called after documents were written for which an erasure does not wait: it looks whether the household was erased. */
  readonly onWritten?: ((householdId: string) => void) | undefined;
}

interface Written {
  readonly known: KnownHousehold;
  readonly months: readonly MonthDocument[];
}

type Transactions = ReadonlyMap<string, TransactionRecord>;

const NO_SNAPSHOT = { household: NO_HOUSEHOLD, end: null, parts: null };

/**
 * The one way in which streams of households are read, folded and applied to the read models: by commands, by the
 * projection host, and after a crash. Households are kept in memory while there is room. One thing at a time is done with
 * a household, and before anything is decided, the documents reflect every event up to the revision at which the command
 * will append: so whole documents guarded by revision cannot lose a change.
 */
export class HouseholdStreams {
  readonly facts: CommandFacts;
  private readonly queue = new KeyedQueue(isStoreDown);
  private readonly cache: StateCache;
  private readonly snapshots: Snapshots;
  private readonly unitOfWork: UnitOfWork;
  private readonly idempotencyKeys: IdempotencyKeys;
  private readonly dueSnapshots: DueSnapshots;
  private readonly erasures: Erasures;
  private readonly bulkBuild: BulkBuild;

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    /** The version of the read models that is written, and that queries read. */
    readonly models: ReadModels,
    private readonly options: HouseholdStreamsOptions = {},
  ) {
    const { cache = new StateCache(), unitOfWork, snapshots, onSnapshotFailure } = options;
    this.facts = new CommandFacts(store, documents, models);
    this.cache = cache;
    this.unitOfWork = unitOfWork ?? new AppendThenWrite(store, documents);
    this.erasures = new Erasures(documents);
    this.snapshots = new Snapshots(documents, snapshots);
    this.dueSnapshots = new DueSnapshots(this.snapshots, cache, onSnapshotFailure);
    this.idempotencyKeys = new IdempotencyKeys(documents);
    this.bulkBuild = new BulkBuild(store, documents, models, this.idempotencyKeys);
  }

  /** Those that belong to no version of the read models. */
  static readonly sharedCollections: readonly Collection<Document>[] = [
    Erasures.collection,
    ...Snapshots.collections,
    IdempotencyKeys.collection,
  ];

  /** For `Documents.ensure`. */
  static collections(models: ReadModels): readonly Collection<Document>[] {
    return [...collectionsOf(models), ...HouseholdStreams.sharedCollections];
  }

  /** Begins the household's turn, in which `current`, `refresh` and `record` are called. As `KeyedQueue.enter`. */
  enter(householdId: string): Promise<(failure?: unknown) => void> {
    return this.queue.enter(householdId, WAITING_MAX);
  }

  /** Works in such a turn. @throws as `KeyedQueue.run` */
  inTurn<T>(householdId: string, work: () => Promise<T>): Promise<T> {
    return this.queue.run(householdId, work, WAITING_MAX);
  }

  /**
   * The household in memory, or read from a snapshot and the events after it.
   * @param before only events before this revision, and what the documents reflect, are read
   * @throws LogEndsEarly, as far as the stored head tells it; HouseholdErased; EventStoreUnavailable, DocumentsUnavailable
   */
  async current(householdId: string, before: number = Number.MAX_SAFE_INTEGER): Promise<KnownHousehold> {
    const cached = this.cache.get(householdId);
    if (cached) return cached;
    const head = await this.documents.get(this.models.heads, householdId);
    const headRevision = head?.revision ?? -1;
    const snapshot = headRevision < 0 ? null : await this.snapshots.latest(householdId, headRevision);
    const { household, end, parts } = snapshot ?? NO_SNAPSHOT;
    let known: KnownHousehold = { household, end, snapshot: parts, headRevision };
    const from = known.household.revision + 1;
    // What the head covers needs no applying, whatever is asked for.
    const limit = Math.max(before, headRevision + 1) - from;
    const pages = limit > 0 ? this.store.readStream(streamOf(householdId), { from, limit }) : [];
    for await (const page of pages) {
      const reflected = page.filter(event => event.revision <= headRevision);
      if (reflected.length > 0) known = folded(known, reflected);
      const fresh = page.slice(reflected.length);
      if (fresh.length > 0) known = await this.apply(householdId, known, fresh);
    }
    // Where nothing is left of a household, or not all, it is new, or was erased, or its log was cut.
    if (known.household.revision < Math.max(0, headRevision)) {
      if (await this.erasures.find(householdId)) throw new HouseholdErased();
      if (headRevision >= 0) throw new LogEndsEarly();
    }
    // What was applied is there, with a snapshot that may have been made since.
    if (!this.cache.peek(householdId)) this.cache.set(householdId, known);
    return known;
  }

  /** Reads and applies what came after a known state. @returns whether there was anything */
  async refresh(householdId: string, known: KnownHousehold): Promise<boolean> {
    let latest = known;
    const range = { from: known.household.revision + 1 };
    for await (const page of this.store.readStream(streamOf(householdId), range)) {
      if (page.length > 0) latest = await this.apply(householdId, latest, page);
    }
    return latest !== known;
  }

  /** Folds events and writes what they change. Where that fails, the household is forgotten, so that it is read again. */
  private async apply(
    householdId: string,
    known: KnownHousehold,
    recorded: readonly RecordedEvent[],
  ): Promise<KnownHousehold> {
    try {
      const events = recorded.map(decodeEvent);
      const states = statesAlong(known.household, events, recorded);
      const written = await this.write(householdId, known, events, states, new Map(), writes =>
        this.documents.putAll(writes),
      );
      return written.known;
    } catch (error) {
      this.cache.delete(householdId);
      throw error;
    }
  }

  /**
   * Records events that were decided on the known state, with what they change in the documents.
   * @param household after them
   * @param transactions that they touch, as they were before
   * @throws WrongExpectedRevision where others came first. After any other error the events may be recorded, and the
   *   household is forgotten.
   */
  async record(
    householdId: string,
    known: KnownHousehold,
    chained: Chained,
    household: Household,
    transactions: Transactions,
  ): Promise<Written> {
    const { events, end } = chained;
    const stream = streamOf(householdId);
    const expected = known.household.revision;
    try {
      return await this.write(householdId, known, events, [{ household, end }], transactions, writes =>
        this.unitOfWork.commit({ stream, expected, events: appended(chained), writes }),
      );
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) this.cache.delete(householdId);
      throw error;
    }
  }

  private async write(
    householdId: string,
    known: KnownHousehold,
    events: readonly DecodedEvent[],
    states: readonly StateAlong[],
    transactions: Transactions,
    store: (writes: readonly Write[]) => Promise<unknown>,
  ): Promise<Written> {
    try {
      const { household, end } = states.at(-1)!;
      const records = new Map(transactions);
      await this.addMissing(householdId, records, neededTransactions(events));
      const changed = await stepByStep(
        projectionSteps(householdId, known.household, household, events, records),
      );
      this.options.onChange?.(householdId);
      const writes = householdWrites(this.models, changed);
      await store([...writes, ...settledKeys(this.idempotencyKeys, householdId, events)]);
      this.options.onWritten?.(householdId);
      const headRevision = await this.advanceHead(householdId, known.headRevision, household.revision);
      // One may have been made since the household was taken from the cache.
      const snapshot = this.cache.peek(householdId)?.snapshot ?? known.snapshot;
      const written = { household, end, snapshot, headRevision };
      this.cache.set(householdId, written);
      this.dueSnapshots.makeWhenDue(householdId, states);
      const months = changed.months.flatMap(document => presentMonth(document) ?? []);
      return { known: written, months };
    } finally {
      this.options.onChange?.(householdId);
    }
  }

  /**
   * Brings the documents up to the present end of the stream, or to a revision. However many commands wait, it is not
   * turned away.
   * @param upTo of an event that is surely recorded
   * @param events some of those up to it, in order, as a subscription delivered them; what is missing is read
   * @returns the household, at that revision or a later one
   * @throws as `current`
   */
  async catchUp(
    householdId: string,
    upTo = Infinity,
    events: readonly RecordedEvent[] = [],
  ): Promise<Household> {
    const cached = this.cache.get(householdId);
    if (cached && cached.household.revision >= upTo) return cached.household;
    return this.queue.run(householdId, async () => {
      let known = await this.current(householdId, events[0]?.revision);
      const fresh = events.filter(event => event.revision > known.household.revision);
      if (fresh[0]?.revision === known.household.revision + 1) {
        known = await this.apply(householdId, known, fresh);
      }
      if (known.household.revision < upTo) await this.refresh(householdId, known);
      return (await this.current(householdId)).household;
    });
  }

  /** Applies many events of a stream at once: a document that they change often is written once. @throws as `current` */
  advance(
    householdId: string,
    { from, eventsMax, bulkEventsMax = 0, isStopped = () => false }: Advance,
  ): Promise<Advanced> {
    return this.queue.run(householdId, async () => {
      const built = await this.build(householdId, { from, eventsMax: bulkEventsMax, isStopped });
      if (built) return built;
      const known = await this.current(householdId, from);
      const { revision } = known.household;
      const next = { from: revision + 1, limit: eventsMax, weightMax: ADVANCE_WEIGHT_MAX };
      const { events, isHeavy } = await readAtMost(this.store, householdId, next);
      if (events.length > 0) await this.apply(householdId, known, events);
      // Else the next step might find its snapshots under way, and leave out its own.
      await this.dueSnapshots.ended(householdId);
      const isCut = events.length === eventsMax || isHeavy;
      return { events: events.length, revision: revision + events.length, isEnd: !isCut };
    });
  }

  /** Up to which revision the documents surely reflect a household; -1 where this process does not know. */
  knownRevision(householdId: string): number {
    return this.cache.peek(householdId)?.household.revision ?? -1;
  }

  /** So that it is read again. */
  forget(householdId: string): void {
    this.cache.delete(householdId);
  }

  /** Of the households in memory, by estimate. */
  cacheSize(): { readonly households: number; readonly bytes: number } {
    return this.cache.size();
  }

  /** Waits for running commands and writes the heads, so that the next start has nothing to apply again. */
  async settle(): Promise<void> {
    await this.queue.idle();
    const heads = [...this.cache.all()]
      .filter(([, { known }]) => known.headRevision < known.household.revision)
      .map(([key, { known }]) => ({ key, revision: known.household.revision }));
    const erased = await this.erasures.among(heads.map(({ key }) => key));
    const kept = heads.filter(({ key }) => !erased.has(key));
    if (kept.length > 0) await this.documents.put(this.models.heads, kept);
  }

  /** Waits for the snapshots of a household that are under way. */
  snapshotsEnded(householdId: string): Promise<void> {
    return this.dueSnapshots.ended(householdId);
  }

  /** Builds a household in bulk if nothing is there of it. @returns null where it is to be applied step by step */
  private async build(householdId: string, options: BulkBuildOptions): Promise<Advanced | null> {
    if (options.eventsMax === 0 || this.cache.get(householdId)) return null;
    const made = await this.bulkBuild.build(householdId, options);
    if (made === null) return null;
    const { household, end } = made.states.at(-1)!;
    const { revision } = household;
    this.cache.set(householdId, { household, end, snapshot: null, headRevision: revision });
    this.options.onChange?.(householdId);
    this.dueSnapshots.makeWhenDue(householdId, made.states);
    await this.dueSnapshots.ended(householdId);
    this.options.onWritten?.(householdId);
    return { events: revision + 1, isEnd: true, revision, digest: made.digest };
  }

  private async addMissing(
    householdId: string,
    records: Map<string, TransactionRecord>,
    ids: readonly string[],
  ): Promise<void> {
    const missing = ids.filter(id => !records.has(id));
    for (let from = 0; from < missing.length; from += LOOKED_UP_AT_ONCE) {
      if (from > 0) await requestsFirst();
      const keys = missing.slice(from, from + LOOKED_UP_AT_ONCE).map(id => transactionKey(householdId, id));
      addRecords(records, await this.documents.getMany(this.models.transactions, keys));
    }
  }

  private async advanceHead(householdId: string, stored: number, revision: number): Promise<number> {
    if (revision - stored < HEAD_LAG_MAX) return stored;
    await this.documents.put(this.models.heads, [{ key: householdId, revision }]);
    return revision;
  }
}

/** Folds events that the documents reflect already. */
function folded(known: KnownHousehold, events: readonly RecordedEvent[]): KnownHousehold {
  const household = evolve(known.household, events.map(decodeEvent));
  return { ...known, household, end: endAt(events.at(-1)!) };
}

/** Events are made of plain JSON values only; the type system cannot see that through interfaces. */
function appended({ events, texts }: Chained): NewEvent[] {
  return events.map(({ id, type, data, metadata }, at) => ({
    id,
    type,
    data: data as object as JsonObject,
    metadata: metadata as object as JsonObject,
    texts: texts[at]!,
  }));
}

/** What writes the documents that a run of events changed. Guarded by revision, so it may be repeated and come late. */
function householdWrites(models: ReadModels, changed: HouseholdDocuments): readonly Write[] {
  return DOCUMENT_NAMES.map(name => ({ collection: models[name], documents: changed[name] })).filter(
    ({ documents }) => documents.length > 0,
  );
}

export interface Advance {
  /** Of an event that is surely recorded; what comes before it is applied in any case. */
  readonly from: number;
  /** The most events that it applies; fewer that are large. */
  readonly eventsMax: number;
  /** A household of at most this many events is built in bulk if nothing is there; absent for none. */
  readonly bulkEventsMax?: number;
  /** Asked repeatedly during a bulk build; true abandons it. */
  readonly isStopped?: () => boolean;
}

export interface Advanced {
  /** How many it applied, but for what came before `from`. */
  readonly events: number;
  /** Whether the stream ended with them. */
  readonly isEnd: boolean;
  /** Up to which revision the documents reflect the household. */
  readonly revision: number;
  /** Of a household that was built in bulk, as `digestOfHousehold`. */
  readonly digest?: string;
}
