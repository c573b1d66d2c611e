import { requestsFirst } from '#concurrency/turns';
import type { Document, DocumentText } from '#storage/documents/documents';
import type { EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { decodeEvent, type DecodedEvent } from '#ledger/event-codec';
import { evolveTransaction, touchedTransactions } from '#ledger/events';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import {
  paddedRevision,
  projectHousehold,
  type HouseholdDocuments,
  merchantDocuments,
} from '#projections/household-documents';
import {
  recordOf,
  transactionDocument,
  transactionKey,
  type TransactionDocument,
} from '#projections/transaction-document';
import { statesAlong, type StateAlong } from './snapshots.js';
import { streamOf, timeOf } from './household-stream.js';
import type { DocumentName } from './read-models.js';

/** At most this many transactions of one event are folded before requests are let in between. */
const TOUCHED_PER_TURN = 2_048;

interface FoldOptions {
  /** Whether a transaction, by its id, with its changes is held; or a merchant, by its key. All of them by default. */
  readonly includes?: (text: string) => boolean;
  /** Whether the states along the events are held, and not the last one alone; false by default. */
  readonly withStatesAlong?: boolean;
  /** The most transactions, changes and merchants that are held; unlimited by default. */
  readonly documentsMax?: number | undefined;
  /** Awaited after each page. */
  readonly onPage?: (events: readonly DecodedEvent[]) => Promise<void>;
}

/** A fold would hold more documents than it may. */
export class FoldTooLarge extends Error {
  override readonly name = 'FoldTooLarge';
}

/**
 * A household's documents as its events make them, from the very first one on: no snapshot or document is trusted. What it
 * holds of them is JSON, because a garbage collection copies one text much faster than the many objects of a document.
 */
export class HouseholdFold {
  private last: RecordedEvent | null = null;
  private held: StateAlong[] = [];
  private stateDocuments: HouseholdDocuments | null = null;
  /** By key. */
  private readonly made = {
    transactions: new Map<string, DocumentText>(),
    transactionChanges: new Map<string, DocumentText>(),
    merchants: new Map<string, DocumentText>(),
  };

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
    const range = { from, limit: upTo - from + 1 };
    for await (const page of this.store.readStream(streamOf(this.householdId), range)) {
      await requestsFirst();
      const events = await this.add(page);
      await onPage?.(events);
      if (this.size > documentsMax) throw new FoldTooLarge('too many documents for one fold');
    }
  }

  private get size(): number {
    const { transactions, transactionChanges, merchants } = this.made;
    return transactions.size + transactionChanges.size + merchants.size;
  }

  get household(): Household {
    return this.held.at(-1)?.household ?? NO_HOUSEHOLD;
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
  get states(): readonly StateAlong[] {
    return this.held;
  }

  /** One document; undefined if the events do not make it, or if it is not included. */
  text(name: DocumentName, key: string): DocumentText | undefined {
    if (isHeld(name)) return this.made[name].get(key);
    return this.texts(name).find(made => made.key === key);
  }

  *records(): Generator<TransactionRecord> {
    for (const text of this.made.transactions.values()) yield recordIn(text);
  }

  /** The documents of one read model, in no promised order. */
  texts(name: DocumentName): readonly DocumentText[] {
    if (isHeld(name)) return [...this.made[name].values()];
    this.stateDocuments ??= projectHousehold(this.householdId, NO_HOUSEHOLD, this.household, [], new Map());
    return this.stateDocuments[name].map(textOf);
  }

  private async add(page: readonly RecordedEvent[]): Promise<readonly DecodedEvent[]> {
    const events = page.map(decodeEvent);
    const states = statesAlong(this.household, events, page);
    this.held = this.options.withStatesAlong ? [...this.held, ...states] : states.slice(-1);
    this.stateDocuments = null;
    for (const event of events) {
      const touched = touchedTransactions(event);
      for (let at = 0; at < touched.length; at += TOUCHED_PER_TURN) {
        if (at > 0) await requestsFirst();
        this.addTransactions(event, touched.slice(at, at + TOUCHED_PER_TURN));
      }
    }
    for (const merchant of merchantDocuments(this.householdId, events)) {
      if (this.isIncluded(merchant.key)) this.made.merchants.set(merchant.key, textOf(merchant));
    }
    this.last = page.at(-1) ?? this.last;
    return events;
  }

  private isIncluded(text: string): boolean {
    return this.options.includes?.(text) ?? true;
  }

  private addTransactions(event: DecodedEvent, touched: readonly string[]): void {
    for (const id of touched) {
      if (!this.isIncluded(id)) continue;
      const former = this.made.transactions.get(transactionKey(this.householdId, id));
      const record = evolveTransaction(former ? recordIn(former) : null, event);
      const made = textOf(transactionDocument(this.householdId, record));
      this.made.transactions.set(made.key, made);
      if (event.type === 'TransactionCreated') continue;
      const { revision } = event;
      const change = textOf({ key: `${made.key}|${paddedRevision(revision)}`, revision });
      this.made.transactionChanges.set(change.key, change);
    }
  }
}

/** There are as many of these as events; the others are made of the household's state, which is held anyway. */
const HELD = ['transactions', 'transactionChanges', 'merchants'] as const;

/** Whether the documents of a read model are held one by one. */
export function isHeld(name: DocumentName): name is (typeof HELD)[number] {
  return HELD.some(held => held === name);
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
