import {
  CHANGED_NOTHING,
  IdempotencyConflict,
  IdempotencyKeys,
  type KeyedCommand,
} from '#storage/documents/idempotency-keys';
import type { Documents } from '#storage/documents/documents';
import {
  APPEND_BYTES_MAX,
  StreamDeleted,
  WrongExpectedRevision,
  type JsonObject,
  type RecordedEvent,
} from '#storage/event-store/event-store';
import {
  namedTransactions,
  onlyCreates,
  decide,
  outcomeOf,
  type Command,
  type Outcome,
} from '#ledger/commands';
import type { Facts } from '#ledger/command-declaration';
import type { DecodedEvent } from '#ledger/event-codec';
import { evolveTransaction, touchedTransactions } from '#ledger/events';
import { bytesOf, fitsIntoOneAppend, mostThatFit } from './batch-size.js';
import { dated, type CommandEnvelope, keyedCommandOf } from './command-envelope.js';
import {
  BatchTooLarge,
  ConflictAfterRetries,
  HouseholdErased,
  PreconditionFailed,
  type Precondition,
} from './command-failures.js';
import { inOrder } from './command-facts.js';
import { Contention } from './contention.js';
import { chained, recordedEvents, type Chained } from '../households/event-chain.js';
import { unchanged, type Executed } from './executed.js';
import type { HouseholdStreams } from '../households/household-streams.js';
import type { KnownHousehold } from '../households/state-cache.js';
import { isStoreDown } from '../households/store-failures.js';

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

/** How a command is handled. */
export interface HandlingOptions {
  /** Holds of the very state that is decided on; a command that its key repeats needs none. */
  readonly precondition?: Precondition | undefined;
  /**
   * The command is decided as it would be now, and nothing is recorded: what it would do is told as if it had been done.
   * Its key is looked at and left as it is.
   */
  readonly dryRun?: boolean;
}

/** What a command is decided by. */
interface Request extends HandlingOptions {
  readonly householdId: string;
  readonly command: Command;
  readonly envelope: CommandEnvelope;
  readonly keyed: KeyedCommand | null;
}

/**
 * Why a command is to be decided again. `outdated`: on what it was decided, the stream had moved on, and that is read
 * by now; `overtaken`: another append came first, and is to be read.
 */
type Undecided = 'outdated' | 'overtaken';

/** What a command makes of a household's state. */
interface Decision {
  /** The transactions that the command is about, as they were before. */
  readonly transactions: Facts['transactions'];
  /** What is to be recorded; null for a command that changes nothing. */
  readonly chained: Chained | null;
  readonly outcome: Outcome;
}

/** The one way of every command: load the household, decide, append and apply, respond. */
export class CommandHandler {
  private readonly contention = new Contention();
  private readonly keys: IdempotencyKeys;

  constructor(
    documents: Documents,
    /** @throws ReadModelsUnconfirmed */
    private readonly begin: (householdId: string) => HouseholdWork,
  ) {
    this.keys = new IdempotencyKeys(documents);
  }

  /**
   * Decides a command and records what it makes.
   *
   * @throws Refusal when a rule forbids it; nothing is recorded
   * @throws PreconditionFailed when the precondition does not hold; nothing is recorded
   * @throws IdempotencyConflict when the key was used for another command
   * @throws BatchTooLarge for what does not fit into one append; nothing is recorded
   * @throws HouseholdErased when the household was erased meanwhile
   * @throws ConflictAfterRetries after `DECISIONS_MAX` decisions of which others came first
   * @throws UnknownEvent when the stream holds what this version does not know, LogEndsEarly when it is cut short
   * @throws EventStoreUnavailable, DocumentsUnavailable, ReadModelsUnconfirmed, QueueFull: recorded wholly or not at all; a
   *   retry of a creation by id, or with an `Idempotency-Key`, finds out
   */
  async handle(
    householdId: string,
    command: Command,
    envelope: CommandEnvelope,
    options: HandlingOptions = {},
  ): Promise<Executed> {
    const request = { ...options, householdId, command, envelope, keyed: keyedCommandOf(envelope) };
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
      events = options.dryRun ? [] : executed.events;
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
    const { householdId, command, precondition, keyed, dryRun } = request;
    const { household } = known;
    const settled = keyed && (await this.keys[dryRun ? 'look' : 'reserve'](householdId, keyed));
    if (settled) {
      if (await streams.refresh(householdId, known)) return 'outdated';
      const transactions = await streams.facts.transactionsOf(householdId, household, command);
      const { firstRevision } = settled;
      const recorded = firstRevision === null ? null : { firstRevision };
      return { ...unchanged(household, transactions), replayed: true, recorded };
    }
    let decision: Decision;
    try {
      const facts = await streams.facts.of(householdId, household, command);
      if (precondition && !precondition(household, facts.transactions)) {
        throw new PreconditionFailed('This has changed since you read it.');
      }
      decision = await decisionOf(known, request, facts);
    } catch (error) {
      // What looks forbidden may be allowed by events that this process has not seen yet. What was looked up may be
      // newer than the state: whatever goes wrong then is no fault of the command.
      if (!isStoreDown(error) && (await streams.refresh(householdId, known))) return 'outdated';
      throw error;
    }
    if (decision.chained && !dryRun) return this.record(streams, known, request, decision, decision.chained);
    if (await streams.refresh(householdId, known)) return 'outdated';
    if (decision.chained) return executedOf(request, decision, decision.chained);
    if (keyed && !dryRun) await this.keys.settle(householdId, [{ ...keyed, ...CHANGED_NOTHING }]);
    return { ...unchanged(household, decision.transactions), replayed: onlyCreates(command) };
  }

