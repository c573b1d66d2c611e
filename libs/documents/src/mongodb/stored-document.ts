import { BSON } from 'mongodb';
import type { Document } from '../documents.js';
import { define, escapedName, isReserved, renamed, unescapedName } from './field-names.js';

/**
 * A document as MongoDB holds it: `_id` is its key, its other fields keep their order, and fields of ours, which
 * begin with `_`, follow:
 * - `_until`: the time of `expiresAt` as a date, by which the server removes the document
 * - `_of_FIELD`: a field that the collection computes for its indexes
 * - `_place_FIELD`: where the document stands in indexes ordered by FIELD
 * - `_write`: a mark of the write that made it, where the outcome of that may have to be read back
 * - `_keyAt`: how many fields come before the key, where some do
 * - `_escaped`: true where names are written otherwise, since MongoDB does not take them
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
/** A reserved character takes three when it is escaped. */
const ESCAPED_LENGTH_MAX = 3;

/**
 * @param ours fields of ours by which it is found
 * @returns what is stored, and a number of bytes that it surely fits
 * @throws RangeError for a document over `DOCUMENT_BYTES_MAX`
 */
export function storedDocument(
  document: Document,
  ours: Readonly<Record<string, unknown>>,
): { readonly stored: StoredDocument; readonly bytes: number } {
  const measure = new Measure();
  measure.add(document, true);
  measure.add(ours);
  const stored = storedFields(document, measure.hasReservedName);
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
  const isEscaped = stored['_escaped'] === true;
  const keyAt = stored['_keyAt'] ?? 0;
  const document: Record<string, unknown> = {};
  let place = 0;
  for (const name of Object.keys(stored)) {
    if (place === keyAt) document['key'] = stored._id;
    if (name.startsWith('_')) continue;
    place += 1;
    if (isEscaped) define(document, unescapedName(name), renamed(stored[name], unescapedName));
    else document[name] = stored[name];
  }
  return document as unknown as T;
}

function storedFields(document: Document, hasReservedName: boolean): StoredDocument {
  const stored: StoredDocument = { _id: document.key };
  let place = 0;
  let keyAt = 0;
  for (const name of Object.keys(document)) {
    const value = (document as unknown as Readonly<Record<string, unknown>>)[name];
    if (name === 'key') keyAt = place;
    if (name === 'key' || value === undefined) continue;
    place += 1;
    if (hasReservedName) stored[escapedName(name, true)] = renamed(value, inner => escapedName(inner, false));
    else stored[name] = value;
  }
  if (keyAt > 0) stored['_keyAt'] = keyAt;
  if (hasReservedName) stored['_escaped'] = true;
  return stored;
}

/** Adds up what values take at most, and looks for names that cannot be stored as they are. */
class Measure {
  bytes = 0;
  hasReservedName = false;

  /** @param isDocument whether the value's own fields are those of a document */
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
      const isEscaped = isReserved(name, isDocument);
      this.hasReservedName ||= isEscaped;
      this.bytes += name.length * (isEscaped ? ESCAPED_LENGTH_MAX : 1) * UTF8_BYTES_MAX;
      this.add((fields as Readonly<Record<string, unknown>>)[name]);
    }
  }
}

/** @throws RangeError */
function requireSize(stored: StoredDocument): void {
  const bytes = BSON.calculateObjectSize(stored, { ignoreUndefined: true });
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw new RangeError(`a document of ${bytes} bytes is over the ${DOCUMENT_BYTES_MAX} that can be stored`);
  }
}
