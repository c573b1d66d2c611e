import { JoinedGroup, type GroupView } from './joined-group.js';
import { textPartsWithList } from './list-text.js';
import type { MonthView } from './month-view.js';

/**
 * The JSON of a month's view, as `JSON.stringify` makes it; that of a joined group once for each version of it.
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

function groupText(group: GroupView): string {
  return group instanceof JoinedGroup ? group.text : JSON.stringify(group);
}
