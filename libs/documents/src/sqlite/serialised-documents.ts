import type { Document } from '../documents.js';
import type { CollectionLayout } from './collection-layout.js';
import type { Writing } from './document-writer.js';

/** Documents of one collection. */
export interface SerialisedDocuments {
  readonly collection: string;
  /** Their JSON. */
  readonly bodies: readonly string[];
  /** What is to be known of each without parsing it; null where they are parsed in any case, for their indexes. */
  readonly described: DescribedDocuments | null;
}

/** Of documents, each one's parts at the same place. */
export interface DescribedDocuments {
  readonly keys: readonly string[];
  readonly revisions: readonly number[];
  readonly expiries: readonly (number | null)[];
}

/** Some documents of a batch: the places from one up to another, exclusive. */
export function writingsOf(
  { bodies, described }: SerialisedDocuments,
  { indexes }: CollectionLayout,
  from: number,
  before: number,
): Writing[] {
  const isParsed = described === null || indexes.length > 0;
  return bodies.slice(from, before).map((body, at): Writing => {
    const document = isParsed ? documentOf(body) : describedAt(described, from + at);
    return { document, body };
  });
}

/** @param text its JSON */
export function documentOf(text: string): Document {
  const document: Document = JSON.parse(text);
  return document;
}

/** What a collection without indexes looks at. */
function describedAt({ keys, revisions, expiries }: DescribedDocuments, place: number): Document {
  const [key, revision, expiresAt] = [keys[place]!, revisions[place]!, expiries[place] ?? null];
  return expiresAt === null ? { key, revision } : { key, revision, expiresAt };
}
