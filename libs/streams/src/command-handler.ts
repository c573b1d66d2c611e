import {
  CHANGED_NOTHING,
  IdempotencyConflict,
  IdempotencyKeys,
  type KeyedCommand,
} from '#documents/idempotency-keys';
import type { Documents } from '#documents/documents';
import {
  WrongExpectedRevision,
  type EventStore,
  type JsonObject,
  type RecordedEvent,
} from '#event-store/event-store';
import type { Command } from '#ledger/commands';
import { decide, outcomeOf, type Outcome } from '#ledger/decide';
import type { DecodedEvent } from '#ledger/event-codec';
import type { TransactionRecord } from '#ledger/transaction-record';
import { dated, type CommandEnvelope } from './command-envelope.js';
import { ConflictAfterRetries, PreconditionFailed, type Precondition } from './command-failures.js';
import { Contention } from './contention.js';
import { chained, recordedEvents, type Chained } from './event-chain.js';
import { unchanged, type Executed } from './executed.js';
import { streamOf } from './household-stream.js';
import type { HouseholdStreams } from './household-streams.js';
import { keyedCommandOf } from './recorded-keys.js';
import type { KnownHousehold } from './state-cache.js';
import { isStoreDown } from './store-failures.js';

/** How often a command is decided at most, where others come first. */
const DECISIONS_MAX = 10;

/** Work on a household that is under way, over the read models that were live when it began. */
export interface HouseholdWork {
  readonly streams: HouseholdStreams;
  /**
   * Ends the work, and writes what else must be written of it.
   * @param events what it recorded; null where it failed: then this does not fail besides
   */
  readonly end: (events: readonly (RecordedEvent | DecodedEvent)[] | null) => Promise<void>;
}

/** What a command is decided by. */
interface Request {
  readonly householdId: string;
  readonly command: Command;
  readonly envelope: CommandEnvelope;
  readonly precondition: Precondition | undefined;
  readonly keyed: KeyedCommand | null;
}

/**
 * Why a command is to be decided again. `outdated`: on what it was decided, the stream had moved on, and that is read
 * by now; `overtaken`: another append came first, and is to be read.
 */
type Undecided = 'outdated' | 'overtaken';

/** What a command makes of a household's state. */
interface Decision {
  /** The transaction that the command is about, as it was before; null for none. */
  readonly transaction: TransactionRecord | null;
  /** What is to be recorded; none for a command that changes nothing. */
  readonly events: readonly DecodedEvent[];
  readonly outcome: Outcome;
}

/** The one way of every command: load the household, decide, append and apply, respond. */
export class CommandHandler {
  private readonly contention = new Contention();
  private readonly keys: IdempotencyKeys;

  constructor(
    private readonly store: EventStore,
    documents: Documents,
    /** @throws ReadModelsUnconfirmed */
    private readonly begin: (householdId: string) => HouseholdWork,
  ) {
    this.keys = new IdempotencyKeys(documents);
  }

  /**
   * Decides a command and records what it makes.
   *
   * @param precondition holds of the very state that is decided on; a command that its key repeats needs none
   * @throws Refusal when a rule forbids it; nothing is recorded
   * @throws PreconditionFailed when the precondition does not hold; nothing is recorded
   * @throws IdempotencyConflict when the key was used for another command
   * @throws ConflictAfterRetries after `DECISIONS_MAX` decisions of which others came first
   * @throws UnknownEvent when the stream holds what this version does not know, LogEndsEarly when it is cut short
   * @throws EventStoreUnavailable, DocumentsUnavailable, ReadModelsUnconfirmed, LaneFull: recorded wholly or not at all; a
   *   retry of a creation by id, or with an `Idempotency-Key`, finds out
   */
  async handle(
    householdId: string,
    command: Command,
    envelope: CommandEnvelope,
    precondition?: Precondition,
  ): Promise<Executed> {
    const request = { householdId, command, envelope, precondition, keyed: keyedCommandOf(envelope) };
    const { streams, end } = this.begin(householdId);
    let events: readonly DecodedEvent[] | null = null;
    try {
      const executed = await streams.inLane(householdId, async () => {
        if (this.contention.wasLostLately(householdId)) await this.contention.giveWay();
        for (let attempt = 0; attempt < DECISIONS_MAX; attempt++) {
          const begun = performance.now();
          const known = await streams.current(householdId);
          const outcome = await this.attempt(streams, known, request);
          if (outcome === 'outdated') continue;
          if (outcome !== 'overtaken') return outcome;
          const tookMs = performance.now() - begun;
          if (attempt + 1 < DECISIONS_MAX) await this.contention.waitAfterRace(householdId, attempt, tookMs);
          // Where nothing came first, what this process knows is not the stream's past: all is read.
          if (!(await streams.refresh(householdId, known))) streams.forget(householdId);
        }
        throw new ConflictAfterRetries('Somebody else changed the household at the same time. Try again.');
      });
      ({ events } = executed);
      return executed;
    } catch (error) {
      await this.release(request, error);
      throw error;
    } finally {
      await end(events);
    }
  }

