import { BSON } from 'mongodb';
import type { Document } from '../documents/documents.js';

/**
 * A document as MongoDB holds it: `_id` is its key, its other fields keep their order, and fields of ours, which
 * begin with `_`, follow:
 * - `_until`: the time of `expiresAt` as a date, by which the server removes the document
 * - `_of_FIELD`: a field that the collection computes for its indexes
 * - `_place_FIELD`: where the document stands in indexes ordered by FIELD
 * - `_write`: a mark of the write that made it, where the outcome of that may have to be read back
 * - `_keyAt`: how many fields come before the key, where some do
 */
export interface StoredDocument {
  _id: string;
  [field: string]: unknown;
}

/** The most that one document may take: the server's 16 MiB, less what a command needs around it. */
export const DOCUMENT_BYTES_MAX = 16 * 1_024 * 1_024 - 16 * 1_024;

const LAST_DATE_MS = 8.64e15;
const UTF8_BYTES_MAX = 3;
const NUMBER_BYTES = 8;
/** What a field takes besides its name and value, or an object besides its fields; amply. */
const FRAME_BYTES = 16;
/** What `_id`, `_until` and the like take besides their values; amply. */
const OUR_FIELDS_BYTES = 256;

/**
 * @param ours fields of ours by which it is found
 * @returns what is stored, and a number of bytes that it surely fits
 * @throws RangeError for a document over `DOCUMENT_BYTES_MAX`, or with a field that MongoDB or we take for our own
 */
export function storedDocument(
  document: Document,
  ours: Readonly<Record<string, unknown>>,
): { readonly stored: StoredDocument; readonly bytes: number } {
  const measure = new Measure();
  measure.add(document, true);
  measure.add(ours);
  const stored = storedFields(document);
  if (document.expiresAt !== undefined) {
    stored['_until'] = new Date(Math.min(document.expiresAt, LAST_DATE_MS));
  }
  Object.assign(stored, ours);
  const bytes = measure.bytes + OUR_FIELDS_BYTES;
  if (bytes > DOCUMENT_BYTES_MAX) requireSize(stored);
  return { stored, bytes };
}

/** The document as it was written. */
export function documentOf<T extends Document>(stored: StoredDocument): T {
  const keyAt = stored['_keyAt'] ?? 0;
  const document: Record<string, unknown> = {};
  let place = 0;
  for (const name of Object.keys(stored)) {
    if (place === keyAt) document['key'] = stored._id;
    if (name.startsWith('_')) continue;
    place += 1;
    document[name] = stored[name];
  }
  return document as unknown as T;
}

function storedFields(document: Document): StoredDocument {
  const stored: StoredDocument = { _id: document.key };
  let place = 0;
  let keyAt = 0;
  for (const name of Object.keys(document)) {
    const value = (document as unknown as Readonly<Record<string, unknown>>)[name];
    if (name === 'key') keyAt = place;
    if (name === 'key' || value === undefined) continue;
    place += 1;
    stored[name] = value;
  }
  if (keyAt > 0) stored['_keyAt'] = keyAt;
  return stored;
}

/** Adds up what values take at most. */
class Measure {
  bytes = 0;

  /** @param isDocument whether the value's own fields are those of a document @throws RangeError for a reserved name */
  add(value: unknown, isDocument = false): void {
    this.bytes += FRAME_BYTES;
    if (typeof value === 'string') this.bytes += value.length * UTF8_BYTES_MAX;
    else if (typeof value !== 'object' || value === null) this.bytes += NUMBER_BYTES;
    else if (Array.isArray(value)) for (const element of value) this.add(element);
    else this.addFields(value, isDocument);
  }

  private addFields(fields: object, isDocument: boolean): void {
    // Not by entries, each of which is an array: every field that is ever stored comes by here.
    for (const name of Object.keys(fields)) {
      if (isReserved(name, isDocument)) throw new RangeError(`MongoDB stores no field ${name}`);
      this.bytes += name.length * UTF8_BYTES_MAX;
      this.add((fields as Readonly<Record<string, unknown>>)[name]);
    }
  }
}

/** MongoDB 4.4 takes no `$` in front and reads a dot as a path; at the top, names that begin with `_` are ours. */
function isReserved(name: string, isTop: boolean): boolean {
  return name.startsWith('$') || (isTop && name.startsWith('_')) || name.includes('.');
}

/** @throws RangeError */
function requireSize(stored: StoredDocument): void {
  const bytes = BSON.calculateObjectSize(stored, { ignoreUndefined: true });
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw new RangeError(`a document of ${bytes} bytes is over the ${DOCUMENT_BYTES_MAX} that can be stored`);
  }
}
