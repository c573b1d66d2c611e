import type { Collection, Documents } from '#documents/documents';
import type { EventStore, RecordedEvent } from '#event-store/event-store';
import { decodeEvent } from '#ledger/event-codec';
import { evolve } from '#ledger/evolve';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import type { TransactionRecord } from '#ledger/transaction-record';
import { neededTransactions, projectHousehold } from '#projections/household-documents';
import { addRecords, transactionKey, type TransactionDocument } from '#projections/transaction-document';
import { streamOf, timeOf } from '#streams/household-stream';
import { collectionsOf, writeHouseholdDocuments, type ReadModels } from '#streams/read-models';

/** Transactions that are read at once. */
const RECORDS_AT_ONCE = 5_000;

/** Where households are folded into anew: documents of nobody else, thrown away afterwards. */
export interface Scratch {
  readonly documents: Documents;
  readonly models: ReadModels;
}

/** The models of a scratch: nothing is searched there, so that no index has to be kept. */
export function scratchModels(models: ReadModels): ReadModels {
  const { name, durability } = models.transactions;
  const transactions: Collection<TransactionDocument> = { name, durability, indexes: [] };
  return { ...models, transactions };
}

/**
 * Folds one household from its events by the same functions as the projections, page by page, into a scratch: memory
 * does not grow with the household.
 */
export class ScratchFold {
  private state: Household = NO_HOUSEHOLD;
  private last: RecordedEvent | null = null;

  constructor(
    private readonly store: EventStore,
    private readonly scratch: Scratch,
    private readonly householdId: string,
  ) {}

  /** The revision that the scratch reflects; -1 before the first event. */
  get revision(): number {
    return this.state.revision;
  }

  /** As of that revision. */
  get household(): Household {
    return this.state;
  }

  /** When the last event that was folded was recorded, in milliseconds since the epoch. */
  get lastRecordedAt(): number {
    const at = this.last && timeOf(this.last);
    return at === null ? 0 : Date.parse(at);
  }

  /**
   * Folds on, up to a revision or the present end.
   * @throws EventStoreUnavailable, DocumentsUnavailable; UnknownEvent and others where the history makes no sense
   */
  async foldOn(
    upTo: number = Number.MAX_SAFE_INTEGER,
    folded: (events: number) => void = () => undefined,
  ): Promise<void> {
    const from = this.revision + 1;
    if (from > upTo) return;
    for await (const page of this.store.readStream(streamOf(this.householdId), {
      from,
      limit: upTo - from + 1,
    })) {
      if (page.length > 0) await this.apply(page);
      folded(page.length);
    }
  }

  /** Forgets the household's documents in the scratch. */
  async clear(): Promise<void> {
    if (this.last === null) return;
    for (const collection of collectionsOf(this.scratch.models)) {
      await this.scratch.documents.removePrefix(collection, this.householdId);
    }
  }

  private async apply(page: readonly RecordedEvent[]): Promise<void> {
    const { documents, models } = this.scratch;
    const events = page.map(decodeEvent);
    const before = this.state;
    const after = evolve(before, events);
    const records = await this.records(neededTransactions(events));
    const changed = projectHousehold(this.householdId, before, after, events, records);
    await writeHouseholdDocuments(documents, models, changed);
    this.state = after;
    this.last = page.at(-1)!;
  }

  private async records(ids: readonly string[]): Promise<Map<string, TransactionRecord>> {
    const { documents, models } = this.scratch;
    const records = new Map<string, TransactionRecord>();
    for (let at = 0; at < ids.length; at += RECORDS_AT_ONCE) {
      const keys = ids.slice(at, at + RECORDS_AT_ONCE).map(id => transactionKey(this.householdId, id));
      addRecords(records, await documents.getMany(models.transactions, keys));
    }
    return records;
  }
}
