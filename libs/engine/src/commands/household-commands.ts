import {
  CHANGED_NOTHING,
  IdempotencyConflict,
  IdempotencyKeys,
  type KeyedCommand,
  type Settlement,
} from '#storage/documents/idempotency-keys';
import type { Documents } from '#storage/documents/documents';
import { APPEND_BYTES_MAX, StreamDeleted, WrongExpectedRevision } from '#storage/event-store/event-store';
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
import { evolveTransaction, touchedTransactions, type LedgerEvent } from '#ledger/events';
import { Refusal } from '#ledger/refusal';
import { bytesOf, fitsIntoOneAppend, mostThatFit } from './batch-size.js';
import { inOrder } from './command-facts.js';
import { HouseholdErased, type CommandCall, type Executed } from './command-call.js';
import {
  chained,
  keyedCommandOf,
  recordedEvents,
  timeAfter,
  type Chained,
  type Envelope,
} from '../households/household-stream.js';
import type { HouseholdStreams } from '../households/household-streams.js';
import type { KnownHousehold } from '../households/known-households.js';
import { isStoreDown } from '../households/store-failures.js';
import type { LiveStreams } from '../versions/live-streams.js';
import { backoffMs } from '#concurrency/backoff';

/** How often a command is decided at most, where others come first. */
const DECISIONS_MAX = 10;

interface Asked extends CommandCall {
  readonly command: Command;
  readonly envelope: Envelope;
  readonly keyed: KeyedCommand | null;
}

interface Decision {
  /** The transactions that the command is about, as they were before. */
  readonly transactions: Facts['transactions'];
  /** Those that it untracks besides. */
  readonly tracked: Facts['tracked'];
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
    private readonly households: Pick<LiveStreams, 'begin'>,
    /** Gives milliseconds since the epoch. */
    private readonly clock: { now(): number },
    /** Gives ids for something new, each greater than every earlier one of this process. */
    private readonly randomness: { ulid(at: number): string },
  ) {
    this.keys = new IdempotencyKeys(documents);
  }

  freshId(): string {
    return this.randomness.ulid(this.clock.now());
  }

  freshIds(count: number): string[] {
    return Array.from({ length: count }, () => this.freshId());
  }

  /**
   * Decides a command and records what it makes, or only decides it where it is a dry run.
   *
   * @throws Refusal when a rule forbids it, and nothing is recorded. Besides the codes of the ledger: `conflict` for an
   *   archived household, and after `DECISIONS_MAX` decisions of which others came first; `precondition_failed`;
   *   `batch_too_large` for what does not fit into one append
   * @throws IdempotencyConflict when the key was used for another command
   * @throws HouseholdErased when the household was erased meanwhile
   * @throws UnknownEvent when the stream holds what this version does not know, LogEndsEarly when it is cut short
   * @throws EventStoreUnavailable, DocumentsUnavailable, ReadModelsUnconfirmed, QueueFull: recorded wholly or not at all; a
   *   retry of a creation by id, or with an `Idempotency-Key`, finds out
   */
  async handle(call: CommandCall, command: Command): Promise<Executed> {
    const asked = this.asked(call, command);
    const { streams, end } = this.households.begin(call.householdId);
    let isDone = false;
    try {
      const executed = await this.carryOut(streams, asked);
      isDone = true;
      return executed;
    } catch (error) {
      await this.release(asked, error);
      throw error;
    } finally {
      await end(isDone);
    }
  }

  /** An archived household refuses a command whatever that is based on, and whatever became of it before. */
  private asked(call: CommandCall, command: Command): Asked {
    const { archived, actor, requestId } = call;
    const { idempotency, precondition } = archived ? {} : call;
    const envelope: Envelope = {
      actor,
      commandId: this.freshId(),
      requestId,
      at: this.now(),
      ...(idempotency && { idempotency: { key: idempotency.key, commandHash: idempotency.hashOf(command) } }),
    };
    return { ...call, command, envelope, keyed: keyedCommandOf(envelope), precondition };
  }

  private datedAfter({ end }: KnownHousehold, asked: Asked): Asked {
    return { ...asked, envelope: { ...asked.envelope, at: timeAfter(end, this.now()) } };
  }

  private now(): string {
    return new Date(this.clock.now()).toISOString();
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
          return { ...NOTHING_DONE, household, transactions, replayed: true, recorded: recordedBy(settled) };
        }
        let decision: Decision;
        try {
          const facts = await streams.facts.of(householdId, household, command);
          if (precondition && !precondition(command, household, facts.transactions)) {
            throw new Refusal('precondition_failed', 'This has changed since you read it.');
          }
          const decided = decide(household, command, facts);
          if (archived) throw householdArchived();
          const now = this.datedAfter(known, asked);
          decision = decisionOf(known, now, facts, decided);
          await requireFit(decision, known, now, facts);
        } catch (error) {
          // What looks forbidden may be allowed by events that this process has not seen yet. What was looked up may be
          // newer than the state: a failure then is not the fault of the command.
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
        const { transactions } = decision;
        return { ...NOTHING_DONE, household, transactions, replayed: onlyCreates(command) };
      }
      throw new Refusal('conflict', 'Somebody else changed the household at the same time. Try again.');
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

