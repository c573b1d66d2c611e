import { requestsFirst } from '#concurrency/requests-first';
import type { Document } from '#storage/documents/documents';
import type { EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { decodeEvent, type DecodedEvent } from '#ledger/event-codec';
import { evolve, evolveTransaction, touchedTransactions } from '#ledger/events';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import {
  paddedRevision,
  projectHousehold,
  type HouseholdDocuments,
  merchantDocuments,
  type MerchantDocument,
} from '#projections/household-documents';
import { recordOf, transactionDocument, type TransactionDocument } from '#projections/transaction-document';
import { type StateAlong, SNAPSHOT_EVERY_EVENTS } from './snapshots.js';
import { endAt, streamOf, timeOf } from './household-stream.js';
import type { DocumentName } from './read-models.js';

/** At most this many transactions of one event are folded before requests are let in between. */
const TOUCHED_PER_TURN = 2_048;

/** A document that is at hand as its JSON alone. */
export interface DocumentText {
  readonly key: string;
  readonly revision: number;
  /** All of the document, key and revision included, as `JSON.stringify` writes it. */
  readonly text: string;
}

interface FoldOptions {
  /**
   * Whether a transaction, by its id, with its changes is held; or a merchant, by the key of its document. All of them by
   * default.
   */
  readonly includes?: (text: string) => boolean;
  /** Whether the household's state is folded, and its documents made, which are few; true by default. */
  readonly withState?: boolean;
  /** Whether states are held along the events as often as snapshots are due; false by default. */
  readonly withStatesAlong?: boolean;
  /** The most transactions, changes and merchants that are held; unlimited by default. */
  readonly documentsMax?: number;
  /** Awaited after each page. */
  readonly onPage?: (events: readonly DecodedEvent[]) => Promise<void>;
}

/** A fold would hold more documents than it may. */
export class FoldTooLarge extends Error {
  override readonly name = 'FoldTooLarge';
}

/**
 * A household's documents as its events make them, from the very first one on. Nothing but the events is trusted: no
 * snapshot, no document. Holds the transactions, their changes and the merchants in memory: transactions as their JSON,
 * because one text is copied much faster by a garbage collection than the many objects of a document, and most are touched
 * only once.
 */
export class HouseholdFold {
  private state: Household = NO_HOUSEHOLD;
  private last: RecordedEvent | null = null;
  private readonly statesAlong: StateAlong[] = [];
  private stateDocuments: HouseholdDocuments | null = null;
  /** By id. */
  private readonly transactions = new Map<string, DocumentText>();
  private readonly changes = new Map<string, DocumentText>();
  private readonly merchants = new Map<string, MerchantDocument>();

  constructor(
    private readonly store: EventStore,
    private readonly householdId: string,
    private readonly options: FoldOptions,
  ) {}

  /**
   * Folds the next events, up to a revision (inclusive), giving way to requests before each page.
   * @throws EventStoreUnavailable, FoldTooLarge, UnknownEvent and whatever folding throws
   */
  async foldOn(upTo: number): Promise<void> {
    const { documentsMax = Infinity, onPage } = this.options;
    const from = this.revision + 1;
    if (from > upTo) return;
    for await (const page of this.store.readStream(streamOf(this.householdId), {
      from,
      limit: upTo - from + 1,
    })) {
      await requestsFirst();
      const events = await this.add(page);
      await onPage?.(events);
      if (this.held > documentsMax) throw new FoldTooLarge('too many documents for one fold');
    }
  }

  private get held(): number {
    return this.transactions.size + this.changes.size + this.merchants.size;
  }

  /** As of the last event, where the state is folded. */
  get household(): Household {
    return this.state;
  }

  /** When the last event was recorded, in milliseconds since the epoch; 0 if that is not known. */
  get lastRecordedAt(): number {
    const at = this.last && timeOf(this.last);
    return at === null ? 0 : Date.parse(at);
  }

  /** As of the last event; -1 before the first. */
  get revision(): number {
    return this.last?.revision ?? -1;
  }

  /** The states along the events, where they are held, and the one after all events last. */
  states(): readonly StateAlong[] {
    return this.last ? [...this.statesAlong, this.stateAt(this.last)] : [];
  }

  /** One document; undefined if the events do not make it, or if it is not included. */
  text(name: DocumentName, key: string): DocumentText | undefined {
    switch (name) {
      case 'transactions':
        return this.transactions.get(key.slice(this.householdId.length + 1));
      case 'transactionChanges':
        return this.changes.get(key);
      case 'merchants': {
        const merchant = this.merchants.get(key);
        return merchant && textOf(merchant);
      }
      default:
        return this.texts(name).find(made => made.key === key);
    }
  }

  /** The transactions. */
  *records(): Generator<TransactionRecord> {
    for (const text of this.transactions.values()) yield recordIn(text);
  }

  /** The documents of one read model, in no promised order. */
  texts(name: DocumentName): readonly DocumentText[] {
    switch (name) {
      case 'transactions':
        return [...this.transactions.values()];
      case 'transactionChanges':
        return [...this.changes.values()];
      case 'merchants':
        return Array.from(this.merchants.values(), textOf);
      default:
        this.stateDocuments ??= projectHousehold(this.householdId, NO_HOUSEHOLD, this.state, [], new Map());
        return this.stateDocuments[name].map(textOf);
    }
  }

  private async add(page: readonly RecordedEvent[]): Promise<readonly DecodedEvent[]> {
    const events = page.map(decodeEvent);
    if (this.options.withState !== false) this.evolve(events, page);
    for (const event of events) {
      const touched = touchedTransactions(event);
      for (let at = 0; at < touched.length; at += TOUCHED_PER_TURN) {
        if (at > 0) await requestsFirst();
        this.addTransactions(event, touched.slice(at, at + TOUCHED_PER_TURN));
      }
    }
    for (const merchant of merchantDocuments(this.householdId, events)) {
      if (this.isIncluded(merchant.key)) this.merchants.set(merchant.key, merchant);
    }
    this.last = page.at(-1) ?? this.last;
    return events;
  }

  private isIncluded(text: string): boolean {
    return this.options.includes?.(text) ?? true;
  }

  private evolve(events: readonly DecodedEvent[], page: readonly RecordedEvent[]): void {
    this.stateDocuments = null;
    for (let from = 0; from < events.length;) {
      const sinceSnapshot = (this.state.revision + 1) % SNAPSHOT_EVERY_EVENTS;
      const some = events.slice(from, from + SNAPSHOT_EVERY_EVENTS - sinceSnapshot);
      this.state = evolve(this.state, some);
      from += some.length;
      if (sinceSnapshot + some.length < SNAPSHOT_EVERY_EVENTS || this.options.withStatesAlong !== true)
        continue;
      this.statesAlong.push(this.stateAt(page[from - 1]!));
    }
  }

  private stateAt(event: RecordedEvent): StateAlong {
    return { household: this.state, end: endAt(streamOf(this.householdId), event) };
  }

  private addTransactions(event: DecodedEvent, touched: readonly string[]): void {
    for (const id of touched) {
      if (!this.isIncluded(id)) continue;
      // What is created was not there: it need not be looked for.
      const former = event.type === 'TransactionCreated' ? undefined : this.transactions.get(id);
      const record = evolveTransaction(former ? recordIn(former) : null, event);
      const made = textOf(transactionDocument(this.householdId, record));
      this.transactions.set(id, made);
      if (event.type === 'TransactionCreated') continue;
      const { revision } = event;
      const change = textOf({ key: `${made.key}|${paddedRevision(revision)}`, revision });
      this.changes.set(change.key, change);
    }
  }
}

function textOf(document: Document): DocumentText {
  return { key: document.key, revision: document.revision, text: inOnePiece(JSON.stringify(document)) };
}

/** Reads the text once, so that V8 puts its pieces together (ADR 26). */
function inOnePiece(text: string): string {
  // A read whose result is not used might be optimised away.
  if (text.charCodeAt(0) !== BRACE) throw new TypeError('a document is a JSON object');
  return text;
}

const BRACE = 0x7b;

function recordIn({ text }: DocumentText): TransactionRecord {
  return recordOf(JSON.parse(text) as TransactionDocument);
}
