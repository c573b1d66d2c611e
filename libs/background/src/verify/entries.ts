import { behindKey } from '#documents/declared';
import {
  DamagedDocument,
  type Collection,
  type Document,
  type Documents,
  type KeyRange,
} from '#documents/documents';
import { pagesOf } from '#documents/pages';

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
  let { from } = range;
  let before: string | null = null;
  for (;;) {
    try {
      for await (const page of pagesOf(
        documents,
        collection,
        { from, before: before ?? range.before },
        size,
      )) {
        for (const document of page) {
          from = behindKey(document.key);
          yield { key: document.key, document };
        }
      }
      if (before === null) return;
      yield { key: before, document: null };
      from = behindKey(before);
      before = null;
    } catch (error) {
      if (!(error instanceof DamagedDocument)) throw error;
      // What is in front of it is readable.
      before = error.key;
    }
  }
}
