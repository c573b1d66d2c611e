import type { Documents } from '#documents/documents';
import type { EventStore } from '#event-store/event-store';
import { namedTransactions, type Command } from '#ledger/commands';
import { neededFacts, type Facts } from '#ledger/decide';
import type { TransactionContent } from '#ledger/events';
import type { Household } from '#ledger/household';
import { contentOf, type TransactionRecord } from '#ledger/transaction-record';
import { addRecords, transactionKey } from '#projections/transaction-document';
import { CommandLog } from './command-log.js';
import { requestsFirst } from '#concurrency/requests-first';
import type { ReadModels } from './read-models.js';
import { trackedTransactions } from './tracked-transactions.js';
import { transactionsOf, undoFacts } from './undo-facts.js';

/** Events that are read at once. */
const READS_AT_ONCE = 8;

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
    const undo = needed.undo ? await undoFacts(this.log, householdId, needed.undo) : undefined;
    const ids = undo ? transactionsOf(undo.target) : (needed.transactionIds ?? []);
    const transactions = await this.transactions(householdId, ids);
    const posted = await this.posted(householdId, transactions, needed.posted ?? []);
    const tracked = needed.tracked
      ? await trackedTransactions(this.documents, this.models, householdId, needed.tracked)
      : [];
    // What was looked up may be much, and so is what is decided on it.
    if (needed.tracked || needed.undo) await requestsFirst();
    return { transactions, posted, tracked, ...(undo && { undo }) };
  }

  /**
   * The transactions that a command is about, or that the command was about which it undoes.
   * @throws DocumentsUnavailable, EventStoreUnavailable
   */
  async transactionsOf(
    householdId: string,
    household: Household,
    command: Command,
  ): Promise<Facts['transactions']> {
    if (command.type === 'UndoCommand') return (await this.of(householdId, household, command)).transactions;
    return this.transactions(householdId, namedTransactions(command));
  }

  /** Those of them that are there, in the order of the ids. */
  private async transactions(householdId: string, ids: readonly string[]): Promise<Facts['transactions']> {
    const keys = ids.map(id => transactionKey(householdId, id));
    const [key, another] = keys;
    if (key === undefined) return new Map();
    const found =
      another === undefined
        ? [await this.documents.get(this.models.transactions, key)]
        : await this.documents.getMany(this.models.transactions, keys);
    const records = new Map<string, TransactionRecord>();
    addRecords(
      records,
      found.filter(document => document !== null),
    );
    return inOrder(records, ids);
  }

  /** What was first posted: a transaction that nothing has touched since still says it, else the event that created it. */
  private async posted(
    householdId: string,
    transactions: Facts['transactions'],
    ids: readonly string[],
  ): Promise<Facts['posted']> {
    const posted = new Map<string, TransactionContent>();
    const touched: TransactionRecord[] = [];
    for (const record of ids.flatMap(id => transactions.get(id) ?? [])) {
      if (record.revision === record.createdRevision) posted.set(record.id, contentOf(record));
      else touched.push(record);
    }
    for (let from = 0; from < touched.length; from += READS_AT_ONCE) {
      const some = touched.slice(from, from + READS_AT_ONCE);
      const events = some.map(({ createdRevision }) => this.log.eventAt(householdId, createdRevision));
      for (const event of await Promise.all(events)) {
        if (event?.type === 'TransactionCreated') posted.set(event.data.id, event.data.content);
      }
    }
    return posted;
  }
}

/** The entries with these keys, in their order. */
export function inOrder<T>(entries: ReadonlyMap<string, T>, keys: Iterable<string>): ReadonlyMap<string, T> {
  const ordered = new Map<string, T>();
  for (const key of keys) {
    const value = entries.get(key);
    if (value !== undefined) ordered.set(key, value);
  }
  return ordered;
}
