import { behindKey } from '#documents/declared';
import type { Collection, Document, Documents } from '#documents/documents';

/** How many documents are read at once. */
const PAGE_DOCUMENTS = 200;

/** A character before every one that a key may begin with, and one after. */
const FIRST = '!';
const BEYOND = '~';

/** The documents of a collection in the order of their keys, page by page. @throws DocumentsUnavailable */
export async function* everyDocument<T extends Document>(
  documents: Documents,
  collection: Collection<T>,
): AsyncGenerator<T[]> {
  let from = FIRST;
  for (;;) {
    const page = await documents.range(collection, { from, before: BEYOND, limit: PAGE_DOCUMENTS });
    if (page.length > 0) yield page;
    if (page.length < PAGE_DOCUMENTS) return;
    from = behindKey(page.at(-1)!.key);
  }
}
