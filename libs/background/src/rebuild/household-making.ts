import type { Collection, Document, Documents, DocumentText } from '#documents/documents';
import { TextDigest } from '#documents/text-digest';
import type { EventStore } from '#event-store/event-store';
import { endAt, lastEventOf, streamOf } from '#streams/event-chain';
import type { HouseholdStreams } from '#streams/household-streams';
import { Snapshots, type SnapshotCollections } from '#streams/snapshots';
import { householdRange } from '../household-pages.js';
import type { Ahead } from '../run-ahead.js';
import { FOLDED_NAMES, HouseholdFold, requestsFirst, type FoldedName } from './household-fold.js';

/** Households that are made at the same time have so many events together at most: their transactions are in memory. */
export const MADE_EVENTS_MAX = 60_000;
/** Documents that are put at once. */
const PUT_DOCUMENTS = 512;
/** Households of which it is remembered what was made; of others everything is compared. */
const MADE_MAX = 50_000;

/** What was made of a household. */
interface Made {
  readonly revision: number;
  /** Of the digests of its collections. */
  readonly digest: string;
}

export interface MakingOptions {
  /** Where the snapshots of the read models that are made are kept. */
  readonly snapshots: SnapshotCollections | undefined;
  /** A household that is made has so many events at most. */
  readonly eventsMax: number;
  readonly signal: AbortSignal;
}

/**
 * Makes all documents of a household at once, where there are none yet: by the very fold that a verification compares
 * with, each document written once, as it is after the last event. What was put is remembered as a digest, so that a
 * verification need not fold the events a second time: it is enough that the store holds the same texts.
 */
export class HouseholdMaking {
  private readonly made = new Map<string, Made>();
  private readonly snapshots: Snapshots;
  private folding: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    private readonly builder: HouseholdStreams,
    private readonly options: MakingOptions,
  ) {
    this.snapshots = new Snapshots(documents, options.snapshots);
  }

  /**
   * @param from the revision of an event that is surely recorded
   * @param upTo the last revision to apply
   * @returns null where something is there already, or the household has too many events to be held: nothing was
   *   written, and it is to be brought ahead step by step
   * @throws EventStoreUnavailable, DocumentsUnavailable, what folding throws, and why the signal was given
   */
  async make(householdId: string, from: number, upTo: number): Promise<Ahead | null> {
    if ((await this.builder.reflectedRevision(householdId)) >= 0) return null;
    const end = (await lastEventOf(this.store, householdId))?.revision ?? -1;
    const revision = Math.min(end, upTo);
    const isTooLong = revision >= this.options.eventsMax;
    if (end < from || isTooLong) return null;
    const fold = await this.foldInTurn(householdId, revision);
    const { lastEvent, household } = fold;
    // A server may tell of an event before its stream can be read up to there.
    if (lastEvent?.revision !== revision) return null;
    const digests: string[] = [];
    for (const name of this.names()) {
      digests.push(await this.put(this.builder.models[name], fold.texts(name)));
    }
    await this.snapshots.save(householdId, household, endAt(streamOf(householdId), lastEvent), null);
    if (this.made.size >= MADE_MAX) this.made.clear();
    this.made.set(householdId, { revision, digest: digestOf(digests) });
    return { revision, events: revision + 1 };
  }

  /** Whether the store holds of a household what was made of it here, and nothing else. @throws DocumentsUnavailable */
  async isAsMade(householdId: string, revision: number): Promise<boolean> {
    const made = this.made.get(householdId);
    if (made?.revision !== revision) return false;
    const digests: string[] = [];
    for (const name of this.names()) {
      digests.push(await this.documents.digest(this.builder.models[name], householdRange(householdId)));
    }
    return digestOf(digests) === made.digest;
  }

  /**
   * One household after the other: while the documents of one are written, the events of another are read. Two that
   * began together would do the same at the same time, and have the processor and the store wait in turn.
   */
  private foldInTurn(householdId: string, revision: number): Promise<HouseholdFold> {
    const folded = this.folding.then(() =>
      HouseholdFold.of(this.store, householdId, revision, () => this.proceed()),
    );
    this.folding = folded.catch(() => undefined);
    return folded;
  }

  private names(): readonly FoldedName[] {
    const { written } = this.builder.models;
    return FOLDED_NAMES.filter(name => written?.includes(name) !== false);
  }

  /** @returns the digest of what is put */
  private async put(collection: Collection<Document>, texts: readonly DocumentText[]): Promise<string> {
    const digest = new TextDigest();
    const inOrder = texts.toSorted(byKey);
    for (let at = 0; at < inOrder.length; at += PUT_DOCUMENTS) {
      await this.proceed();
      const some = inOrder.slice(at, at + PUT_DOCUMENTS);
      digest.add(some.map(({ text }) => text));
      await this.documents.putTexts(collection, some);
    }
    return digest.end();
  }

  private async proceed(): Promise<void> {
    this.options.signal.throwIfAborted();
    await requestsFirst();
  }
}

function digestOf(digests: readonly string[]): string {
  const all = new TextDigest();
  all.add(digests);
  return all.end();
}

/** The order of the keys' bytes, but for characters beyond the 16-bit ones: where these are, all is compared. */
function byKey({ key: a }: DocumentText, { key: b }: DocumentText): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
