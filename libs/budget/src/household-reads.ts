import { Injectable } from '@nestjs/common';
import { ownTurn } from '#concurrency/turns';
import { keysUnder } from '#storage/documents/declared';
import { Documents, type Collection } from '#storage/documents/documents';
import { pagesOf } from '#storage/documents/pages';
import { notFound } from '#ledger/refusal';
import {
  UnknownIdentity,
  type IdentitiesDocument,
  monthKey,
  type MonthView,
  presentMonth,
} from '#projections/month-document';
import { LiveStreams } from '#engine/versions/live-streams';
import type { ReadModelCollections, ReadModels } from '#engine/households/read-models';
import type { Versioned } from './household-call.js';
import { versionedMonth } from './month-answer.js';

/** How many documents of a whole-household listing are read at once. */
const RANGE_PAGE = 500;

/** What a collection of the read models holds. */
type DocumentOf<Name extends keyof ReadModelCollections> =
  ReadModelCollections[Name] extends Collection<infer T> ? T : never;

/**
 * Lets a household's documents reflect every command that was answered, as far as its events can be read. Commands
 * apply their own events, so only after a start is there anything to do: what a crash left is applied first.
 */
export abstract class ReadGate {
  /**
   * Never rejects: what cannot be applied now is left for later, so that queries go on, with the documents as they
   * are, while the event store is away.
   * @returns nothing where the documents are up to date, else a promise to wait for
   */
  abstract ready(householdId: string): Promise<void> | undefined;
}

/** Reads of a household's documents. */
@Injectable()
export class HouseholdReads {
  constructor(
    private readonly documents: Documents,
    private readonly gate: ReadGate,
    private readonly streams: LiveStreams,
  ) {}

  /** Asked for with each read, since a rebuild may replace them. @throws ReadModelsUnconfirmed */
  get models(): ReadModels {
    return this.streams.models;
  }

  /** Resolves when the household's documents may be read. */
  async ready(householdId: string): Promise<void> {
    const opening = this.gate.ready(householdId);
    if (opening) await opening;
  }

  /** Joins a household's documents, again where the read came between the writes of two that belong together. */
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

  /** @throws Refusal `not_found` where the month was never created */
  async month(householdId: string, month: string): Promise<Versioned<MonthView>> {
    const [found, identities, untrackedCount] = await Promise.all([
      this.documents.get(this.models.months, monthKey(householdId, month)),
      this.identities(householdId),
      this.untrackedCount(householdId),
    ]);
    const document = presentMonth(found);
    if (!document) throw notFound('month', month);
    return versionedMonth(document, identities, untrackedCount);
  }

  async identities(householdId: string): Promise<IdentitiesDocument> {
    const found = await this.documents.get(this.models.identities, householdId);
    // Without events there is none.
    return found ?? { key: householdId, revision: -1, groups: [], items: [], favorites: [] };
  }

  async untrackedCount(householdId: string): Promise<number> {
    return (await this.documents.get(this.models.untrackedCounts, householdId))?.count ?? 0;
  }

  /** All of a household's documents in a collection whose keys begin with the household, in order, page by page. */
  async *pages<Name extends keyof ReadModelCollections>(
    name: Name,
    householdId: string,
  ): AsyncGenerator<readonly DocumentOf<Name>[]> {
    await this.ready(householdId);
    const collection = () => this.models[name] as Collection<DocumentOf<Name>>;
    yield* pagesOf(this.documents, collection, keysUnder(householdId), RANGE_PAGE);
  }

  /** The documents that some keys have, those of a number of keys in each turn of the event loop. */
  async *named<Name extends keyof ReadModelCollections>(
    name: Name,
    keys: readonly string[],
    atOnce: number,
  ): AsyncGenerator<readonly DocumentOf<Name>[]> {
    for (let at = 0; at < keys.length; at += atOnce) {
      await ownTurn();
      const collection = this.models[name] as Collection<DocumentOf<Name>>;
      yield await this.documents.getMany(collection, keys.slice(at, at + atOnce));
    }
  }
}

/** Present item names by id. */
export function itemNamesOf({ items }: IdentitiesDocument): ReadonlyMap<string, string> {
  return new Map(items.map(({ id, name }) => [id, name]));
}
