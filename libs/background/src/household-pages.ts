import { behindKey } from '#documents/declared';
import type { Collection, Document, Documents } from '#documents/documents';
import { householdRange } from '#streams/household-making';

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
    range = { ...range, from: behindKey(page.at(-1)!.key) };
  }
}
