/** A JSON value as it survives `JSON.parse(JSON.stringify(value))`; `undefined` never occurs. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * A plain JSON object. Numbers are safe integers or finite doubles, text is well-formed Unicode without NUL, keys of
 * objects are chosen by the program (never by a user, never like an array index).
 */
export interface Document {
  /** Unique in its collection, without U+10FFFF. Composite keys are joined by `|`. */
  readonly key: string;
  /** Grows with every change: the stream's for read models, a counter for records; of leases and failures the time. */
  readonly revision: number;
  /** Milliseconds since the epoch; from then on the document is not there for any reader or writer. Absent: never. */
  readonly expiresAt?: number;
}

/** One index of a collection. A query runs on exactly one index, so that no query can scan more than it should. */
export interface IndexDefinition {
  readonly name: string;
  /**
   * Top-level fields, here and below of the document or of what `indexed` adds, all given in every query: strings, numbers
   * or booleans, but for that of `list`. Where one is null, absent or an empty array, the document is not in the index.
   */
  readonly equals: readonly string[];
  /** The one of these that holds an array of strings: each of its elements is an entry (a multikey index). */
  readonly list?: string;
  /** A field (ASCII text) by whose characters entries with equal values are ordered. Ties are ordered by key. */
  readonly sort?: string;
  /**
   * Promised by the program, not checked: no two entries with equal values of `equals` have the same `sort`, which alone
   * is a place in the index then. Which of two comes first when the promise is broken, and whether a page ends between
   * them, is open.
   */
  readonly sortUnique?: true;
  /**
   * At most one document per combination of `equals` (`sort` must be absent, no arrays). The program promises that no
   * document of the collection expires: its values would be taken until it is removed.
   */
  readonly unique?: boolean;
  /**
   * Further top-level fields on which `where` may be decided without fetching the document; in an index without them,
   * whose entries stay small, those of the collection's other indexes.
   */
  readonly covers?: readonly string[];
}

/** A collection of documents of one type. Two definitions with one name must be equal, `indexed` included. */
export interface Collection<T extends Document> {
  /** `[a-z][a-z0-9_]*`, at most 60 characters. */
  readonly name: string;
  /**
   * `durable`: an acknowledged write survives a power cut (accounts, sessions, outbox messages). `derived`: a power cut
   * may take the last ones, because they are rebuilt from the events (read models, snapshots).
   */
  readonly durability: 'durable' | 'derived';
  readonly indexes: readonly IndexDefinition[];
  /**
   * Values of fields that the indexes name and the document does not have; never answered. Pure, the same for equal
   * documents. What is stored was computed by the function of its time: another one needs a new name for the collection.
   */
  indexed?(document: T): Readonly<Record<string, Json>>;
  /** Never set: carries the type. */
  readonly documentType?: T;
}

/** Decided on covered fields: true when any of them holds. */
export type Where = readonly (
  | { readonly field: string; readonly contains: string }
  | { readonly field: string; readonly equals: string | number }
)[];

export interface IndexQuery {
  readonly index: string;
  /**
   * A value for each of the index's `equals` fields; for an array field the element looked for, or several, the one with
   * the fewest entries first: its entries are walked for what has the others as well.
   */
  readonly equals: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly order?: 'ascending' | 'descending';
  /**
   * Only entries beyond this place, in the direction of `order`. `key` breaks ties of equal `sort`; without it every
   * entry of that `sort` is beyond, but none where it is unique. In an index without sort field `sort` is empty.
   */
  readonly after?: { readonly sort: string; readonly key?: string };
  /** Covered conditions, combined by or: none holds when the list is empty. */
  readonly where?: Where;
  readonly limit: number;
}

export interface KeyRange {
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly before: string;
  readonly order?: 'ascending' | 'descending';
  readonly limit: number;
}

/** The most elements of an array field that one query looks for together. */
export const ELEMENTS_MAX = 4;

/** The most documents that one query, one range or one `getMany` answers. */
export const QUERY_LIMIT_MAX = 25_000;

/**
 * Documents by key and by declared index. Each write is atomic for its document only. Reads see every write that was
 * answered before they began, on every instance. What its methods throw: `DocumentsUnavailable`, and where they read
 * `DamagedDocument` for the first document that cannot be read; `RangeError` over the limit of an answer.
 */
export abstract class Documents {
  /**
   * Creates collections and indexes where they are missing, recreates indexes whose definition changed and drops
   * those that are no longer declared; must be called before they are used.
   * @throws DuplicateKey where documents do not suit a new unique index, RangeError for a definition that breaks the rules
   */
  abstract ensure(collections: readonly Collection<Document>[]): Promise<void>;

  /** The document of a key, or null if there is none (any more). */
  abstract get<T extends Document>(collection: Collection<T>, key: string): Promise<T | null>;