function householdArchived(): Refusal {
  return new Refusal('conflict', 'This household is archived.', { reason: 'archived' });
}

/** That a household is archived counts among the domain rules: what does not exist is told first. */
function archivedOr(error: unknown): unknown {
  return error instanceof Refusal && error.code !== 'not_found' ? householdArchived() : error;
}

/** @throws Refusal for what only the state after it shows */
function decisionOf(
  { household, end }: KnownHousehold,
  { householdId, envelope }: Asked,
  { transactions, tracked }: Facts,
  decided: readonly LedgerEvent[],
): Decision {
  const events = recordedEvents(householdId, household.revision, decided, envelope);
  const outcome = outcomeOf(household, events);
  if (events.length === 0) return { transactions, tracked, chained: null, outcome };
  const complete = chained(householdId, events, end?.hash ?? null, outcome.months, envelope);
  return { transactions, tracked, chained: complete, outcome };
}

/** @throws Refusal `batch_too_large` for what does not fit into one append */
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
    throw new Refusal(
      'batch_too_large',
      'The transactions have become too long to be changed back together.',
    );
  }
  if (command.type !== 'BatchTransactions' || fitsIntoOneAppend(chained)) return;
  const max = await mostThatFit(command.operations, operations => {
    const decided = decide(known.household, { ...command, operations }, facts);
    const some = decisionOf(known, asked, facts, decided).chained;
    return some === null || fitsIntoOneAppend(some);
  });
  const message = `These operations do not fit into one record; the first ${max} do.`;
  throw new Refusal('batch_too_large', message, { operations_max: max });
}

/** Records what was decided, with the documents that it changes. @returns null where another append came first */
async function record(
  streams: HouseholdStreams,
  known: KnownHousehold,
  asked: Asked,
  decision: Decision,
  chained: Chained,
): Promise<Executed | null> {
  const { transactions, tracked, outcome } = decision;
  const touched = new Map(transactions);
  for (const transaction of tracked) touched.set(transaction.id, transaction);
  try {
    const recorded = await streams.record(asked.householdId, known, chained, outcome.household, touched);
    return executedOf(asked, decision, chained, recorded.months);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return null;
    if (error instanceof StreamDeleted) throw new HouseholdErased();
    throw error;
  }
}

/** Of a command that recorded nothing. */
const NOTHING_DONE = { events: [], months: [], monthDocuments: [], replayed: false, recorded: null } as const;

/** What a command did, or in a dry run would do. @param monthDocuments those that were written */
function executedOf(
  { command }: Asked,
  { transactions, outcome: { household, months } }: Decision,
  { events }: Chained,
  monthDocuments: Executed['monthDocuments'] = [],
): Executed {
  const named = new Set([...namedTransactions(command), ...transactions.keys()]);
  const after = transactionsAfter(named, transactions, events);
  return { ...NOTHING_DONE, household, events, months, monthDocuments, transactions: after };
}

function recordedBy({ firstRevision }: Settlement): Executed['recorded'] {
  return firstRevision === null ? null : { firstRevision };
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

const FIRST_WAIT_MS_MIN = 20;
const WAIT_MS_MAX = 250;
/** How long after a lost race a household counts as written by others as well. */
const CONTENDED_MS = 2_000;
/** The most that a command of such a household waits before it looks at it. */
const GIVE_WAY_MS_MAX = 20;
/** Households of which lost races are remembered. */
const REMEMBERED_MAX = 1_000;

/**
 * Races of processes for one household. Without any waiting, a process that has commands without end would win all of
 * them: it goes on while the other still reads what it did.
 */
export class Contention {
  /** When a race was last lost, the latest last. */
  private readonly lostAt = new Map<string, number>();

  /**
   * A random while before a command looks again: up to as long as it took to lose, doubled with each race.
   * @param lost how often it was decided before, for races or for what it had not seen
   */
  async waitAfterRace(householdId: string, lost: number, tookMs: number): Promise<void> {
    this.remember(householdId);
    const first = Math.max(FIRST_WAIT_MS_MIN, tookMs);
    await pause(Math.random() * backoffMs(lost + 1, first, WAIT_MS_MAX));
  }

  /** Whether a race for a household was lost lately: its next command gives way to others. */
  wasLostLately(householdId: string): boolean {
    const lostAt = this.lostAt.get(householdId);
    if (lostAt === undefined) return false;
    if (performance.now() - lostAt < CONTENDED_MS) return true;
    this.lostAt.delete(householdId);
    return false;
  }

  /** A random while, in which others come to the household. */
  giveWay(): Promise<void> {
    return pause(Math.random() * GIVE_WAY_MS_MAX);
  }

  private remember(householdId: string): void {
    this.lostAt.delete(householdId);
    this.lostAt.set(householdId, performance.now());
    const [oldest] = this.lostAt.keys();
    if (this.lostAt.size > REMEMBERED_MAX) this.lostAt.delete(oldest!);
  }
}

/** Not that of `node:timers/promises`, which the mock timers of Node 20 do not reach. */
function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}
