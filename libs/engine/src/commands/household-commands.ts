import {
  CHANGED_NOTHING,
  IdempotencyConflict,
  IdempotencyKeys,
  type KeyedCommand,
  type Settlement,
} from '#storage/documents/idempotency-keys';
import type { Documents } from '#storage/documents/documents';
import {
  APPEND_BYTES_MAX,
  StreamDeleted,
  WrongExpectedRevision,
  type RecordedEvent,
} from '#storage/event-store/event-store';
import { namedTransactions, onlyCreates, type Command } from '#ledger/commands';
import { decide, outcomeOf, type Facts, type Outcome } from '#ledger/decide';
import type { Actor, DecodedEvent } from '#ledger/event-codec';
import type { LedgerEvent } from '#ledger/events';
import type { Household } from '#ledger/household';
import { Refusal } from '#ledger/refusal';
import { evolveTransaction, touchedTransactions, type TransactionRecord } from '#ledger/transaction-record';
import type { MonthDocument } from '#projections/month-document';
import { bytesOf, fitsIntoOneAppend, mostThatFit } from './batch-size.js';
import { inOrder } from './command-facts.js';
import {
  BatchTooLarge,
  ConflictAfterRetries,
  HouseholdArchived,
  HouseholdErased,
  PreconditionFailed,
} from './command-failures.js';
import { Contention } from './contention.js';
import {
  chained,
  dated,
  keyedCommandOf,
  recordedEvents,
  type Chained,
  type CommandEnvelope,
} from '../households/event-chain.js';
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

/** What commands take from the process around them. */
export interface CommandSurroundings {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** An id for something new, greater than every earlier one of this process. */
  readonly freshId: () => string;
}

/** A call of a command: which household, who asks, and on what terms. */
export interface CommandCall {
  readonly householdId: string;
  /** An archived household refuses every command, but first says what is not there. */
  readonly archived: boolean;
  readonly actor: Actor;
  readonly requestId: string;
  /** The client's `Idempotency-Key`, and the hash of what a command asks for; absent where the client sent no key. */
  readonly idempotency?: { readonly key: string; readonly hashOf: (command: Command) => string } | undefined;
  /** Holds of the very state that is decided on; a command that its key repeats needs none. */
  readonly precondition?: Precondition | undefined;
  /**
   * The command is decided as it would be now, and nothing is recorded: what it would do is told as if it had been done.
   * Its key is looked at and left as it is.
   */
  readonly dryRun: boolean;
}

/** Whether the state that a command is decided on is the one that its client had in mind. */
export type Precondition = (
  command: Command,
  household: Household,
  transactions: Facts['transactions'],
) => boolean;

/** What a command did. */
export interface Executed {
  /** The household after the command. */
  readonly household: Household;
  /** What was recorded; empty for a command that changed nothing. */
  readonly events: readonly DecodedEvent[];
  /** Months with a changed figure, oldest first. */
  readonly months: readonly string[];
  /** The documents of the months that were written: all of `months` that still exist, and maybe others. */
  readonly monthDocuments: readonly MonthDocument[];
  /** The transactions that the command was about, as they are now, in the order in which it named them. */
  readonly transactions: ReadonlyMap<string, TransactionRecord>;
  /** The command had been recorded before: nothing was recorded now, and this is the state as it is today. */
  readonly replayed: boolean;
  /** With `replayed` by a key: where the events stand that the command had recorded. */
  readonly recorded: { readonly firstRevision: number } | null;
}

/** A command with what it is decided by. */
interface Asked extends CommandCall {
  readonly command: Command;
  readonly envelope: CommandEnvelope;
  readonly keyed: KeyedCommand | null;
}

/** What a command makes of a household's state. */
interface Decision {
  /** The transactions that the command is about, as they were before. */
  readonly transactions: Facts['transactions'];
  /** What is to be recorded; null for a command that changes nothing. */
  readonly chained: Chained | null;
  readonly outcome: Outcome;
}

/** The one way of every command: load the household, decide, commit, respond. */
export class HouseholdCommands {
  private readonly contention = new Contention();
  private readonly keys: IdempotencyKeys;

  constructor(
    documents: Documents,
    /** @throws ReadModelsUnconfirmed */
    private readonly begin: (householdId: string) => HouseholdWork,
    private readonly surroundings: CommandSurroundings,
  ) {
    this.keys = new IdempotencyKeys(documents);
  }

