import { EVERY_KEY } from '#documents/declared';
import type { Documents } from '#documents/documents';
import { pagesOf } from '#documents/pages';
import type { RebuildState } from '#streams/generations/generation-pointer';
import { readModelsOf, type Generations } from '#streams/read-models';

/** Heads that are read together. */
const PAGE_HEADS = 1_000;

/**
 * Writes the heads of a set that takes some collections from the live set and some from the built one: each says what
 * the heads of both say, which goes on to hold, since documents only go forward. A household that one of them does not
 * have yet gets none, and is applied from its first event on.
 * @throws DocumentsUnavailable: it may be done again
 */
export async function writeMixedHeads(
  documents: Documents,
  live: Generations,
  { builds, becomes }: Pick<RebuildState, 'builds' | 'becomes'>,
): Promise<void> {
  const [former, built, mixed] = [live, builds, becomes].map(set => readModelsOf(set).heads);
  // An operator's process knows of the set that it builds, of no other.
  await documents.ensure([former!, built!, mixed!]);
  for await (const page of pagesOf(documents, former!, EVERY_KEY, PAGE_HEADS)) {
    const others = await documents.getMany(
      built!,
      page.map(({ key }) => key),
    );
    const revisions = new Map(others.map(({ key, revision }) => [key, revision]));
    const heads = page.flatMap(({ key, revision }) => {
      const other = revisions.get(key);
      return other === undefined ? [] : [{ key, revision: Math.min(revision, other) }];
    });
    if (heads.length > 0) await documents.put(mixed!, heads);
  }
}