  /** Records what was decided, with the documents that it changes. */
  private async record(
    streams: HouseholdStreams,
    known: KnownHousehold,
    request: Request,
    decision: Decision,
    chained: Chained,
  ): Promise<Executed | 'overtaken'> {
    const { householdId } = request;
    const { events, end } = chained;
    const { transactions } = decision;
    const decided = { household: decision.outcome.household, end, transactions };
    try {
      const { months } = await streams.record(householdId, known, events, decided, appended(chained));
      return executedOf(request, decision, chained, months);
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return 'overtaken';
      if (error instanceof StreamDeleted) throw new HouseholdErased();
      throw error;
    }
  }

  /** Frees the key of a command that was refused. Where its outcome is not known, the key expires soon. */
  private async release({ householdId, keyed, dryRun }: Request, error: unknown): Promise<void> {
    // Another command's key is left alone.
    if (keyed === null || dryRun || isStoreDown(error) || error instanceof IdempotencyConflict) return;
    await this.keys.release(householdId, keyed).catch(() => undefined);
  }
}

/** What a command makes of the state that is known. @throws Refusal, BatchTooLarge */
async function decisionOf(known: KnownHousehold, request: Request, facts: Facts): Promise<Decision> {
  const { command } = request;
  const decision = decided(known, request, facts);
  // What a batch changed may have got long notes since, which the event of its undoing names twice.
  if (command.type === 'UndoCommand' && decision.chained && bytesOf(decision.chained) > APPEND_BYTES_MAX) {
    throw new BatchTooLarge('The transactions have become too long to be changed back together.');
  }
  if (command.type !== 'BatchTransactions' || fits(decision)) return decision;
  const max = await mostThatFit(command.operations, operations =>
    fits(decided(known, { ...request, command: { ...command, operations } }, facts)),
  );
  const message = `These operations do not fit into one record; the first ${max} do.`;
  throw new BatchTooLarge(message, { operations_max: max });
}

function decided(known: KnownHousehold, { householdId, command, envelope }: Request, facts: Facts): Decision {
  const { household, end } = known;
  const { transactions } = facts;
  const decided = decide(household, command, facts);
  const events = recordedEvents(householdId, household.revision, decided, dated(envelope, end));
  const outcome = outcomeOf(household, events);
  if (events.length === 0) return { transactions, chained: null, outcome };
  const complete = chained(householdId, events, end?.hash ?? null, outcome.months, envelope);
  return { transactions, chained: complete, outcome };
}

function fits({ chained }: Decision): boolean {
  return chained === null || fitsIntoOneAppend(chained);
}

/** What a command did, or in a dry run would do. @param monthDocuments those that were written */
function executedOf(
  { command }: Request,
  { transactions, outcome: { household, months } }: Decision,
  { events }: Chained,
  monthDocuments: Executed['monthDocuments'] = [],
): Executed {
  const named = new Set([...namedTransactions(command), ...transactions.keys()]);
  return {
    household,
    events,
    months,
    monthDocuments,
    transactions: transactionsAfter(named, transactions, events),
    replayed: false,
    recorded: null,
  };
}

/** @param before as far as they were there before the events */
function transactionsAfter(
  ids: ReadonlySet<string>,
  before: Facts['transactions'],
  events: readonly DecodedEvent[],
): Executed['transactions'] {
  if (ids.size === 0) return before;
  const after = new Map(before);
  for (const event of events) {
    for (const id of touchedTransactions(event)) {
      if (ids.has(id)) after.set(id, evolveTransaction(after.get(id) ?? null, event));
    }
  }
  return inOrder(after, ids);
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