  /** An id for something new, greater than every earlier one of this process. */
  freshId(): string {
    return this.surroundings.freshId();
  }

  freshIds(count: number): string[] {
    return Array.from({ length: count }, () => this.freshId());
  }

  /**
   * Decides a command and records what it makes, or only decides it where it is a dry run.
   *
   * @throws Refusal when a rule forbids it; nothing is recorded
   * @throws HouseholdArchived, PreconditionFailed; nothing is recorded
   * @throws IdempotencyConflict when the key was used for another command
   * @throws BatchTooLarge for what does not fit into one append; nothing is recorded
   * @throws HouseholdErased when the household was erased meanwhile
   * @throws ConflictAfterRetries after `DECISIONS_MAX` decisions of which others came first
   * @throws UnknownEvent when the stream holds what this version does not know, LogEndsEarly when it is cut short
   * @throws EventStoreUnavailable, DocumentsUnavailable, ReadModelsUnconfirmed, QueueFull: recorded wholly or not at all; a
   *   retry of a creation by id, or with an `Idempotency-Key`, finds out
   */
  async handle(call: CommandCall, command: Command): Promise<Executed> {
    const asked = askedOf(call, command, this.surroundings);
    const { streams, end } = this.begin(call.householdId);
    let events: readonly DecodedEvent[] | null = null;
    try {
      const executed = await this.carryOut(streams, asked);
      events = call.dryRun ? [] : executed.events;
      return executed;
    } catch (error) {
      await this.release(asked, error);
      throw error;
    } finally {
      await end(events);
    }
  }

  /** Loads, decides, commits and responds, and does so again where others came first. */
  private async carryOut(streams: HouseholdStreams, asked: Asked): Promise<Executed> {
    const { householdId, command, archived, precondition, dryRun } = asked;
    const leave = await streams.enter(householdId);
    let failure: unknown;
    try {
      if (this.contention.wasLostLately(householdId)) await this.contention.giveWay();
      for (let lost = 0; lost < DECISIONS_MAX; lost++) {
        const begun = performance.now();
        const known = await streams.current(householdId);
        const { household } = known;
        const settled = await this.settlementOf(asked);
        if (settled) {
          if (await streams.refresh(householdId, known)) continue;
          const transactions = await streams.facts.transactionsOf(householdId, household, command);
          return { ...unchanged(household, transactions), replayed: true, recorded: recordedBy(settled) };
        }
        let decision: Decision;
        try {
          const facts = await streams.facts.of(householdId, household, command);
          if (precondition && !precondition(command, household, facts.transactions)) {
            throw new PreconditionFailed('This has changed since you read it.');
          }
          const decided = decide(household, command, facts);
          if (archived) throw new HouseholdArchived();
          decision = decisionOf(known, asked, facts, decided);
          await requireFit(decision, known, asked, facts);
        } catch (error) {
          // What looks forbidden may be allowed by events that this process has not seen yet. What was looked up may be
          // newer than the state: whatever goes wrong then is no fault of the command.
          if (!isStoreDown(error) && (await streams.refresh(householdId, known))) continue;
          throw archived ? archivedOr(error) : error;
        }
        if (decision.chained && !dryRun) {
          const executed = await record(streams, known, asked, decision, decision.chained);
          if (executed) return executed;
          await this.afterRace(streams, known, asked, { lost, tookMs: performance.now() - begun });
          continue;
        }
        if (await streams.refresh(householdId, known)) continue;
        if (decision.chained) return executedOf(asked, decision, decision.chained);
        await this.rememberUnchanged(asked);
        return { ...unchanged(household, decision.transactions), replayed: onlyCreates(command) };
      }
      throw new ConflictAfterRetries('Somebody else changed the household at the same time. Try again.');
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      leave(failure);
    }
  }

  /** What became of the command before, under its key; reserves the key where that is not known. */
  private async settlementOf({ householdId, keyed, dryRun }: Asked): Promise<Settlement | null> {
    if (keyed === null) return null;
    return dryRun ? this.keys.look(householdId, keyed) : this.keys.reserve(householdId, keyed);
  }

  private async rememberUnchanged({ householdId, keyed, dryRun }: Asked): Promise<void> {
    if (keyed && !dryRun) await this.keys.settle(householdId, [{ ...keyed, ...CHANGED_NOTHING }]);
  }

