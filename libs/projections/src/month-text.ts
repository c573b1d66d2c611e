import type { GroupView, MonthView } from './month-view.js';

/** The JSON of groups: commands leave most groups of a month as they are, and answer with all of it. */
const texts = new WeakMap<GroupView, string>();

/**
 * The JSON of a month's view, as `JSON.stringify` makes it; that of a group once for each version of the group.
 * @returns its parts, so that they are copied once, into the text that they become part of
 */
export function monthTextParts(view: MonthView): readonly string[] {
  const { month, left_to_budget, groups, favorites, center, untracked_count, copied_from, created_at } = view;
  const before = JSON.stringify({ month, left_to_budget });
  const after = JSON.stringify({ favorites, center, untracked_count, copied_from, created_at });
  return textPartsWithList(
    before,
    'groups',
    groups.map(group => [groupText(group)]),
    after,
  );
}

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

function groupText(group: GroupView): string {
  let text = texts.get(group);
  if (text === undefined) texts.set(group, (text = JSON.stringify(group)));
  return text;
}