  /**
   * Decides a command once. What it records, the documents reflect in the end.
   * @param known the household's present state, as far as this process knows it
   */
  private async attempt(
    streams: HouseholdStreams,
    known: KnownHousehold,
    request: Request,
  ): Promise<Executed | Undecided> {
    const { householdId, command, envelope, precondition, keyed } = request;
    const { household } = known;
    const settled = keyed && (await this.keys.reserve(householdId, keyed));
    if (settled) {
      if (await streams.refresh(householdId, known)) return 'outdated';
      const transaction = await streams.facts.transactionOf(householdId, household, command);
      const { firstRevision } = settled;
      const recorded = firstRevision === null ? null : { firstRevision };
      return { ...unchanged(household, transaction), replayed: true, recorded };
    }
    let decision: Decision;
    try {
      const facts = await streams.facts.of(householdId, household, command);
      const { transaction } = facts;
      if (precondition && !precondition(household, transaction)) {
        throw new PreconditionFailed('This has changed since you read it.');
      }
      const decided = decide(household, command, facts);
      const events = recordedEvents(householdId, household.revision, decided, dated(envelope, known.end));
      decision = { transaction, events, outcome: outcomeOf(household, events) };
    } catch (error) {
      // What looks forbidden may be allowed by events that this process has not seen yet. What was looked up may be
      // newer than the state: whatever goes wrong then is no fault of the command.
      if (!isStoreDown(error) && (await streams.refresh(householdId, known))) return 'outdated';
      throw error;
    }
    if (decision.events.length > 0) return this.record(streams, known, request, decision);
    if (await streams.refresh(householdId, known)) return 'outdated';
    if (keyed) await this.keys.settle(householdId, [{ ...keyed, ...CHANGED_NOTHING }]);
    const replayed = command.type === 'CreateTransaction';
    return { ...unchanged(household, decision.transaction), replayed };
  }

  /** Appends what was decided, and applies it. */
  private async record(
    streams: HouseholdStreams,
    known: KnownHousehold,
    { householdId, command, envelope }: Request,
    { transaction, events: decided, outcome: { household, months } }: Decision,
  ): Promise<Executed | 'overtaken'> {
    const complete = chained(householdId, decided, known.end?.hash ?? null, months, envelope);
    const { events, end } = complete;
    try {
      await this.store.append(streamOf(householdId), known.household.revision, appended(complete));
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return 'overtaken';
      // The append may have happened: the stream tells when it is read again.
      streams.forget(householdId);
      throw error;
    }
    const transactions = transaction ? [transaction] : [];
    const applied = await streams.apply(householdId, known, events, { household, end, transactions });
    const transactionId = 'id' in command ? command.id : transaction?.id;
    return {
      household,
      events,
      months,
      monthDocuments: applied.months,
      transaction: applied.transaction(transactionId ?? ''),
      replayed: false,
      recorded: null,
    };
  }

  /** Frees the key of a command that was refused. Where its outcome is not known, the key expires soon. */
  private async release({ householdId, keyed }: Request, error: unknown): Promise<void> {
    // Another command's key is left alone.
    if (keyed === null || isStoreDown(error) || error instanceof IdempotencyConflict) return;
    await this.keys.release(householdId, keyed).catch(() => undefined);
  }
}

/** Events are made of plain JSON values only; the type system cannot see that through interfaces. */
function appended({ events, texts }: Chained) {
  return events.map(({ id, type, data, metadata }, at) => ({
    id,
    type,
    data: data as object as JsonObject,
    metadata: metadata as object as JsonObject,
    texts: texts[at],
  }));
}
