import type { Collection, Document } from '../documents.js';

/** What all known documents together may take in memory, by estimate. */
export const KNOWN_BYTES_MAX = 16 * 1024 * 1024;
/** A parsed document takes about so many bytes for each character of its text. */
const BYTES_PER_CHARACTER = 4;
/** What knowing takes besides, with the key. */
const BYTES_PER_ENTRY = 300;

interface Known {
  readonly document: Document;
  readonly bytes: number;
}

/**
 * Documents as the file holds them, parsed: asking for one again reads and parses nothing. Whoever writes or removes
 * a document must forget it in the same turn. The least recently used are given up when all together pass a bound.
 *
 * The documents are shared by all who ask for them, so nobody may change one.
 */
export class KnownDocuments {
  private readonly entries = new Map<string, Known>();
  private bytes = 0;

  constructor(private readonly bytesMax: number = KNOWN_BYTES_MAX) {}

  /** @returns undefined where nothing is known, expired or not otherwise */
  find<T extends Document>(collection: Collection<T>, key: string): T | undefined {
    const name = nameOf(collection, key);
    const known = this.entries.get(name);
    if (known === undefined) return undefined;
    // In the order of their last use.
    this.entries.delete(name);
    this.entries.set(name, known);
    return known.document as T;
  }

  /** @param characters of its text, or about so many */
  note<T extends Document>(collection: Collection<T>, document: T, characters: number): void {
    const name = nameOf(collection, document.key);
    this.giveUp(name);
    const bytes = BYTES_PER_ENTRY + characters * BYTES_PER_CHARACTER;
    this.entries.set(name, { document, bytes });
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.bytesMax) break;
      this.giveUp(oldest);
    }
  }

  forget(collection: Pick<Collection<Document>, 'name'>, key: string): void {
    this.giveUp(nameOf(collection, key));
  }

  forgetAll(): void {
    this.entries.clear();
    this.bytes = 0;
  }

  private giveUp(name: string): void {
    const former = this.entries.get(name);
    if (former === undefined) return;
    this.bytes -= former.bytes;
    this.entries.delete(name);
  }
}

/** No name of a collection holds a space. */
function nameOf({ name }: Pick<Collection<Document>, 'name'>, key: string): string {
  return `${name} ${key}`;
}
