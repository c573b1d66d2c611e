import type { Document, DocumentText } from '#documents/documents';
import type { EventStore, RecordedEvent } from '#event-store/event-store';
import { decodeEvent, type DecodedEvent } from '#ledger/event-codec';
import { evolve } from '#ledger/evolve';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import { evolveTransaction, touchedTransactions, type TransactionRecord } from '#ledger/transaction-record';
import { paddedRevision, projectHousehold, type HouseholdDocuments } from '#projections/household-documents';
import { merchantDocuments, type MerchantDocument } from '#projections/merchant-document';
import { transactionDocument, type TransactionDocument } from '#projections/transaction-document';
import { streamOf } from '#streams/event-chain';
import { READ_MODEL_NAMES, type ReadModelName } from '#streams/read-models';

/** The read models that events make. Heads, which tell how far that has come, may lag behind. */
export type FoldedName = Exclude<ReadModelName, 'heads'>;

export const FOLDED_NAMES: readonly FoldedName[] = READ_MODEL_NAMES.filter(name => name !== 'heads');

/** Which part of a household's documents is folded. */
export interface FoldedPart {
  /** Whether a transaction, by its id, with its changes belongs to it; or a merchant, by the key of its document. */
  readonly includes: (text: string) => boolean;
  /** Whether those of the household's state do, which are few. */
  readonly withState: boolean;
}

const EVERYTHING: FoldedPart = { includes: () => true, withState: true };

/**
 * A household's documents as its events make them, from the very first one on. Nothing but the events is trusted: no
 * snapshot, no document. Holds the transactions, their changes and the merchants of its part in memory: transactions
 * as their JSON, because one text is copied much faster by a garbage collection than the many objects of a document, and
 * most are touched only once.
 */
export class HouseholdFold {
  private state: Household = NO_HOUSEHOLD;
  private last: RecordedEvent | null = null;
  private stateDocuments: HouseholdDocuments | null = null;
  /** By id. */
  private readonly transactions = new Map<string, DocumentText>();
  private readonly changes: Document[] = [];
  private readonly merchants = new Map<string, MerchantDocument>();

  private constructor(
    private readonly householdId: string,
    private readonly part: FoldedPart,
  ) {}

  /**
   * Folds the events up to a revision (inclusive).
   * @param proceed awaited before each page; throws to stop
   * @throws EventStoreUnavailable, UnknownEvent and whatever folding throws
   */
  static async of(
    store: EventStore,
    householdId: string,
    revision: number,
    proceed: () => Promise<void>,
    part: FoldedPart = EVERYTHING,
  ): Promise<HouseholdFold> {
    const fold = new HouseholdFold(householdId, part);
    if (revision < 0) return fold;
    for await (const page of store.readStream(streamOf(householdId), { from: 0, limit: revision + 1 })) {
      await proceed();
      fold.add(page);
    }
    return fold;
  }

  /** After the last event; as before the first one where the state does not belong to the part. */
  get household(): Household {
    return this.state;
  }

  /** Null where there was none. */
  get lastEvent(): RecordedEvent | null {
    return this.last;
  }

  /** Those of one read model, in no promised order. */
  texts(name: FoldedName): DocumentText[] {
    if (name === 'transactions') return [...this.transactions.values()];
    return this.otherDocuments(name).map(textOf);
  }

  /** As `texts`, each parsed when it is come to. */
  *documents(name: FoldedName): Generator<Document> {
    if (name !== 'transactions') yield* this.otherDocuments(name);
    else for (const { text } of this.transactions.values()) yield JSON.parse(text) as Document;
  }

  private otherDocuments(name: Exclude<FoldedName, 'transactions'>): readonly Document[] {
    switch (name) {
      case 'transactionChanges':
        return this.changes;
      case 'merchants':
        return [...this.merchants.values()];
      default:
        this.stateDocuments ??= projectHousehold(this.householdId, NO_HOUSEHOLD, this.state, [], new Map());
        return this.stateDocuments[name];
    }
  }

  private add(page: readonly RecordedEvent[]): void {
    const events = page.map(decodeEvent);
    if (this.part.withState) this.state = evolve(this.state, events);
    for (const event of events) this.addTransactions(event);
    for (const merchant of merchantDocuments(this.householdId, events)) {
      if (this.part.includes(merchant.key)) this.merchants.set(merchant.key, merchant);
    }
    this.last = page.at(-1) ?? this.last;
  }

  private addTransactions(event: DecodedEvent): void {
    for (const id of touchedTransactions(event)) {
      if (!this.part.includes(id)) continue;
      const former = this.transactions.get(id);
      const record = evolveTransaction(former ? recordIn(former) : null, event);
      const made = textOf(transactionDocument(this.householdId, record));
      this.transactions.set(id, made);
      if (event.type === 'TransactionCreated') continue;
      this.changes.push({ key: `${made.key}|${paddedRevision(event.revision)}`, revision: event.revision });
    }
  }
}

function textOf(document: Document): DocumentText {
  return { key: document.key, revision: document.revision, text: inOnePiece(JSON.stringify(document)) };
}

/**
 * V8 keeps what it has stringified as a tree of pieces until somebody looks into it: then the pieces are copied together,
 * and live on beside the whole. Looked into at once, they are garbage before anything has copied them.
 */
function inOnePiece(text: string): string {
  // A look whose answer is not used might be left out.
  return text.charCodeAt(0) === BRACE ? text : '';
}

/** Every document begins with one. */
const BRACE = 0x7b;

function recordIn({ text }: DocumentText): TransactionRecord {
  return (JSON.parse(text) as TransactionDocument).record;
}

/** Embedded stores answer at once: without this, requests of the same process would wait for the whole. */
export function requestsFirst(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
