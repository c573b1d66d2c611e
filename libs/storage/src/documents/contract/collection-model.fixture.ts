import { eachElement, satisfies, scalarOf, withIndexed, type Scalar } from '../declared.js';
import {
  DuplicateKey,
  type Collection,
  type Document,
  type IndexDefinition,
  type IndexQuery,
} from '../documents.js';

/** One collection as the port describes it, in the plainest way: what adapters are compared with. */
export class CollectionModel<T extends Document> {
  private readonly documents = new Map<string, T>();

  constructor(private readonly collection: Collection<T>) {}

  get(key: string): T | null {
    return this.documents.get(key) ?? null;
  }

  keys(): string[] {
    return [...this.documents.keys()].sort(byBytes);
  }

  put(documents: readonly T[]): void {
    for (const document of documents) {
      const stored = this.documents.get(document.key);
      if (stored === undefined || stored.revision < document.revision)
        this.documents.set(document.key, document);
    }
  }

  insert(document: T): void {
    if (this.documents.has(document.key)) throw new DuplicateKey(this.collection.name, 'key');
    this.requireVacant(document);
    this.documents.set(document.key, document);
  }

  replace(document: T, expected: number): boolean {
    if (this.documents.get(document.key)?.revision !== expected) return false;
    this.requireVacant(document);
    this.documents.set(document.key, document);
    return true;
  }

  remove(key: string, expected?: number): boolean {
    const stored = this.documents.get(key);
    if (stored === undefined || (expected !== undefined && stored.revision !== expected)) return false;
    return this.documents.delete(key);
  }

  query({ index: name, equals, order, after, where, limit }: IndexQuery): T[] {
    const index = this.collection.indexes.find(each => each.name === name)!;
    const direction = order === 'descending' ? -1 : 1;
    const sortOf = (document: T): string =>
      index.sort === undefined ? '' : String(scalarOf(this.indexed(document), index.sort) ?? '');
    const isBeyond = (document: T): boolean => {
      if (after === undefined) return true;
      const bySort = byBytes(sortOf(document), after.sort) * direction;
      if (bySort !== 0 || index.sortUnique === true) return bySort > 0;
      return after.key === undefined || byBytes(document.key, after.key) * direction > 0;
    };
    return [...this.documents.values()]
      .filter(document => stands(this.indexed(document), index, equals))
      .filter(isBeyond)
      .filter(document => where === undefined || satisfies(this.indexed(document), where))
      .sort((a, b) => direction * (byBytes(sortOf(a), sortOf(b)) || byBytes(a.key, b.key)))
      .slice(0, limit);
  }

  private requireVacant(document: T): void {
    for (const index of this.collection.indexes) {
      if (index.unique !== true) continue;
      const wanted = JSON.stringify(entryValues(this.indexed(document), index));
      if (wanted === '[]') continue;
      for (const other of this.documents.values()) {
        if (other.key === document.key) continue;
        if (JSON.stringify(entryValues(this.indexed(other), index)) === wanted) {
          throw new DuplicateKey(this.collection.name, index.name);
        }
      }
    }
  }

  private indexed(document: T): Document {
    return withIndexed(this.collection, document);
  }
}

function stands(document: Document, index: IndexDefinition, equals: IndexQuery['equals']): boolean {
  return eachElement(equals).every(wanted =>
    entryValues(document, index).some(values =>
      index.equals.every((field, place) => values[place] === wanted[field]),
    ),
  );
}

/** The values under which a document stands in an index, one list for each of its entries. */
function entryValues(document: Document, { equals, list }: IndexDefinition): readonly (readonly Scalar[])[] {
  const elements: unknown = list !== undefined && Reflect.get(document, list);
  const texts = Array.isArray(elements) ? elements.filter(each => typeof each === 'string') : [];
  return (list === undefined ? [null] : [...new Set(texts)])
    .map(text => equals.map(field => (field === list ? text : scalarOf(document, field))))
    .filter(values => !values.includes(null));
}

/** The order of keys: by the bytes of their UTF-8. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
