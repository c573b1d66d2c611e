import type { Documents } from '#storage/documents/documents';
import type { EventStore, RecordedEvent } from '#storage/event-store/event-store';
import { decodeEvent } from '#ledger/event-codec';
import { evolve } from '#ledger/events';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import { eventAt, lastEventOf, streamOf, timeOf } from './household-stream.js';
import { ownTurn } from '#concurrency/turns';
import { Snapshots } from './snapshots.js';

/**
 * Households as they were. A moment stands for the last event that was recorded at it or before (ADR 20). Where clocks
 * disagreed by so much that times do not rise along the stream, it stands for an event at or before it whose follower came
 * after it.
 */
export class PastHouseholds {
  private readonly snapshots: Snapshots;

  constructor(
    private readonly store: EventStore,
    documents: Documents,
  ) {
    this.snapshots = new Snapshots(documents);
  }

  /** The household as it stood at a moment. @throws as `atRevision` */
  async at(householdId: string, timestamp: string): Promise<Household> {
    return this.atRevision(householdId, await this.revisionAt(householdId, timestamp));
  }

  /** After the event at a revision; -1 for before the first. @throws EventStoreUnavailable, DocumentsUnavailable, UnknownEvent */
  async atRevision(householdId: string, revision: number): Promise<Household> {
    if (revision < 0) return NO_HOUSEHOLD;
    await ownTurn();
    const snapshot = await this.snapshots.latest(householdId, revision);
    let household = snapshot?.household ?? NO_HOUSEHOLD;
    const from = household.revision + 1;
    if (from > revision) return household;
    const range = { from, limit: revision - from + 1 };
    for await (const page of this.store.readStream(streamOf(householdId), range)) {
      household = evolve(household, page.map(decodeEvent));
    }
    return household;
  }

  /** Of the last event at a moment or before, or -1: found by halving. @throws EventStoreUnavailable */
  async revisionAt(householdId: string, timestamp: string): Promise<number> {
    const last = await lastEventOf(this.store, householdId);
    if (!last) return -1;
    if ((await this.timeOrEarlier(last)) <= timestamp) return last.revision;
    let before = -1;
    let after = last.revision;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      const event = await eventAt(this.store, householdId, middle);
      if (event && (await this.timeOrEarlier(event)) <= timestamp) before = middle;
      else after = middle;
    }
    return before;
  }

  /** One whose text is damaged has the time of the one before it: a moment after it fails and stands for no older state. */
  private async timeOrEarlier(event: RecordedEvent): Promise<string> {
    const at = timeOf(event);
    if (at !== null) return at;
    const range = { from: event.revision, direction: 'backwards' } as const;
    for await (const page of this.store.readStream(event.stream, range)) {
      for (const earlier of page) {
        const time = timeOf(earlier);
        if (time !== null) return time;
      }
    }
    return '';
  }
}
