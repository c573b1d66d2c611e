import { setTimeout as pause } from 'node:timers/promises';
import {
  DamagedDocument,
  type Document,
  type DocumentText,
  type Documents,
  type Collection,
  type KeyRange,
} from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { FoldTooLarge, HouseholdFold, isHeld } from '../households/household-fold.js';
import { householdRange } from '../households/bulk-build.js';
import { lastEventOf } from '../households/household-stream.js';
import { DOCUMENT_NAMES, type DocumentName, type ReadModels } from '../households/read-models.js';
import { fnv1a } from '../projector/partitions.js';
import { behindKey } from '#storage/documents/declared';
import { pagesOf } from '#storage/documents/pages';
import { requestsFirst } from '#concurrency/turns';

/** Memory holds the documents of about this many events: those of a longer history are read once for each such share. */
const SHARE_EVENTS = 100_000;
/** A share of more documents for each of its events than these is halved: one event may touch 20,000 transactions. */
const DOCUMENTS_PER_EVENT = 2;
/** Shares are not made smaller than this part of a household. */
const SHARES_MAX = 65_536;
/** Stored documents that are read at once. */
const PAGE_DOCUMENTS = 500;
/** How long after an event a server may bring its documents into the store; later they are behind. */
const DOCUMENTS_LAG_MS_MAX = 10_000;
/** How long one document is waited for at most, whatever clocks say. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 200;

/** A stored document that is not what the events make it. */
export interface Difference {
  readonly householdId: string;
  readonly collection: string;
  readonly key: string;
  /**
   * `differs`: another content at the same revision. `unexpected`: no event makes it. `behind`: it is as it was at an
   * earlier revision. `damaged`: the medium changed it, so that it cannot be read.
   */
  readonly kind: 'differs' | 'missing' | 'unexpected' | 'behind' | 'damaged';
  readonly fields: readonly FieldDifference[];
}

interface ComparisonOptions {
  /** What the documents surely reflect: only later events are waited for, else all for 10 s after they were recorded. */
  readonly reflected?: number;
  /** Called with each share before it is compared; the first one has the household's state. */
  readonly folded?: (fold: HouseholdFold) => void;
  /** Called before a document is waited for. Throws if the documents are no longer served. */
  readonly requireActive?: () => Promise<void>;
  /** Waited for after each step. */
  readonly rest?: (() => Promise<void>) | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** As `SHARE_EVENTS`. */
  readonly shareEvents?: number;
}

/**
 * Compares a household's documents, text for text, with a fold of its events. Commands may go on meanwhile: a document that
 * looks different is read again, and the fold goes on to its revision, before it counts.
 */
export class HouseholdComparison {
  /** Documents that the events make. */
  documents = 0;
  private fold: HouseholdFold | null = null;
  private readonly now: () => number;

  constructor(
    private readonly store: EventStore,
    private readonly stored: Documents,
    private readonly models: ReadModels,
    private readonly householdId: string,
    private readonly options: ComparisonOptions = {},
  ) {
    this.now = options.now ?? Date.now;
  }

  /** The last revision that was folded; -1 before the first. */
  get revision(): number {
    return this.fold?.revision ?? -1;
  }

  /**
   * To be called once.
   * @throws EventStoreUnavailable, DocumentsUnavailable; UnknownEvent and others where the history makes no sense; what
   *   `requireActive` throws
   */
  async *differences(): AsyncGenerator<Difference> {
    const { reflected } = this.options;
    const end = reflected ?? (await lastEventOf(this.store, this.householdId))?.revision ?? -1;
    const shares = await this.foldFirst(end);
    for (let share = 0; share < shares; share++) {
      const fold = share === 0 ? this.fold! : await this.foldShare(end, share, shares);
      this.options.folded?.(fold);
      for (const name of DOCUMENT_NAMES) {
        const isSharedOut = isHeld(name);
        if (share > 0 && !isSharedOut) continue;
        await this.options.rest?.();
        yield* this.compare(fold, name, key => !isSharedOut || isInShare(sharedBy(name, key), share, shares));
      }
    }
    const ahead = await this.headAhead(this.fold!);
    if (ahead) yield ahead;
  }

  /** Folds the first of as many shares as keep it from being too large. @returns how many shares there are */
  private async foldFirst(end: number): Promise<number> {
    const { shareEvents = SHARE_EVENTS } = this.options;
    for (let shares = Math.max(1, Math.ceil((end + 1) / shareEvents)); ; shares *= 2) {
      const documentsMax = shares < SHARES_MAX ? DOCUMENTS_PER_EVENT * shareEvents : Infinity;
      try {
        await this.foldShare(end, 0, shares, documentsMax);
        return shares;
      } catch (error) {
        if (!(error instanceof FoldTooLarge)) throw error;
      }
    }
  }

  private async foldShare(
    end: number,
    share: number,
    shares: number,
    documentsMax?: number,
  ): Promise<HouseholdFold> {
    const includes = (text: string): boolean => isInShare(text, share, shares);
    const onPage = async (): Promise<void> => this.options.rest?.();
    this.fold = new HouseholdFold(this.store, this.householdId, { includes, documentsMax, onPage });
    await this.fold.foldOn(end);
    return this.fold;
  }

  private async *compare(
    fold: HouseholdFold,
    name: DocumentName,
    belongs: (key: string) => boolean,
  ): AsyncGenerator<Difference> {
    const missing = new Map(fold.texts(name).map(made => [made.key, made]));
    const suspect: string[] = [];
    this.documents += missing.size;
    const range = householdRange(this.householdId);
    for await (const { key, document } of entriesOf(this.stored, this.models[name], range, PAGE_DOCUMENTS)) {
      if (!belongs(key)) continue;
      const made = missing.get(key);
      missing.delete(key);
      if (!document || !made || !isSame(document, made)) suspect.push(key);
    }
    for (const key of [...suspect, ...missing.keys()]) {
      const difference = await this.settled(fold, name, key);
      if (difference) yield difference;
    }
  }

