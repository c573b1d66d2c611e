import type { Document, DocumentText, KeyRange } from '../documents.js';
import { byKey } from './file-documents.js';
import type { DescribedDocuments, SerialisedDocuments } from './serialised-documents.js';

/**
 * A document that was put and is not in the file yet. Once it is on its way, its JSON is kept in its place: one text
 * is copied much faster by a garbage collection than the many objects of a document, of which most are not read again.
 */
export class Pending {
  readonly key: string;
  readonly revision: number;
  readonly expiresAt: number | undefined;
  /** Known to be newer than what the file holds. */
  isNewest = false;
  /** The document, or its JSON until it is read again. */
  private content: Document | string;

  /** @param content all of the document, or its JSON */
  constructor({ key, revision, expiresAt }: Document, content: Document | string) {
    this.key = key;
    this.revision = revision;
    this.expiresAt = expiresAt;
    this.content = content;
  }

  get document(): Document {
    if (typeof this.content === 'string') this.content = JSON.parse(this.content) as Document;
    return this.content;
  }

  /** @returns the document's JSON */
  serialise(): string {
    if (typeof this.content !== 'string') this.content = JSON.stringify(this.content);
    return this.content;
  }
}

/**
 * About how long the JSON of a collection's documents is, in characters: as that of the last ones that were written.
 * A household's documents of one collection are much alike, and measuring each one that is put would cost more than
 * everything else about it.
 */
export class TypicalLengths {
  private readonly lengths = new Map<string, number>();

  of(collection: string, pending: Pending): number {
    let length = this.lengths.get(collection);
    if (length === undefined) this.lengths.set(collection, (length = pending.serialise().length));
    return length;
  }

  learn(written: readonly SerialisedDocuments[]): void {
    for (const { collection, bodies } of written) {
      const total = bodies.reduce((sum, { length }) => sum + length, 0);
      this.lengths.set(collection, Math.ceil(total / bodies.length));
    }
  }
}

/** Surrogates come before some units that their bytes come behind. */
const NOT_IN_ORDER = /[\ud800-\uffff]/;

/** Documents that wait to be written, the newest of each key. */
export class PendingDocuments {
  private readonly collections = new Map<string, Map<string, Pending>>();
  private count = 0;
  private totalLength = 0;

  constructor(private readonly lengths: TypicalLengths) {}

  get size(): number {
    return this.count;
  }

  /** About how long the JSON of all of them is, in characters. */
  get length(): number {
    return this.totalLength;
  }

  /**
   * Whether a collection has any.
   * @param range of keys, in the order of their bytes, where others do not matter; then it is sometimes true without
   */
  has(collection: string, range?: Pick<KeyRange, 'from' | 'before'>): boolean {
    // Compared with other units, those of any key are in the order of its bytes.
    if (range === undefined || NOT_IN_ORDER.test(range.from) || NOT_IN_ORDER.test(range.before)) {
      return this.collections.has(collection);
    }
    for (const key of this.collections.get(collection)?.keys() ?? []) {
      if (key >= range.from && key < range.before) return true;
    }
    return false;
  }

  find(collection: string, key: string): Pending | undefined {
    return this.collections.get(collection)?.get(key);
  }

  /** Nothing changes where one of the same or a greater revision waits already. */
  put(collection: string, documents: readonly Document[]): void {
    for (const document of documents) this.add(collection, new Pending(document, document));
  }

  /** As `put`. */
  putTexts(collection: string, texts: readonly DocumentText[]): void {
    for (const { key, revision, text } of texts) this.add(collection, new Pending({ key, revision }, text));
  }

  /** As `put`. */
  putSerialised(collection: string, pending: readonly Pending[]): void {
    for (const each of pending) this.add(collection, each);
  }

  private add(collection: string, added: Pending): void {
    let pending = this.collections.get(collection);
    if (pending === undefined) this.collections.set(collection, (pending = new Map<string, Pending>()));
    const former = pending.get(added.key);
    if (former === undefined) {
      this.count += 1;
      this.totalLength += this.lengths.of(collection, added);
    } else if (former.revision >= added.revision) return;
    else if (former.isNewest) added.isNewest = true;
    pending.set(added.key, added);
  }

  /** Takes over what waits in another one, of which nothing was written. */
  take(other: PendingDocuments): void {
    for (const [collection, pending] of other.collections) {
      for (const each of pending.values()) this.add(collection, each);
    }
  }

  /** The keys of each collection. */
  keys(): Iterable<readonly [collection: string, keys: Iterable<string>]> {
    return [...this.collections].map(([collection, pending]) => [collection, pending.keys()] as const);
  }

  /**
   * In the order of keys, which is mostly that of the pages that they go to.
   * @param isParsed whether the documents of a collection are parsed by whoever writes them
   */
  serialise(isParsed: (collection: string) => boolean): SerialisedDocuments[] {
    const serialised = [...this.collections].map(([collection, pending]): SerialisedDocuments => {
      const documents = [...pending.values()].sort(byKey);
      const described = isParsed(collection) ? null : describe(documents);
      return { collection, described, bodies: documents.map(each => each.serialise()) };
    });
    this.lengths.learn(serialised);
    return serialised;
  }
}

function describe(documents: readonly Pending[]): DescribedDocuments {
  return {
    keys: documents.map(({ key }) => key),
    revisions: documents.map(({ revision }) => revision),
    expiries: documents.map(({ expiresAt }) => expiresAt ?? null),
  };
}
