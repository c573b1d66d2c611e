import type { EventStore } from '#event-store/event-store';
import { decodeEvent, type DecodedEvent } from '#ledger/event-codec';
import { evolveTransaction, touchedTransactions, type TransactionRecord } from '#ledger/transaction-record';
import { transactionKey } from '#projections/transaction-document';
import { streamOf } from '#streams/household-stream';

/** The most events that are remembered. */
const TAIL_EVENTS_MAX = 10_000;

/** The events of a household after a revision, read when they are asked for, by the transactions that they touch. */
export class StreamTail {
  /** By the keys of the transactions' documents. */
  private readonly touching = new Map<string, DecodedEvent[]>();
  private last: number;

  /**
   * @param after exclusive
   * @param eventsMax how many are remembered
   */
  constructor(
    private readonly store: EventStore,
    private readonly householdId: string,
    private readonly after: number,
    private readonly eventsMax = TAIL_EVENTS_MAX,
  ) {
    this.last = after;
  }

  /** Reads as far as a revision at least, where the stream is that long. @throws EventStoreUnavailable, UnknownEvent */
  async reach(revision: number): Promise<'reached' | 'past the end' | 'too long'> {
    if (revision <= this.last) return 'reached';
    const limit = this.after + this.eventsMax - this.last;
    if (limit > 0) await this.read(limit);
    if (revision <= this.last) return 'reached';
    return this.last >= this.after + this.eventsMax ? 'too long' : 'past the end';
  }

  /**
   * A transaction as of a revision that was reached.
   * @param key of its document
   * @param record as of the beginning of the tail; null where it was not there yet
   */
  fold(key: string, record: TransactionRecord | null, revision: number): TransactionRecord | null {
    const events = (this.touching.get(key) ?? []).filter(event => event.revision <= revision);
    return events.reduce(evolveTransaction, record);
  }

  private async read(limit: number): Promise<void> {
    const range = { from: this.last + 1, limit };
    for await (const page of this.store.readStream(streamOf(this.householdId), range)) {
      for (const event of page.map(decodeEvent)) this.add(event);
    }
  }

  private add(event: DecodedEvent): void {
    this.last = event.revision;
    for (const id of touchedTransactions(event)) {
      const key = transactionKey(this.householdId, id);
      const events = this.touching.get(key);
      if (events) events.push(event);
      else this.touching.set(key, [event]);
    }
  }
}
