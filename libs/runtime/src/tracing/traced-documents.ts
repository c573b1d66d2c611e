import {
  Documents,
  type Collection,
  type Document,
  type DocumentText,
  type IndexQuery,
  type KeyRange,
  type Write,
} from '#storage/documents/documents';
import type { Tracing } from './tracing.js';

/** Documents whose reads and writes show in traces, by the name of their collection; the rest passes through. */
export class TracedDocuments extends Documents {
  constructor(
    private readonly documents: Documents,
    private readonly tracing: Tracing,
  ) {
    super();
  }

  get<T extends Document>(collection: Collection<T>, key: string): Promise<T | null> {
    return this.span('get', collection, () => this.documents.get(collection, key));
  }

  getMany<T extends Document>(collection: Collection<T>, keys: readonly string[]): Promise<T[]> {
    return this.span('get many', collection, () => this.documents.getMany(collection, keys), keys.length);
  }

  range<T extends Document>(collection: Collection<T>, range: KeyRange): Promise<T[]> {
    return this.span('range', collection, () => this.documents.range(collection, range));
  }

  digest<T extends Document>(
    collection: Collection<T>,
    range: Pick<KeyRange, 'from' | 'before'>,
  ): Promise<string> {
    return this.span('digest', collection, () => this.documents.digest(collection, range));
  }

  query<T extends Document>(collection: Collection<T>, query: IndexQuery): Promise<T[]> {
    return this.span('query', collection, () => this.documents.query(collection, query));
  }

  count<T extends Document>(
    collection: Collection<T>,
    query: Pick<IndexQuery, 'index' | 'equals'> & { readonly limit: number },
  ): Promise<number> {
    return this.span('count', collection, () => this.documents.count(collection, query));
  }

  put<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<void> {
    return this.span('put', collection, () => this.documents.put(collection, documents), documents.length);
  }

  putAll(writes: readonly Write[]): Promise<void> {
    const count = writes.reduce((sum, { documents }) => sum + documents.length, 0);
    return this.tracing.child('put documents', { 'ledger.documents': count }, () =>
      this.documents.putAll(writes),
    );
  }

  putTexts<T extends Document>(collection: Collection<T>, texts: readonly DocumentText[]): Promise<void> {
    return this.span('put', collection, () => this.documents.putTexts(collection, texts), texts.length);
  }

  insert<T extends Document>(collection: Collection<T>, document: T): Promise<void> {
    return this.span('insert', collection, () => this.documents.insert(collection, document));
  }

  replace<T extends Document>(collection: Collection<T>, document: T, expected: number): Promise<boolean> {
    return this.span('replace', collection, () => this.documents.replace(collection, document, expected));
  }

  remove<T extends Document>(collection: Collection<T>, key: string, expected?: number): Promise<boolean> {
    return this.span('remove', collection, () => this.documents.remove(collection, key, expected));
  }

  removePrefix<T extends Document>(collection: Collection<T>, prefix: string): Promise<void> {
    return this.span('remove prefix', collection, () => this.documents.removePrefix(collection, prefix));
  }

  ensure(collections: readonly Collection<Document>[]): Promise<void> {
    return this.documents.ensure(collections);
  }

  drop(name: string): Promise<void> {
    return this.documents.drop(name);
  }

  scrub(): Promise<boolean> {
    return this.documents.scrub();
  }

  ping(): Promise<void> {
    return this.documents.ping();
  }

  close(): Promise<void> {
    return this.documents.close();
  }

  private span<T>(
    operation: string,
    { name }: { readonly name: string },
    work: () => Promise<T>,
    count?: number,
  ): Promise<T> {
    const attributes = {
      'db.operation.name': operation,
      'db.collection.name': name,
      ...(count !== undefined && { 'ledger.documents': count }),
    };
    return this.tracing.child(`${operation} ${name}`, attributes, work);
  }
}
