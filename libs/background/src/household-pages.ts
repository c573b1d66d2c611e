import type { Collection, Document, Documents } from '#documents/documents';

/**
 * All documents of a household in a collection, in the order of their keys' bytes, page by page.
 * @param limit documents of a page
 * @throws DocumentsUnavailable
 */
export async function* householdPages<T extends Document>(
  documents: Documents,
  collection: Collection<T>,
  householdId: string,
  limit: number,
): AsyncGenerator<readonly T[]> {
  // Keys are the household, or begin with it and `|`; `}` is the character after that.
  const before = `${householdId}}`;
  let from = householdId;
  for (;;) {
    const page = await documents.range(collection, { from, before, limit });
    yield page;
    if (page.length < limit) return;
    from = `${page.at(-1)!.key}\u0001`;
  }
}