  /** What remains of a difference once the document was compared at its own revision. */
  private async settled(fold: HouseholdFold, name: DocumentName, key: string): Promise<Difference | null> {
    const deadline = this.now() + PATIENCE_MS;
    for (;;) {
      const found = await this.read(name, key);
      if (found === 'damaged') return this.difference(name, key, 'damaged');
      if (found && found.revision > fold.revision) await fold.foldOn(found.revision);
      const made = fold.text(name, key);
      if (!made && !found) return null;
      if (!made) return this.difference(name, key, 'unexpected');
      if (found && isSame(found, made)) return null;
      const fields = found ? fieldDifferences(JSON.parse(made.text), found) : [];
      if (found && found.revision >= made.revision) return this.difference(name, key, 'differs', fields);
      if (this.isOverdue(made, fold, deadline)) {
        return this.difference(name, key, found ? 'behind' : 'missing', fields);
      }
      await this.options.requireActive?.();
      await pause(LOOK_AGAIN_MS);
    }
  }

  private async read(name: DocumentName | 'heads', key: string): Promise<Document | 'damaged' | null> {
    try {
      return await this.stored.get<Document>(this.models[name], key);
    } catch (error) {
      if (error instanceof DamagedDocument) return 'damaged';
      throw error;
    }
  }

  private isOverdue({ revision }: DocumentText, fold: HouseholdFold, deadline: number): boolean {
    const { reflected } = this.options;
    const now = this.now();
    if (now > deadline) return true;
    return reflected === undefined ? now - fold.lastRecordedAt > DOCUMENTS_LAG_MS_MAX : revision <= reflected;
  }

  private difference(
    name: DocumentName | 'heads',
    key: string,
    kind: Difference['kind'],
    fields: readonly FieldDifference[] = [],
  ): Difference {
    return { householdId: this.householdId, collection: this.models[name].name, key, kind, fields };
  }

  /** A head says up to where the documents surely reflect the events: it must not name events that are not there. */
  private async headAhead(fold: HouseholdFold): Promise<Difference | null> {
    const key = this.householdId;
    const head = await this.read('heads', key);
    if (head === 'damaged') return this.difference('heads', key, 'damaged');
    if (!head || head.revision <= fold.revision) return null;
    await fold.foldOn(head.revision);
    const { revision: expected } = fold;
    if (head.revision <= expected) return null;
    return this.difference('heads', key, 'differs', [{ path: 'revision', expected, found: head.revision }]);
  }
}

function isSame(stored: Document, { text }: DocumentText): boolean {
  return JSON.stringify(stored) === text;
}

/** By what a document is assigned to a share: its transaction, or the key of a merchant. */
function sharedBy(name: DocumentName, key: string): string {
  return name === 'merchants' ? key : (key.split('|', 2)[1] ?? '');
}

function isInShare(text: string, share: number, shares: number): boolean {
  return shares === 1 || fnv1a(text) % shares === share;
}

/** Where a document is not what the events make it. Absent values are `undefined`. */
export interface FieldDifference {
  /** As `groups.0.items.2.planned`; empty for the document as a whole. */
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** At most this many places of one document are named. */
export const FIELDS_NAMED_MAX = 20;

/** Where two JSON values differ. Equal values in another order differ as a whole. */
export function fieldDifferences(expected: unknown, found: unknown): FieldDifference[] {
  const differences: FieldDifference[] = [];
  collect('', expected, found, differences);
  if (differences.length === 0 && JSON.stringify(expected) !== JSON.stringify(found)) {
    differences.push({ path: '', expected, found });
  }
  return differences;
}

function collect(path: string, expected: unknown, found: unknown, into: FieldDifference[]): void {
  if (into.length >= FIELDS_NAMED_MAX) return;
  if (!isContainer(expected) || !isContainer(found) || Array.isArray(expected) !== Array.isArray(found)) {
    if (expected !== found) into.push({ path, expected, found });
    return;
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    collect(path === '' ? name : `${path}.${name}`, own(expected, name), own(found, name), into);
  }
}

type Container = Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function own(container: Container, name: string): unknown {
  return Object.hasOwn(container, name) ? container[name] : undefined;
}

interface Entry {
  readonly key: string;
  /** Null where it is damaged. */
  readonly document: Document | null;
}

/** What is stored in a range of keys, in their order. @param size how much is read at once. @throws DocumentsUnavailable */
export async function* entriesOf(
  documents: Documents,
  collection: Collection<Document>,
  range: Pick<KeyRange, 'from' | 'before'>,
  size: number,
): AsyncGenerator<Entry> {
  const entryOf = (document: Document): Entry => ({ key: document.key, document });
  let { from } = range;
  for (;;) {
    try {
      for await (const page of pagesOf(documents, collection, { ...range, from }, size)) {
        await requestsFirst();
        yield* page.map(entryOf);
        const last = page.at(-1);
        if (last) from = behindKey(last.key);
      }
      return;
    } catch (error) {
      if (!(error instanceof DamagedDocument)) throw error;
      const { key } = error;
      // It was met on a page, so that fewer are in front of it there.
      yield* (await documents.range(collection, { from, before: key, limit: size })).map(entryOf);
      yield { key, document: null };
      from = behindKey(key);
    }
  }
}
