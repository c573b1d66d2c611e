import { keysUnder } from '#storage/documents/declared';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import { pagesOf } from '#storage/documents/pages';
import { toldOf } from '../households/store-failures.js';
import { PROJECTION_NAME } from './partitions.js';

/** How long a reason may be, in characters: many of them are kept in memory. */
const REASON_LENGTH_MAX = 500;

/** Failures that are read at once. */
const PAGE_FAILURES = 1_000;

/** A household whose events cannot be applied. It is tried again, also after a restart. */
interface FailureDocument extends Document {
  readonly error: string;
  readonly since: string;
  /** The last revision that is known not to be applied. */
  readonly upTo?: number;
}

export interface FailingHousehold {
  readonly householdId: string;
  readonly error: string;
  readonly since: string;
}

/** As it is stored. */
export interface StoredFailure extends FailingHousehold {
  /** Tells it from one that came later: that has a greater one. */
  readonly revision: number;
  /** The last revision of its stream that is known not to be applied. */
  readonly upTo: number;
}

/** The households whose events cannot be applied, in the documents. */
export class StoredFailures {
  static readonly collection: Collection<FailureDocument> = {
    name: 'projection_failures',
    durability: 'derived',
    indexes: [],
  };

  constructor(private readonly documents: Documents) {}

  static keyOf(householdId: string): string {
    return `${PROJECTION_NAME}|${householdId}`;
  }

  /** The first of them, by household. @throws DocumentsUnavailable */
  async first(limit: number): Promise<StoredFailure[]> {
    const range = { ...keysUnder(PROJECTION_NAME), limit };
    return failuresOf(await this.documents.range(StoredFailures.collection, range));
  }

  /** All of them, by household, a page at a time, so that none is in memory for long. @throws DocumentsUnavailable */
  async *pages(): AsyncGenerator<StoredFailure[]> {
    const pages = pagesOf(
      this.documents,
      StoredFailures.collection,
      keysUnder(PROJECTION_NAME),
      PAGE_FAILURES,
    );
    for await (const page of pages) yield failuresOf(page);
  }

  /**
   * Stores why a household fails, in the place of what was stored of it.
   * @param upTo the last revision that could not be applied
   * @throws DocumentsUnavailable
   */
  async put(householdId: string, upTo: number, error: unknown): Promise<StoredFailure> {
    const key = StoredFailures.keyOf(householdId);
    const before = await this.documents.get(StoredFailures.collection, key);
    const failure = {
      error: reasonOf(error),
      since: before?.since ?? new Date().toISOString(),
      upTo: Math.max(upTo, before?.upTo ?? -1),
      // Clocks differ, and go back: what comes later has the greater revision all the same.
      revision: Math.max(Date.now(), (before?.revision ?? 0) + 1),
    };
    await this.documents.put(StoredFailures.collection, [{ key, ...failure }]);
    return { householdId, ...failure };
  }

  /**
   * Removes a failure, but none that came later.
   * @returns the later one, or null where the household fails no more
   * @throws DocumentsUnavailable
   */
  async remove({ householdId, revision }: StoredFailure): Promise<StoredFailure | null> {
    const key = StoredFailures.keyOf(householdId);
    if (await this.documents.remove(StoredFailures.collection, key, revision)) return null;
    const later = await this.documents.get(StoredFailures.collection, key);
    return later && failureOf(later);
  }
}

function failuresOf(documents: readonly FailureDocument[]): StoredFailure[] {
  return documents.map(failureOf);
}

function failureOf({ key, revision, error, since, upTo = -1 }: FailureDocument): StoredFailure {
  return { householdId: key.slice(StoredFailures.keyOf('').length), error, since, revision, upTo };
}

/** Why a household fails, in a short sentence that quotes no user. */
export function reasonOf(error: unknown): string {
  const sentence = toldOf(error);
  return sentence.length > REASON_LENGTH_MAX ? `${sentence.slice(0, REASON_LENGTH_MAX)}…` : sentence;
}
