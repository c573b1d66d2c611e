import { behindKey } from './declared.js';
import type { Collection, Document, Documents, KeyRange } from './documents.js';

/**
 * All documents of a range of keys, in the order of the keys' bytes, page by page, so that not all are in memory. What
 * is written meanwhile is found where it stands behind the pages that were read.
 * @param collection where it may become another one meanwhile, a function that is asked for each page
 * @param size documents of a page; the last one has fewer, or none
 * @throws DocumentsUnavailable
 */
export async function* pagesOf<T extends Document>(
  documents: Documents,
  collection: Collection<T> | (() => Collection<T>),
  keys: Pick<KeyRange, 'from' | 'before'>,
  size: number,
): AsyncGenerator<readonly T[]> {
  let range: KeyRange = { ...keys, limit: size };
  for (;;) {
    const page = await documents.range(typeof collection === 'function' ? collection() : collection, range);
    yield page;
    const last = page.at(-1);
    if (!last || page.length < size) return;
    range = { ...range, from: behindKey(last.key) };
  }
}
