import type { IndexDescription } from 'mongodb';
import { coveredFields, scalarOf, withIndexed } from '../documents/declared.js';
import {
  DuplicateKey,
  type Collection,
  type Document,
  type IndexDefinition,
  type IndexQuery,
  type Where,
} from '../documents/documents.js';
import { storedDocument, type StoredDocument } from './stored-document.js';

/** One collection as MongoDB holds it. */
export interface CollectionLayout {
  readonly collection: Collection<Document>;
  readonly name: string;
  readonly indexes: readonly IndexLayout[];
  /** Names of fields of ours by which indexes find documents. */
  readonly ours: readonly string[];
}

/** One index as MongoDB holds it. */
export interface IndexLayout {
  readonly definition: IndexDefinition;
  /** In MongoDB. */
  readonly name: string;
  /** Names of the stored fields, by those of the definition. */
  readonly fields: ReadonlyMap<string, string>;
  /** The stored field by which entries of equal values are ordered. */
  readonly place: string;
  readonly description: IndexDescription;
}

/** A document ready to be written. */
export interface Writing {
  readonly document: Document;
  readonly stored: StoredDocument;
  /** It takes no more than this. */
  readonly bytes: number;
}

/** What a filter consists of. */
export type Conditions = Readonly<Record<string, unknown>>;

const INDEX_PREFIX = 'declared_';
const EXPIRY_INDEX = 'expiry';
/**
 * How much later than its time the server removes a document. It is invisible from the first millisecond by the
 * clocks of those who read, which may differ from the server's.
 */
const REMOVAL_DELAY_SECONDS = 600;
/** What can stand in an index: null and what is absent cannot. */
const INDEXED_TYPES = ['string', 'number', 'bool'];
/** Comes before every other character, and is in no text of a document. */
const PLACE_SEPARATOR = '\0';
const BEHIND_PLACE_SEPARATOR = '\u0001';

export function layoutOf(collection: Collection<Document>): CollectionLayout {
  const indexes = collection.indexes.map(definition => indexLayout(collection, definition));
  const fields = new Set(indexes.flatMap(({ description }) => Object.keys(description.key)));
  return {
    collection,
    name: collection.name,
    indexes,
    ours: [...fields].filter(field => field.startsWith('_') && field !== '_id'),
  };
}

/** All indexes that a collection should have besides that of its keys. */
export function descriptionsOf({ indexes }: CollectionLayout): IndexDescription[] {
  const expiry: IndexDescription = {
    name: EXPIRY_INDEX,
    key: { _until: 1 },
    sparse: true,
    expireAfterSeconds: REMOVAL_DELAY_SECONDS,
  };
  return [expiry, ...indexes.map(({ description }) => description)];
}

/** Indexes of other names were made by somebody else, and are left alone. */
export function isOurs(indexName: string): boolean {
  return indexName === EXPIRY_INDEX || indexName.startsWith(INDEX_PREFIX);
}

/** The error for a write that met the values of another document in an index, named by the server. */
export function duplicateKey({ name, indexes }: CollectionLayout, serverIndex: string): DuplicateKey {
  const index = indexes.find(each => each.name === serverIndex);
  return new DuplicateKey(name, index?.definition.name ?? 'key');
}

/** A document as it will be written. @throws RangeError for one that is too large */
export function writingOf(layout: CollectionLayout, document: Document): Writing {
  return { document, ...storedDocument(document, oursOf(layout, document)) };
}

/** The fields of ours by which a document is found. */
export function oursOf({ collection, indexes }: CollectionLayout, document: Document): Conditions {
  const indexed = withIndexed(collection, document);
  const ours: Record<string, unknown> = {};
  for (const { definition, fields, place } of indexes) {
    if (collection.indexed !== undefined) {
      // What a former index names as well is there.
      for (const [field, name] of fields) ours[name] ??= comparable(indexed, field);
    }
    const { sort, sortUnique } = definition;
    if (sort !== undefined && sortUnique !== true) {
      const value = scalarOf(indexed, sort);
      ours[place] = placeAt(typeof value === 'string' ? value : '', document.key);
    }
  }
  return ours;
}

/** Holds for documents that are not expired; decided on an index's entries alone, since each holds `expiresAt`. */
export function unexpired(now: number): Conditions {
  return { expiresAt: { $not: { $lte: now } } };
}

/** Holds for the others, within an update: of the document that is stored; false where none is. */
export function expiredInPlace(now: number): object {
  return { $and: [{ $gt: ['$expiresAt', null] }, { $lte: ['$expiresAt', now] }] };
}

/** Holds for the documents that stand in the index under these values. */
export function entriesUnder({ definition, fields }: IndexLayout, equals: IndexQuery['equals']): Conditions {
  const isUnique = definition.unique === true;
  return Object.fromEntries(
    definition.equals.map(field => {
      const value = equals[field];
      // The server uses a partial index only where the condition of that is repeated.
      if (isUnique) return [fields.get(field)!, { $eq: value, $type: INDEXED_TYPES }];
      return [fields.get(field)!, typeof value === 'object' ? { $all: value } : value];
    }),
  );
}

