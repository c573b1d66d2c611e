import { Injectable } from '@nestjs/common';
import { Documents } from '#documents/documents';
import type { Collection, Document, DocumentKey } from '#documents/documents';
import { notFound } from '#http/api-error';
import { UnknownIdentity, type IdentitiesDocument } from '#projections/identities-document';
import { monthKey, presentMonth, type MonthDocument } from '#projections/month-document';
import { HouseholdStreams } from '#streams/household-streams';
import type { ReadModels } from '#streams/read-models';
import { ReadGate } from './read-gate.js';

/** How many documents of a whole-household listing are read at once. */
const RANGE_PAGE = 500;

/** A household without events: what its documents would say. */
const NO_IDENTITIES: Omit<IdentitiesDocument, 'key'> = { revision: -1, groups: [], items: [], favorites: [] };

/** What a month's view is made of. */
export interface MonthParts {
  readonly document: MonthDocument;
  readonly identities: IdentitiesDocument;
  readonly untrackedCount: number;
  /** Of the documents as they were read, in the order of `HouseholdReads.monthSources`. */
  readonly revisions: readonly (number | null)[];
}

/** Reads of a household's documents. */
@Injectable()
export class HouseholdReads {
  /** The read models that this process's commands write. */
  readonly models: ReadModels;

  constructor(
    private readonly documents: Documents,
    private readonly gate: ReadGate,
    private readonly streams: HouseholdStreams,
  ) {
    this.models = streams.models;
  }

  /** Resolves when the household's documents may be read. */
  async ready(householdId: string): Promise<void> {
    const opening = this.gate.ready(householdId);
    if (opening) await opening;
  }

  /**
   * Reads and joins a household's documents. Where the read came between the writes of two documents that
   * belong together, it is made again when both are written.
   */
  async joined<T>(householdId: string, read: () => Promise<T>): Promise<T> {
    await this.ready(householdId);
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof UnknownIdentity)) throw error;
      await this.streams.catchUp(householdId);
      return read();
    }
  }

  /** The documents that a month's view is made of. */
  monthSources(householdId: string, month: string): readonly DocumentKey[] {
    const { months, identities, untrackedCounts } = this.models;
    return [
      { collection: months, key: monthKey(householdId, month) },
      { collection: identities, key: householdId },
      { collection: untrackedCounts, key: householdId },
    ];
  }

  /** @throws ApiError `not_found` where the month was never created */
  async month(householdId: string, month: string): Promise<MonthParts> {
    const [document, identities, untracked] = await Promise.all([
      this.documents.get(this.models.months, monthKey(householdId, month)),
      this.documents.get(this.models.identities, householdId),
      this.documents.get(this.models.untrackedCounts, householdId),
    ]);
    const present = presentMonth(document);
    if (!present) throw notFound('month');
    return {
      document: present,
      identities: identities ?? { key: householdId, ...NO_IDENTITIES },
      untrackedCount: untracked?.count ?? 0,
      revisions: [document, identities, untracked].map(source => source?.revision ?? null),
    };
  }

  async identities(householdId: string): Promise<IdentitiesDocument> {
    const found = await this.documents.get(this.models.identities, householdId);
    return found ?? { key: householdId, ...NO_IDENTITIES };
  }

  async untrackedCount(householdId: string): Promise<number> {
    return (await this.documents.get(this.models.untrackedCounts, householdId))?.count ?? 0;
  }

  /** All of a household's documents in a collection whose keys begin with the household, in order, page by page. */
  async *pages<T extends Document>(
    collection: Collection<T>,
    householdId: string,
  ): AsyncGenerator<readonly T[]> {
    // `}` is the character after `|`.
    const before = `${householdId}}`;
    let from = `${householdId}|`;
    for (;;) {
      const page = await this.documents.range(collection, { from, before, limit: RANGE_PAGE });
      yield page;
      const last = page.at(-1);
      if (!last || page.length < RANGE_PAGE) return;
      // No key holds a control character, so this is the smallest one beyond the last.
      from = `${last.key}\u0001`;
    }
  }
}

/** Present item names by id. */
export function itemNamesOf({ items }: IdentitiesDocument): ReadonlyMap<string, string> {
  return new Map(items.map(({ id, name }) => [id, name]));
}
