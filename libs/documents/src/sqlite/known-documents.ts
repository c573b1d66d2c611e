import type { Collection, Document } from '../documents.js';

/** What all known documents together may take in memory, by estimate. */
const KNOWN_BYTES_MAX = 16 * 1024 * 1024;
/** About how many bytes a parsed document takes for each character of its text. */
const BYTES_PER_CHARACTER = 4;
/** What knowing takes besides, with the key. */
const BYTES_PER_ENTRY = 300;

interface Known {
  readonly document: Document;
  readonly bytes: number;
}

/**
 * Documents as the file holds them, parsed: asking for one again reads and parses nothing. Whoever writes or removes
 * a document must forget it in the same turn.
 *
 * They are kept in two generations. When the young one has come to half of the bound it becomes the old one, which
 * is given up; a document of the old one that is asked for is young again. So what is used stays, without the order
 * of use that would cost each question two changes of a map.
 *
 * The documents are shared by all who ask for them, so nobody may change one.
 */
export class KnownDocuments {
  private young: Generation = new Map();
  private old: Generation = new Map();
  private youngBytes = 0;

  constructor(private readonly bytesMax: number = KNOWN_BYTES_MAX) {}

  /** @returns undefined where nothing is known, expired or not otherwise */
  find<T extends Document>({ name }: Collection<T>, key: string): T | undefined {
    const young = this.young.get(name)?.get(key);
    if (young !== undefined) return young.document as T;
    const old = this.old.get(name);
    const found = old?.get(key);
    if (old === undefined || found === undefined) return undefined;
    old.delete(key);
    this.add(name, found);
    return found.document as T;
  }

  /** @param characters of its text, or about their number */
  note<T extends Document>({ name }: Collection<T>, document: T, characters: number): void {
    if (this.bytesMax === 0) return;
    this.giveUp(name, document.key);
    this.add(name, { document, bytes: BYTES_PER_ENTRY + characters * BYTES_PER_CHARACTER });
  }

  forget({ name }: Pick<Collection<Document>, 'name'>, key: string): void {
    this.giveUp(name, key);
  }

  /** `forget` for several of a collection. */
  forgetEach(name: string, keys: Iterable<string>): void {
    if (!this.young.has(name) && !this.old.has(name)) return;
    for (const key of keys) this.giveUp(name, key);
  }

  forgetAll(): void {
    this.young.clear();
    this.old.clear();
    this.youngBytes = 0;
  }

  private add(name: string, known: Known): void {
    let young = this.young.get(name);
    if (young === undefined) this.young.set(name, (young = new Map()));
    young.set(known.document.key, known);
    this.youngBytes += known.bytes;
    if (this.youngBytes <= this.bytesMax / 2) return;
    this.old = this.young;
    this.young = new Map();
    this.youngBytes = 0;
  }

  private giveUp(name: string, key: string): void {
    const young = this.young.get(name);
    const known = young?.get(key);
    if (young !== undefined && known !== undefined) {
      this.youngBytes -= known.bytes;
      young.delete(key);
    } else this.old.get(name)?.delete(key);
  }
}

/** By collection and key. */
type Generation = Map<string, Map<string, Known>>;
