import type { GroupView, MonthView } from './month-view.js';

/** The JSON of groups: commands leave most groups of a month as they are, and answer with all of it. */
const texts = new WeakMap<GroupView, string>();

/** The JSON of a month's view, as `JSON.stringify` makes it; that of a group once for each version of the group. */
export function monthText(view: MonthView): string {
  const { month, left_to_budget, groups, favorites, center, untracked_count, copied_from, created_at } = view;
  const before = JSON.stringify({ month, left_to_budget });
  const after = JSON.stringify({ favorites, center, untracked_count, copied_from, created_at });
  return `${before.slice(0, -1)},"groups":[${groups.map(groupText).join()}],${after.slice(1)}`;
}

function groupText(group: GroupView): string {
  let text = texts.get(group);
  if (text === undefined) texts.set(group, (text = JSON.stringify(group)));
  return text;
}
