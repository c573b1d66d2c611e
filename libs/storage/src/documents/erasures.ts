import { EVERY_KEY } from './declared.js';
import type { Collection, Document, Documents } from './documents.js';
import { insertIfAbsent } from './insert-if-absent.js';
import { pagesOf } from './pages.js';

/** The last event that an erased household had. */
export interface ErasedHead {
  readonly revision: number;
  /** SHA-256 in hexadecimal; what the next event would have carried. */
  readonly hash: string;
}

/** That a household or a user was erased. Written before anything is deleted, kept for good, and without any text. */
export interface Erasure extends Document {
  /** The id of the household or user, which is never used again. */
  readonly key: string;
  readonly of: 'household' | 'user';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Who did it: a user's id, or `operator`. */
  readonly by: string;
  /** Null for a user, and for a household in which nothing was recorded. */
  readonly head: ErasedHead | null;
  /** Whether the mails that tell of it are owed already. */
  readonly told: boolean;
  /** Whether everything is deleted; until then every start goes on with it. */
  readonly finished: boolean;
}

const PAGE = 1_000;

/** The records of what was erased. Code that might bring something back asks here first. */
export class Erasures {
  static readonly collection: Collection<Erasure> = {
    name: 'erasures',
    durability: 'durable',
    indexes: [],
  };

  constructor(private readonly documents: Documents) {}

  /** @throws DocumentsUnavailable */
  async find(id: string): Promise<Erasure | null> {
    return this.documents.get(Erasures.collection, id);
  }

  /** Those of the ids that were erased. @throws DocumentsUnavailable */
  async among(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = ids.length === 0 ? [] : await this.documents.getMany(Erasures.collection, ids);
    return new Set(found.map(({ key }) => key));
  }

  /** Every one there is, by id. @throws DocumentsUnavailable */
  async all(): Promise<ReadonlyMap<string, Erasure>> {
    const all = new Map<string, Erasure>();
    for await (const page of pagesOf(this.documents, Erasures.collection, EVERY_KEY, PAGE)) {
      for (const erasure of page) all.set(erasure.key, erasure);
    }
    return all;
  }

  /** Records that something is erased from now on; the first record stays. @throws DocumentsUnavailable */
  async record(erasure: Pick<Erasure, 'key' | 'of' | 'at' | 'by'>): Promise<void> {
    const record = { ...erasure, head: null, told: false, finished: false, revision: 1 };
    await insertIfAbsent(this.documents, Erasures.collection, record);
  }

  /** Completes a record. @throws DocumentsUnavailable */
  async change(id: string, change: Partial<Pick<Erasure, 'head' | 'told' | 'finished'>>): Promise<void> {
    for (;;) {
      const current = await this.find(id);
      if (current === null) return;
      const next = { ...current, ...change, revision: current.revision + 1 };
      if (await this.documents.replace(Erasures.collection, next, current.revision)) return;
    }
  }
}