  /** Frees the key of a command that was refused. Where its outcome is not known, the key expires soon. */
  private async release({ householdId, keyed, dryRun }: Asked, error: unknown): Promise<void> {
    // Another command's key is left alone.
    if (keyed === null || dryRun || isStoreDown(error) || error instanceof IdempotencyConflict) return;
    await this.keys.release(householdId, keyed).catch(() => undefined);
  }

  /** Waits, and reads what came first. */
  private async afterRace(
    streams: HouseholdStreams,
    known: KnownHousehold,
    { householdId }: Asked,
    { lost, tookMs }: { readonly lost: number; readonly tookMs: number },
  ): Promise<void> {
    if (lost + 1 < DECISIONS_MAX) await this.contention.waitAfterRace(householdId, lost, tookMs);
    // Where nothing came first, what this process knows is not the stream's past: all is read.
    if (!(await streams.refresh(householdId, known))) streams.forget(householdId);
  }
}

/** An archived household refuses a command whatever that is based on, and whatever became of it before. */
function askedOf(call: CommandCall, command: Command, { now, freshId }: CommandSurroundings): Asked {
  const { archived, actor, requestId, idempotency, precondition } = call;
  const sent = { actor, commandId: freshId(), requestId, now: () => new Date(now()).toISOString() };
  if (archived) return { ...call, command, envelope: sent, keyed: null, precondition: undefined };
  if (!idempotency) return { ...call, command, envelope: sent, keyed: null, precondition };
  const { key, hashOf } = idempotency;
  const envelope = { ...sent, idempotency: { key, commandHash: hashOf(command) } };
  return { ...call, command, envelope, keyed: keyedCommandOf(envelope), precondition };
}

/** That a household is archived counts among the domain rules: what does not exist is told first. */
function archivedOr(error: unknown): unknown {
  return error instanceof Refusal && error.code !== 'not_found' ? new HouseholdArchived() : error;
}

/** What a command makes of the state that is known. @throws Refusal for what only the state after it shows */
function decisionOf(
  { household, end }: KnownHousehold,
  { householdId, envelope }: Asked,
  { transactions }: Facts,
  decided: readonly LedgerEvent[],
): Decision {
  const events = recordedEvents(householdId, household.revision, decided, dated(envelope, end));
  const outcome = outcomeOf(household, events);
  if (events.length === 0) return { transactions, chained: null, outcome };
  const complete = chained(householdId, events, end?.hash ?? null, outcome.months, envelope);
  return { transactions, chained: complete, outcome };
}

/** @throws BatchTooLarge for what does not fit into one append */
async function requireFit(
  { chained }: Decision,
  known: KnownHousehold,
  asked: Asked,
  facts: Facts,
): Promise<void> {
  const { command } = asked;
  if (chained === null) return;
  // What a batch changed may have got long notes since, which the event of its undoing names twice.
  if (command.type === 'UndoCommand' && bytesOf(chained) > APPEND_BYTES_MAX) {
    throw new BatchTooLarge('The transactions have become too long to be changed back together.');
  }
  if (command.type !== 'BatchTransactions' || fitsIntoOneAppend(chained)) return;
  const max = await mostThatFit(command.operations, operations => {
    const decided = decide(known.household, { ...command, operations }, facts);
    const some = decisionOf(known, asked, facts, decided).chained;
    return some === null || fitsIntoOneAppend(some);
  });
  const message = `These operations do not fit into one record; the first ${max} do.`;
  throw new BatchTooLarge(message, { operations_max: max });
}

/** Records what was decided, with the documents that it changes. @returns null where another append came first */
async function record(
  streams: HouseholdStreams,
  known: KnownHousehold,
  asked: Asked,
  decision: Decision,
  chained: Chained,
): Promise<Executed | null> {
  const { transactions, outcome } = decision;
  try {
    const recorded = await streams.record(asked.householdId, known, chained, outcome.household, transactions);
    return executedOf(asked, decision, chained, recorded.months);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return null;
    if (error instanceof StreamDeleted) throw new HouseholdErased();
    throw error;
  }
}

/** What a command did, or in a dry run would do. @param monthDocuments those that were written */
function executedOf(
  { command }: Asked,
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

function recordedBy({ firstRevision }: Settlement): Executed['recorded'] {
  return firstRevision === null ? null : { firstRevision };
}

/** What a command did that recorded nothing. */
function unchanged(household: Household, transactions: Executed['transactions']): Executed {
  return {
    household,
    events: [],
    months: [],
    monthDocuments: [],
    transactions,
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
