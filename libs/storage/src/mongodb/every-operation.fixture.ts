import type { Collection, Document, Documents } from '../documents/documents.js';

/** A document for tests of failures. */
export interface Counted extends Document {
  readonly group?: string;
  readonly text?: string;
  readonly count?: number;
}

export const COUNTED: Collection<Counted> = {
  name: 'counted',
  durability: 'durable',
  indexes: [{ name: 'by_group', equals: ['group'], covers: ['text'] }],
};

/** Each operation of the port that asks the store, on a collection that was ensured. */
export function everyOperation(documents: Documents): Readonly<Record<string, () => Promise<unknown>>> {
  const query = { index: 'by_group', equals: { group: 'g' }, limit: 9 };
  return {
    get: () => documents.get(COUNTED, 'k'),
    getMany: () => documents.getMany(COUNTED, ['k', 'l']),
    range: () => documents.range(COUNTED, { from: 'a', before: 'z', limit: 9 }),
    query: () => documents.query(COUNTED, query),
    search: () => documents.query(COUNTED, { ...query, where: [{ field: 'text', contains: 'x' }] }),
    put: () => documents.put(COUNTED, [{ key: 'k', revision: 1 }]),
    'put of many': () =>
      documents.put(
        COUNTED,
        Array.from({ length: 100 }, (_, number) => ({ key: `many${number}`, revision: 1 })),
      ),
    insert: () => documents.insert(COUNTED, { key: 'new', revision: 1 }),
    replace: () => documents.replace(COUNTED, { key: 'k', revision: 3 }, 2),
    remove: () => documents.remove(COUNTED, 'l'),
    removePrefix: () => documents.removePrefix(COUNTED, 'none'),
    drop: () => documents.drop('other'),
    ensure: () => documents.ensure([{ ...COUNTED, name: 'another' }]),
    ping: () => documents.ping(),
  };
}
