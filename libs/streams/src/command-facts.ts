import type { Documents } from '#documents/documents';
import type { EventStore } from '#event-store/event-store';
import type { Command } from '#ledger/commands';
import { neededFacts, type Facts } from '#ledger/decide';
import type { TransactionContent } from '#ledger/events';
import type { Household } from '#ledger/household';
import type { TransactionRecord } from '#ledger/transaction-record';
import { recordOf, transactionKey } from '#projections/transaction-document';
import { CommandLog } from './command-log.js';
import { requestsFirst } from '#concurrency/requests-first';
import type { ReadModels } from './read-models.js';
import { trackedTransactions } from './tracked-transactions.js';
import { undoFacts } from './undo-facts.js';

/**
 * Looks up what a decision needs besides the household's state: single transactions, those that a command untracks,
 * and what came after a command that is to be undone. The documents must reflect the state's revision.
 */
export class CommandFacts {
  private readonly log: CommandLog;

  constructor(
    store: EventStore,
    private readonly documents: Documents,
    private readonly models: ReadModels,
  ) {
    this.log = new CommandLog(store);
  }

  /** @throws DocumentsUnavailable, EventStoreUnavailable */
  async of(householdId: string, household: Household, command: Command): Promise<Facts> {
    const needed = neededFacts(household, command);
    const transaction = needed.transactionId
      ? await this.transaction(householdId, needed.transactionId)
      : null;
    const posted = transaction && needed.posted ? await this.posted(householdId, transaction) : null;
    const tracked = needed.tracked
      ? await trackedTransactions(this.documents, this.models, householdId, needed.tracked)
      : [];
    const undo = needed.undo
      ? await undoFacts(this.log, householdId, needed.undo, id => this.transaction(householdId, id))
      : undefined;
    // What was looked up may be much, and so is what is decided on it.
    if (needed.tracked || needed.undo) await requestsFirst();
    return { transaction: transaction ?? undo?.transaction ?? null, posted, tracked, ...(undo && { undo }) };
  }

  /**
   * The transaction that a command names, or that the command was about which it undoes; null for none.
   * @throws DocumentsUnavailable, EventStoreUnavailable
   */
  async transactionOf(
    householdId: string,
    household: Household,
    command: Command,
  ): Promise<TransactionRecord | null> {
    if (command.type === 'UndoCommand') return (await this.of(householdId, household, command)).transaction;
    return 'id' in command ? this.transaction(householdId, command.id) : null;
  }

  private async transaction(householdId: string, id: string): Promise<TransactionRecord | null> {
    const document = await this.documents.get(this.models.transactions, transactionKey(householdId, id));
    return document && recordOf(document);
  }

  /** What was first posted: it stands in the event that created the transaction. */
  private async posted(householdId: string, record: TransactionRecord): Promise<TransactionContent | null> {
    const event = await this.log.eventAt(householdId, record.createdRevision);
    return event?.type === 'TransactionCreated' ? event.data.content : null;
  }
}
