import type { Collection, Document, Documents, KeyRange } from '#documents/documents';

/** Where the documents of a household are in every collection of read models. */
export function householdRange(householdId: string): Pick<KeyRange, 'from' | 'before'> {
  // Keys are the household, or begin with it and `|`; `}` is the character after that.
  return { from: householdId, before: `${householdId}}` };
}

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
  let range = householdRange(householdId);
  for (;;) {
    const page = await documents.range(collection, { ...range, limit });
    yield page;
    if (page.length < limit) return;
    range = { ...range, from: `${page.at(-1)!.key}\u0001` };
  }
}