  /** The documents that are there, in no promised order. */
  abstract getMany<T extends Document>(collection: Collection<T>, keys: readonly string[]): Promise<T[]>;

  /** Documents by key, in the order of the keys' bytes. */
  abstract range<T extends Document>(collection: Collection<T>, range: KeyRange): Promise<T[]>;

  /**
   * The digest of all documents of a range, in the order of the keys' bytes, as `TextDigest` makes it of their JSON. What
   * is written meanwhile counts or does not.
   */
  abstract digest<T extends Document>(
    collection: Collection<T>,
    range: Pick<KeyRange, 'from' | 'before'>,
  ): Promise<string>;

  /** Documents by an index, in its order. @throws RangeError also for an index or field that is not declared */
  abstract query<T extends Document>(collection: Collection<T>, query: IndexQuery): Promise<T[]>;

  /**
   * Writes each document unless the stored one has the same or a greater revision: a late or repeated write
   * changes nothing. Several documents of one key in one call: the greatest revision stays. When it fails, any
   * part of the batch may have been written, and the same call may be repeated.
   * @throws DuplicateKey for a unique index
   */
  put<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<void> {
    return this.putAll([{ collection, documents }]);
  }

  /** `put` of documents that are at hand as JSON: a store that keeps text need not make it. @throws DuplicateKey */
  putTexts(collection: Collection<Document>, texts: readonly DocumentText[]): Promise<void> {
    return this.put(
      collection,
      texts.map(({ text }): Document => JSON.parse(text)),
    );
  }

  /** `put` for several collections at once, answered when all is written. @throws DuplicateKey */
  abstract putAll(writes: readonly Write[]): Promise<void>;

  /** @throws DuplicateKey naming the index (`key` for the key itself) */
  abstract insert<T extends Document>(collection: Collection<T>, document: T): Promise<void>;

  /**
   * Replaces the stored document if its revision is still `expected`.
   * @returns false when there is no such document or its revision is another
   * @throws DuplicateKey, RangeError where the revision does not grow, DocumentsUnavailable where it may have happened, too
   */
  abstract replace<T extends Document>(
    collection: Collection<T>,
    document: T,
    expected: number,
  ): Promise<boolean>;

  /** Removes a document, with `expected` only at that revision. @returns whether one was removed */
  abstract remove<T extends Document>(
    collection: Collection<T>,
    key: string,
    expected?: number,
  ): Promise<boolean>;

  /** Removes every document whose key begins with the prefix, in bounded steps. */
  abstract removePrefix<T extends Document>(collection: Collection<T>, prefix: string): Promise<void>;

  /** Drops a whole collection with its indexes; nothing happens if there is none. */
  abstract drop(name: string): Promise<void>;

  /**
   * Overwrites what was removed, where the store keeps it in files of its own; a server reclaims its space by itself.
   * @returns false where something else reads the files, so that it is to be tried again
   */
  abstract scrub(): Promise<boolean>;

  /**
   * Resolves when the store answers, and has not refused a write just now for a reason that others would meet as well.
   * @throws DocumentsUnavailable with a sentence for the operator
   */
  abstract ping(): Promise<void>;

  /** Waits for what is under way, and frees the store; nothing may be asked afterwards. */
  abstract close(): Promise<void>;
}

/** Documents for one collection, as `putAll` takes them. */
export interface Write<T extends Document = Document> {
  readonly collection: Collection<T>;
  readonly documents: readonly T[];
}

/** A unique index already holds these values; nothing was written. */
export class DuplicateKey extends Error {
  override readonly name = 'DuplicateKey';
  constructor(
    readonly collection: string,
    readonly index: string,
  ) {
    super(`duplicate ${index} in ${collection}`);
  }
}

/** The store is down, unreachable, full, frozen or closing. The sentence names no secret. */
export class DocumentsUnavailable extends Error {
  override readonly name = 'DocumentsUnavailable';
  /** Read by the HTTP layer: this failure answers `503 unavailable`. */
  readonly unavailable = true;
}

/**
 * What is stored of a document is none any more: the medium changed it. Trying again helps once it was mended; all
 * others are served meanwhile. The sentence leaves out the key, which may name a person.
 */
export class DamagedDocument extends Error {
  override readonly name = 'DamagedDocument';
  /** Read by the HTTP layer: this failure answers `503 unavailable`. */
  readonly unavailable = true;

  constructor(
    readonly collection: string,
    readonly key: string,
  ) {
    super(`a stored document of ${collection} is damaged; see docs/operations.md`);
  }
}

/** A document that is at hand as its JSON alone. It never expires. */
export interface DocumentText {
  readonly key: string;
  readonly revision: number;
  /** All of the document, key and revision included, as `JSON.stringify` writes it. */
  readonly text: string;
}
