import type { Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { namedTransactions, neededFacts, type Command } from '#ledger/commands';
import type { Facts, TrackedIn } from '#ledger/command-declaration';
import {
  contentOf,
  type TransactionContent,
  type TransactionRecord,
} from '#ledger/transactions/transaction-record';
import { touchedTransactions, type LedgerEvent } from '#ledger/events';
import type { Household } from '#ledger/household';
import { addRecords, transactionKey, recordOf } from '#projections/transaction-document';
import { CommandLog, COMMANDS_AT_ONCE, type RecordedCommandEvents } from './command-log.js';
import { requestsFirst, stepByStep } from '#concurrency/turns';
import type { ReadModels } from '../households/read-models.js';
import { TRANSACTIONS_PER_MONTH_MAX } from '#ledger/limits';
import { cellSteps, laterCommand, type LaterCommand } from '#ledger/undo/later-commands';

/** Events that are read at once. */
const READS_AT_ONCE = 8;

/** Looks up what a decision needs besides the household's state, whose revision the documents must reflect. */
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
    const target = needed.undo ? await this.log.commandOf(householdId, needed.undo) : null;
    // Two passes, so that only what matters of the later commands is held in memory.
    const undo = target && { target, later: await laterThan(this.log, householdId, target) };
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

  /** The transactions that a command is about, or the one that it undoes. @throws DocumentsUnavailable, EventStoreUnavailable */
  async transactionsOf(
    householdId: string,
    household: Household,
    command: Command,
  ): Promise<Facts['transactions']> {
    if (command.type === 'UndoCommand') return (await this.of(householdId, household, command)).transactions;
    return this.transactions(householdId, namedTransactions(command));
  }

  /** Those that are there, in the order of the ids. */
  private async transactions(householdId: string, ids: readonly string[]): Promise<Facts['transactions']> {
    const keys = ids.map(id => transactionKey(householdId, id));
    const [key, another] = keys;
    if (key === undefined) return new Map();
    const found =
      another === undefined
        ? [await this.documents.get(this.models.transactions, key)]
        : await this.documents.getMany(this.models.transactions, keys);
    const records = new Map<string, TransactionRecord>();
    const present = found.filter(document => document !== null);
    addRecords(records, present);
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

/** Of at most 20,000. */
const DECODED_PER_TURN = 2_048;

/** The tracked transactions of a month, all or those with a split on one of the items, newest first. */
export async function trackedTransactions(
  documents: Documents,
  models: ReadModels,
  householdId: string,
  { month, itemIds }: TrackedIn,
): Promise<TransactionRecord[]> {
  if (itemIds.length === 0) return [];
  const onlyItems = itemIds !== 'all' && itemIds.length === 1 ? itemIds : [];
  const found = await documents.query(models.transactions, {
    index: 'by_tag',
    equals: { household: householdId, view: 'tracked', tags: [month, ...onlyItems] },
    order: 'descending',
    limit: TRANSACTIONS_PER_MONTH_MAX,
  });
  const records: TransactionRecord[] = [];
  while (found.length > 0) {
    await requestsFirst();
    // Taken out, so that the documents are garbage before all records are there.
    for (const document of found.splice(0, DECODED_PER_TURN)) records.push(recordOf(document));
  }
  if (itemIds === 'all') return records;
  const wanted = new Set(itemIds);
  return records.filter(({ splits }) => splits.some(({ itemId }) => wanted.has(itemId)));
}

/** The transactions that a command was about: those that it untracked along the way are not meant. */
export function transactionsOf(events: readonly LedgerEvent[]): readonly string[] {
  const parts = events.flatMap(event => (event.type === 'CommandUndone' ? event.data.events : [event]));
  return [...new Set(parts.flatMap(({ data }) => ('id' in data ? [data.id] : [])))];
}

/** The one transaction that a command was about; null where it was about none, or several. */
export function transactionOf(events: RecordedCommandEvents): string | null {
  const [id, another] = transactionsOf(events);
  return id === undefined || another !== undefined ? null : id;
}

/** What every command after this one did to the same, in their order. @throws EventStoreUnavailable, UnknownEvent */
export async function laterThan(
  log: CommandLog,
  householdId: string,
  target: RecordedCommandEvents,
): Promise<LaterCommand[]> {
  const cells = await stepByStep(cellSteps(target));
  const later: LaterCommand[] = [];
  for await (const events of log.backwards(householdId, null, COMMANDS_AT_ONCE)) {
    if (events[0].revision <= target[0].revision) break;
    later.push(laterCommand(events, cells));
    if (events.some(event => touchedTransactions(event).length > 1)) await requestsFirst();
  }
  return later.reverse();
}
