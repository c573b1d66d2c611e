import { behindKey, EVERY_KEY } from '#documents/declared';
import type { Collection, Document, Documents } from '#documents/documents';

/** How many documents are read at once. */
const PAGE_DOCUMENTS = 200;

/** The documents of a collection in the order of their keys, page by page. @throws DocumentsUnavailable */
export async function* everyDocument<T extends Document>(
  documents: Documents,
  collection: Collection<T>,
): AsyncGenerator<T[]> {
  let range = { ...EVERY_KEY, limit: PAGE_DOCUMENTS };
  for (;;) {
    const page = await documents.range(collection, range);
    if (page.length > 0) yield page;
    if (page.length < PAGE_DOCUMENTS) return;
    range = { ...range, from: behindKey(page.at(-1)!.key) };
  }
}
