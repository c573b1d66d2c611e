import { Injectable } from '@nestjs/common';
import { Documents } from '#storage/documents/documents';
import { hashOfCommand } from '#http/repeatable-write';
import { archivedHousehold } from '#identity/households/household-draft';
import { Clock } from '#concurrency/clock';
import { Randomness } from '#identity/surroundings';
import { decide, neededFacts, type Command } from '#ledger/commands';
import { NO_FACTS } from '#ledger/command-declaration';
import { Refusal } from '#ledger/refusal';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import { addRecords, transactionKey } from '#projections/transaction-document';
import type { CommandEnvelope } from '#engine/commands/command-envelope';
import { CommandHandler } from '#engine/commands/command-handler';
import { LiveStreams } from '#engine/versions/live-streams';
import type { Executed } from '#engine/commands/executed';
import { preconditionOf } from './precondition.js';
import type { HouseholdCall } from './household-call.js';

/** Where a command holds ids that were drawn for it: two calls that ask for the same differ there. */
const FRESH_IDS: Partial<Record<Command['type'], string>> = {
  CreateMonth: 'newIds',
  ResetMonth: 'newIds',
  AddGroup: 'groupId',
  AddItem: 'itemId',
};

/** Sends commands of the API to their handler. */
@Injectable()
export class HouseholdCommands {
  constructor(
    private readonly handler: CommandHandler,
    private readonly streams: LiveStreams,
    private readonly documents: Documents,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** An id for something new, greater than every earlier one of this process. */
  freshId(): string {
    return this.randomness.ulid(this.clock.now());
  }

  freshIds(count: number): string[] {
    return Array.from({ length: count }, () => this.freshId());
  }

  /**
   * Decides and records a command for the caller, or only decides it where it is a dry run.
   * @throws ApiError `conflict` for an archived household, and whatever `CommandHandler.handle` throws
   */
  async send(call: HouseholdCall, command: Command): Promise<Executed> {
    const { householdId, archived, dryRun } = call;
    if (archived) return this.refuseArchived(householdId, command);
    const precondition = preconditionOf(call, command);
    return this.handler.handle(householdId, command, this.envelope(call, command), { precondition, dryRun });
  }

  private envelope(call: HouseholdCall, command: Command): CommandEnvelope {
    const { actor, requestId, idempotencyKey: key } = call;
    const envelope = {
      actor,
      now: () => new Date(this.clock.now()).toISOString(),
      commandId: this.freshId(),
      requestId,
    };
    return key === undefined
      ? envelope
      : { ...envelope, idempotency: { key, commandHash: commandHash(command) } };
  }

  /** That a household is archived counts among the domain rules: what does not exist is told first. */
  private async refuseArchived(householdId: string, command: Command): Promise<never> {
    // Its handler has found what it is about.
    if (command.type === 'UndoCommand') throw archivedHousehold();
    const household = await this.streams.catchUp(householdId);
    const { transactionIds = [] } = neededFacts(household, command);
    const keys = transactionIds.map(id => transactionKey(householdId, id));
    const transactions = new Map<string, TransactionRecord>();
    const { transactions: collection } = this.streams.models;
    addRecords(transactions, await this.documents.getMany(collection, keys));
    try {
      decide(household, command, { ...NO_FACTS, transactions });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'not_found') throw error;
    }
    throw archivedHousehold();
  }
}

/** SHA-256 of what a command asks for, ids drawn for it left out, in hexadecimal. */
export function commandHash(command: Command): string {
  const drawn = FRESH_IDS[command.type];
  const asked = Object.fromEntries(Object.entries(command).filter(([name]) => name !== drawn));
  return hashOfCommand(asked);
}
