import { behindKey } from '#storage/documents/declared';
import {
  DamagedDocument,
  type Collection,
  type Document,
  type Documents,
  type KeyRange,
} from '#storage/documents/documents';
import { pagesOf } from '#storage/documents/pages';
import { requestsFirst } from '#concurrency/requests-first';

/** What is stored under a key. */
export interface Entry {
  readonly key: string;
  /** Null where it is damaged. */
  readonly document: Document | null;
}

/**
 * What is stored in a range of keys, in the order of the keys' bytes, damaged documents among the others.
 * @param size documents that are read at once
 * @throws DocumentsUnavailable
 */
export async function* entriesOf(
  documents: Documents,
  collection: Collection<Document>,
  range: Pick<KeyRange, 'from' | 'before'>,
  size: number,
): AsyncGenerator<Entry> {
  const entryOf = (document: Document): Entry => ({ key: document.key, document });
  let { from } = range;
  for (;;) {
    try {
      for await (const page of pagesOf(documents, collection, { ...range, from }, size)) {
        await requestsFirst();
        yield* page.map(entryOf);
        const last = page.at(-1);
        if (last) from = behindKey(last.key);
      }
      return;
    } catch (error) {
      if (!(error instanceof DamagedDocument)) throw error;
      const { key } = error;
      // It was met on a page, so that fewer are in front of it there.
      yield* (await documents.range(collection, { from, before: key, limit: size })).map(entryOf);
      yield { key, document: null };
      from = behindKey(key);
    }
  }
}