/** Holds for the entries beyond a place. Without `key` every entry of that sort value is beyond. */
export function entriesBeyond(
  { definition, place }: IndexLayout,
  { after, order }: Pick<IndexQuery, 'after' | 'order'>,
): Conditions {
  if (after === undefined) return {};
  const { sort, key } = after;
  // Entries without a value come before all others, which `$lt` would leave out.
  const before = (bound: string): Conditions => ({ [place]: { $not: { $gte: bound } } });
  const behind = (bound: string): Conditions => ({ [place]: { $gt: bound } });
  const isDescending = order === 'descending';
  if (definition.sort === undefined) return key === undefined ? {} : isDescending ? before(key) : behind(key);
  if (definition.sortUnique === true) return isDescending ? before(sort) : behind(sort);
  if (key !== undefined) return isDescending ? before(placeAt(sort, key)) : behind(placeAt(sort, key));
  return isDescending ? before(sort + BEHIND_PLACE_SEPARATOR) : { [place]: { $gte: placeAt(sort, '') } };
}

/** The order of an index's entries; none is asked for where at most one can be found. */
export function placeOrder(
  { definition, place }: IndexLayout,
  { order }: Pick<IndexQuery, 'order'>,
): Record<string, 1 | -1> {
  return definition.unique === true ? {} : { [place]: direction(order) };
}

export function direction(order: IndexQuery['order']): 1 | -1 {
  return order === 'descending' ? -1 : 1;
}

/** The fields of an entry that `hitOf` reads. */
export function hitFields({ definition, place }: IndexLayout): Record<string, 0 | 1> {
  const hasKey = definition.sort === undefined || definition.sortUnique === true;
  return { _id: hasKey ? 1 : 0, [place]: 1 };
}

/** Where an entry stands, and of which document it is. */
export function hitOf(
  { definition, place }: IndexLayout,
  entry: Readonly<Record<string, unknown>>,
): { readonly sort: string; readonly key: string } {
  const { sort, sortUnique } = definition;
  const value = entry[place];
  if (sort === undefined) return { sort: '', key: String(value) };
  const text = typeof value === 'string' ? value : '';
  if (sortUnique === true) return { sort: text, key: String(entry['_id']) };
  const end = text.indexOf(PLACE_SEPARATOR);
  return { sort: text.slice(0, end), key: text.slice(end + 1) };
}

/** Holds where any of the conditions does, decided on the entries of an index that covers itself. */
export function meeting({ fields }: IndexLayout, where: Where): Conditions {
  return {
    $or: where.map(condition => {
      const field = fields.get(condition.field)!;
      if ('equals' in condition) return { [field]: { $eq: condition.equals } };
      return { [field]: { $regex: condition.contains.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&') } };
    }),
  };
}

function indexLayout(collection: Collection<Document>, definition: IndexDefinition): IndexLayout {
  const { sort, sortUnique, unique } = definition;
  const name = INDEX_PREFIX + definition.name;
  // What other indexes cover is looked for in the document: the server cannot join two indexes.
  const covers = coveredFields(collection.indexes, definition);
  const named = [...definition.equals, ...(sortUnique === true ? [sort!] : []), ...covers];
  const fields = new Map(named.map(field => [field, storedName(collection, field)]));
  const stored = (some: readonly string[] = []): string[] => some.map(field => fields.get(field)!);
  const equals = stored(definition.equals);
  const place = placeOf(definition, fields);
  if (unique === true) {
    const partialFilterExpression = Object.fromEntries(
      equals.map(field => [field, { $type: INDEXED_TYPES }]),
    );
    const description = { name, key: ascending(equals), unique, partialFilterExpression };
    return { definition, name, fields, place, description };
  }
  const places = sortUnique === true ? [place, '_id'] : [place];
  const key = ascending([...equals, ...places, ...stored(definition.covers), 'expiresAt']);
  return { definition, name, fields, place, description: { name, key } };
}

/** A sort value that may occur twice makes a place only together with the key. */
function placeOf({ sort, sortUnique }: IndexDefinition, fields: ReadonlyMap<string, string>): string {
  if (sort === undefined) return '_id';
  return sortUnique === true ? fields.get(sort)! : `_place_${sort}`;
}

function ascending(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map(field => [field, 1]));
}

/** The name of a field that an index names. */
function storedName({ indexed }: Collection<Document>, field: string): string {
  if (indexed !== undefined) return `_of_${field}`;
  return field === 'key' ? '_id' : field;
}

/** What an index compares: a scalar, or texts of which each is an entry. */
function comparable(document: Document, field: string): unknown {
  const value: unknown = Reflect.get(document, field);
  if (Array.isArray(value)) return value.filter(element => typeof element === 'string');
  return scalarOf(document, field);
}

function placeAt(sort: string, key: string): string {
  return `${sort}${PLACE_SEPARATOR}${key}`;
}
