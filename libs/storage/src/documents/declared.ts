import {
  ELEMENTS_MAX,
  QUERY_LIMIT_MAX,
  type Collection,
  type Document,
  type IndexDefinition,
  type IndexQuery,
  type KeyRange,
  type Where,
} from './documents.js';

/** A document's value as an index compares it; null stands for every value that is not in an index. */
export type Scalar = string | number | boolean | null;

/** One value for each field that an index compares. */
export type Values = Readonly<Record<string, string | number | boolean>>;

const COLLECTION_NAME = /^[a-z][a-z0-9_]{0,59}$/;
const INDEX_NAME = /^[A-Za-z][A-Za-z0-9_]{0,59}$/;

/** The checks of a definition that every adapter makes before it creates anything. @throws RangeError */
export function checkCollection({ name, indexes }: Collection<Document>): void {
  if (!COLLECTION_NAME.test(name)) throw new RangeError(`${name} is no name for a collection`);
  const names = new Set<string>();
  for (const index of indexes) {
    const lowerCase = index.name.toLowerCase();
    if (!INDEX_NAME.test(index.name) || lowerCase === 'key' || names.has(lowerCase)) {
      throw new RangeError(`${index.name} is no name for an index of ${name}, or given twice`);
    }
    names.add(lowerCase);
    if (index.equals.length === 0) throw new RangeError(`index ${index.name} of ${name} compares no field`);
    if (index.list !== undefined && (index.unique === true || !index.equals.includes(index.list))) {
      throw new RangeError(`index ${index.name} of ${name} cannot hold a list in ${index.list}`);
    }
    if (index.unique === true && index.sort !== undefined) {
      throw new RangeError(`the unique index ${index.name} of ${name} cannot have an order`);
    }
    if (index.sortUnique === true && index.sort === undefined) {
      throw new RangeError(`index ${index.name} of ${name} has no order that could be unique`);
    }
  }
}

/** The fields on which a search in an index decides its conditions. */
export function coveredFields(
  indexes: readonly IndexDefinition[],
  index: IndexDefinition,
): readonly string[] {
  return index.covers ?? [...new Set(indexes.flatMap(({ covers = [] }) => covers))];
}

/** @throws RangeError for a number that cannot be a count of documents or exceeds the limit of one answer */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 0 || limit > QUERY_LIMIT_MAX) {
    throw new RangeError(`a limit of ${limit} is not within 0 and ${QUERY_LIMIT_MAX}`);
  }
}

/**
 * The index that a query runs on, after the checks that every adapter makes.
 * @throws RangeError for an index or field that is not declared, or a limit out of range
 */
export function declaredIndex(
  collection: Collection<Document>,
  query: Pick<IndexQuery, 'index' | 'equals' | 'after' | 'where'>,
): IndexDefinition {
  const index = collection.indexes.find(({ name }) => name === query.index);
  if (index === undefined) throw new RangeError(`${collection.name} declares no index ${query.index}`);
  const given = Object.keys(query.equals);
  if (
    given.length !== index.equals.length ||
    !index.equals.every(field => Object.hasOwn(query.equals, field))
  ) {
    throw new RangeError(
      `index ${index.name} of ${collection.name} needs exactly ${index.equals.join(', ')}`,
    );
  }
  const lists = Object.values(query.equals).filter(value => typeof value === 'object');
  if (
    lists.length > 1 ||
    lists.some(({ length }) => length < 1 || length > ELEMENTS_MAX) ||
    (lists.length > 0 && index.list === undefined)
  ) {
    throw new RangeError(`index ${index.name} of ${collection.name} is not asked for such elements`);
  }
  if (query.after !== undefined && index.sort === undefined && query.after.sort !== '') {
    throw new RangeError(`index ${index.name} of ${collection.name} has no order to begin after`);
  }
  for (const { field } of query.where ?? []) {
    if (!coveredFields(collection.indexes, index).includes(field)) {
      throw new RangeError(`index ${index.name} of ${collection.name} does not cover ${field}`);
    }
  }
  return index;
}

/**
 * What a query's documents must each stand under: its values, with one element at a time where it looks for several.
 * @param equals as `declaredIndex` has checked it
 */
export function eachElement(equals: IndexQuery['equals']): readonly Values[] {
  for (const [field, value] of Object.entries(equals)) {
    if (typeof value === 'object') return value.map(element => ({ ...(equals as Values), [field]: element }));
  }
  return [equals as Values];
}

/** @throws RangeError for a replacement that would not raise the revision */
export function checkReplacement({ key, revision }: Document, expected: number): void {
  if (!(revision > expected)) {
    throw new RangeError(`revision ${revision} of ${key} does not follow revision ${expected}`);
  }
}

/** A document with the fields that its collection adds for the indexes; these are what an index looks at. */
export function withIndexed<T extends Document>(collection: Collection<T>, document: T): Document {
  // Not by spreading both, which makes a slow object each time.
  return collection.indexed === undefined
    ? document
    : Object.assign({}, document, collection.indexed(document));
}

/** The value of a top-level field for comparing; what cannot be compared is null. */
export function scalarOf(document: Document, field: string): Scalar {
  const value: unknown = Reflect.get(document, field);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/**
 * Whether a document, as `withIndexed` makes it, satisfies a query's conditions; for adapters whose store decides
 * them more loosely.
 */
export function satisfies(document: Document, where: Where): boolean {
  return where.some(condition => {
    const value = scalarOf(document, condition.field);
    return 'contains' in condition
      ? typeof value === 'string' && value.includes(condition.contains)
      : value === condition.equals;
  });
}

/** No key has it: behind a prefix, it is behind every key with that prefix. */
export const LAST_CHARACTER = '\u{10ffff}';

/** Where every document of a collection is whose keys begin with a digit or a letter: these stand in between. */
export const EVERY_KEY: Pick<KeyRange, 'from' | 'before'> = { from: '!', before: '~' };

/** Where the documents are whose keys begin with a name and `|`. */
export function keysUnder(name: string): Pick<KeyRange, 'from' | 'before'> {
  // `}` is the character after `|`.
  return { from: `${name}|`, before: `${name}}` };
}

/** The least text that is greater than a key and may be the beginning of others: keys have no NUL. */
export function behindKey(key: string): string {
  return `${key}\u0001`;
}
