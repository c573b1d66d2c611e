import type { Documents } from '#documents/documents';
import { CHANGED_NOTHING, IdempotencyKeys, type Settlement } from '#documents/idempotency-keys';
import { WrongExpectedRevision, type EventStore, type JsonObject } from '#event-store/event-store';
import type { Command } from '#ledger/commands';
import { decide, outcomeOf, type Facts, type Outcome } from '#ledger/decide';
import type { DecodedEvent } from '#ledger/event-codec';
import type { TransactionRecord } from '#ledger/transaction-record';
import { dated, type CommandEnvelope } from './command-envelope.js';
import { CommandFacts } from './command-facts.js';
import { PreconditionFailed, type Precondition } from './command-failures.js';
import { chained, recordedEvents, type Chained } from './event-chain.js';
import { unchanged, type Executed } from './executed.js';
import { streamOf } from './household-stream.js';
import type { KnownHouseholds } from './known-households.js';
import type { ReadModels } from './read-models.js';
import type { KnownHousehold } from './state-cache.js';
import { keyedCommandOf } from './recorded-keys.js';
import { isStoreDown } from './store-failures.js';

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

/** Decides commands on what this process knows of a household, and records and applies what they make. */
export class CommandDecisions {
  private readonly facts: CommandFacts;
  private readonly idempotencyKeys: IdempotencyKeys;

  constructor(
    private readonly store: EventStore,
    documents: Documents,
    models: ReadModels,
    private readonly households: KnownHouseholds,
  ) {
    this.facts = new CommandFacts(store, documents, models);
    this.idempotencyKeys = new IdempotencyKeys(documents);
  }

  /**
   * Decides a command once. What it records, the documents reflect in the end.
   * @param known the household's present state, as far as this process knows it
   * @throws as `HouseholdStreams.execute`
   */
  async attempt(
    householdId: string,
    known: KnownHousehold,
    command: Command,
    envelope: CommandEnvelope,
    precondition?: Precondition,
  ): Promise<Executed | Undecided> {
    const keyed = keyedCommandOf(envelope);
    const settled = keyed && (await this.idempotencyKeys.reserve(householdId, keyed));
    if (settled) return this.replayed(householdId, known, command, settled);
    let decision: Decision;
    try {
      const facts = await this.facts.of(householdId, known.household, command);
      decision = decisionOn(householdId, known, command, facts, envelope, precondition);
    } catch (error) {
      // What looks forbidden may be allowed by events that this process has not seen yet. What was looked up may be
      // newer than the state: whatever goes wrong then is no fault of the command.
      if (!isStoreDown(error) && (await this.households.refresh(householdId, known))) return 'outdated';
      throw error;
    }
    if (decision.events.length > 0) return this.record(householdId, known, command, envelope, decision);
    if (await this.households.refresh(householdId, known)) return 'outdated';
    if (keyed) await this.idempotencyKeys.settle(householdId, [{ ...keyed, ...CHANGED_NOTHING }]);
    const replayed = command.type === 'CreateTransaction';
    return { ...unchanged(known.household, decision.transaction), replayed };
  }

  /** Appends what was decided, and applies it. */
  private async record(
    householdId: string,
    known: KnownHousehold,
    command: Command,
    envelope: CommandEnvelope,
    { transaction, events, outcome: { household, months } }: Decision,
  ): Promise<Executed | 'overtaken'> {
    const complete = chained(householdId, events, known.end?.hash ?? null, months, envelope);
    if (!(await this.append(householdId, known, complete))) return 'overtaken';
    const transactions = transaction ? [transaction] : [];
    const decided = { household, end: complete.end, transactions };
    const applied = await this.households.apply(householdId, known, complete.events, decided);
    const transactionId = 'id' in command ? command.id : transaction?.id;
    return {
      household,
      events: complete.events,
      months,
      monthDocuments: applied.months,
      transaction: applied.transaction(transactionId ?? ''),
      replayed: false,
      recorded: null,
    };
  }

  /** Frees the key of a command that was refused. What cannot be freed now expires soon. */
  async release(householdId: string, envelope: CommandEnvelope): Promise<void> {
    const keyed = keyedCommandOf(envelope);
    if (keyed) await this.idempotencyKeys.release(householdId, keyed).catch(() => undefined);
  }

  private async replayed(
    householdId: string,
    known: KnownHousehold,
    command: Command,
    { firstRevision }: Settlement,
  ): Promise<Executed | Undecided> {
    if (await this.households.refresh(householdId, known)) return 'outdated';
    const transaction = await this.facts.transactionOf(householdId, known.household, command);
    const recorded = firstRevision === null ? null : { firstRevision };
    return { ...unchanged(known.household, transaction), replayed: true, recorded };
  }

  /** @returns false when another append came first */
  private async append(
    householdId: string,
    known: KnownHousehold,
    { events, texts }: Chained,
  ): Promise<boolean> {
    try {
      await this.store.append(
        streamOf(householdId),
        known.household.revision,
        events.map(({ id, type, data, metadata }, at) => ({
          id,
          type,
          data: json(data),
          metadata: json(metadata),
          texts: texts[at],
        })),
      );
      return true;
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return false;
      // The append may have happened: the stream tells when it is read again.
      this.households.forget(householdId);
      throw error;
    }
  }
}

/** @throws Refusal, PreconditionFailed */
function decisionOn(
  householdId: string,
  { household, end }: KnownHousehold,
  command: Command,
  facts: Facts,
  envelope: CommandEnvelope,
  precondition?: Precondition,
): Decision {
  if (precondition && !precondition(household, facts.transaction)) {
    throw new PreconditionFailed('This has changed since you read it.');
  }
  const decided = decide(household, command, facts);
  const events = recordedEvents(householdId, household.revision, decided, dated(envelope, end));
  return { transaction: facts.transaction, events, outcome: outcomeOf(household, events) };
}

/** Events are made of plain JSON values only; the type system cannot see that through interfaces. */
function json(value: object): JsonObject {
  return value as JsonObject;
}
