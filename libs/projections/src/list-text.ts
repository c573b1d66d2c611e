/**
 * The JSON of an object with a list of which the texts are known.
 * @param before JSON of an object with the fields before the list, one at least
 * @param elements the parts of each element's text
 * @param after as `before`, of the fields behind it
 */
export function textPartsWithList(
  before: string,
  name: string,
  elements: readonly (readonly string[])[],
  after: string,
): string[] {
  const parts = [before.slice(0, -1), `,"${name}":[`];
  for (const [at, element] of elements.entries()) {
    if (at > 0) parts.push(',');
    parts.push(...element);
  }
  parts.push('],', after.slice(1));
  return parts;
}
