import type { Draft } from '../draft.js';
import type { EventAmong, EventDeclarations } from '../event-declaration.js';
import { makeGroup, type NewGroup } from '../groups/group-events.js';
import { budgetOf, type Household } from '../household.js';
import {
  laidItem,
  makeItem,
  takenItem,
  type ItemEvents,
  type NewItem,
  type PlannedItem,
  type TakenItem,
} from '../items/item-events.js';
import * as tracking from '../transactions/tracking.js';
import * as cells from '../undo/cells.js';
import type { Amount, Month, Timestamp, Ulid } from '../values.js';

/** Groups in their order, with their items in theirs. */
export type Layout = readonly {
  readonly groupId: Ulid;
  readonly items: readonly { readonly itemId: Ulid; readonly planned: Amount }[];
}[];

/** How a month was laid out: copied from an earlier one, or from the default template. */
export interface LaidOut {
  readonly month: Month;
  readonly copiedFrom: Month | null;
  /** Identities that did not exist before. */
  readonly newGroups: readonly NewGroup[];
  readonly newItems: readonly NewItem[];
  readonly layout: Layout;
  /** When the month was first made, where it comes back; absent: now. */
  readonly createdAt?: Timestamp;
}

/** A month's whole layout as it was before it was replaced. */
interface TakenMonth {
  readonly copiedFrom: Month | null;
  readonly groups: readonly { readonly groupId: Ulid; readonly items: readonly TakenItem[] }[];
}

/** What happens to months. */
export interface MonthEvents {
  MonthCreated: LaidOut;
  MonthZeroed: {
    readonly month: Month;
    readonly planned: readonly (readonly [itemId: Ulid, planned: Amount])[];
  };
  MonthReplaced: LaidOut & { readonly taken: TakenMonth; readonly untracked: tracking.Untracking };
  /* Only an undoing makes these: the inverses of a creation and a replacement. */
  MonthRemoved: { readonly month: Month; readonly createdAt: Timestamp; readonly taken: TakenMonth };
  LayoutPutBack: {
    readonly month: Month;
    readonly copiedFrom: Month | null;
    readonly groups: TakenMonth['groups'];
    readonly taken: TakenMonth;
    readonly retracked: tracking.Retracking;
  };
}

export const monthEvents: EventDeclarations<MonthEvents, EventAmong<MonthEvents & ItemEvents>> = {
  MonthCreated: {
    fold(draft, data, { revision, at }) {
      const { month, copiedFrom, createdAt = at } = data;
      draft.createBudget({ month, copiedFrom, createdAt, revision, groups: [], items: new Map() });
      layOut(draft, data);
    },
    writes: ({ month }) => [cells.month(month)],
    departures: ({ month, layout }) => cells.came(month, itemsOf(layout)),
    inverse({ month }, { household }) {
      const { createdAt } = budgetOf(household, month)!;
      return [{ type: 'MonthRemoved', data: { month, createdAt, taken: takenMonth(household, month) } }];
    },
    sentence: ({ month, copiedFrom }) =>
      `created ${month} ${copiedFrom === null ? 'from the template' : `as a copy of ${copiedFrom}`}`,
    undid: 'its deletion',
  },
  MonthZeroed: {
    fold(draft, { month, planned }) {
      for (const [itemId] of planned) draft.setItemIn(month, itemId, { planned: 0 });
    },
    writes: ({ month, planned }) => planned.map(([itemId]) => cells.itemPart(month, itemId, 'planned')),
    inverse: ({ month, planned }) =>
      planned.map(([itemId, after]) => ({ type: 'ItemPlanned', data: { month, itemId, before: 0, after } })),
    sentence: ({ month }) => `set every plan of ${month} to 0`,
  },
  MonthReplaced: {
    fold(draft, data) {
      tracking.untrack(draft, data.month, data.untracked);
      if (isSameLayout(data.taken, data)) return;
      draft.budget(data.month).copiedFrom = data.copiedFrom;
      layOut(draft, data);
    },
    ...tracking.UNTRACKS,
    writes: ({ month, untracked }) => [cells.month(month), ...tracking.splitsTaken(untracked)],
    undoNeeds: ({ month, untracked }) =>
      cells.oneAfterTheOther([cells.month(month)], tracking.boundFieldsOfEach(untracked)),
    departures: ({ month, taken, layout }) => replaced(month, taken.groups, layout),
    inverse({ month, taken, untracked }, { household }, { id }) {
      const retracked = { ...untracked, takenBy: id };
      const data = { month, ...taken, taken: takenMonth(household, month), retracked };
      return [{ type: 'LayoutPutBack', data }];
    },
    sentence({ month, copiedFrom, untracked }) {
      const layout = copiedFrom === null ? 'the template' : `a copy of ${copiedFrom}`;
      return `reset ${month} to ${layout}${tracking.untrackedToo(untracked)}`;
    },
  },
  MonthRemoved: {
    fold: (draft, { month }) => draft.removeBudget(month),
    writes: ({ month }) => [cells.month(month)],
    departures: ({ month, taken }) => cells.went(month, itemsOf(taken.groups)),
    inverse: ({ month, taken, createdAt }) => [
      { type: 'MonthCreated', data: { ...laidOutAgain(month, taken), createdAt } },
    ],
    sentence: ({ month }) => `deleted ${month}`,
    undid: 'its creation',
  },
  LayoutPutBack: {
    fold(draft, { month, copiedFrom, groups, retracked }) {
      draft.budget(month).copiedFrom = copiedFrom;
      draft.layOut(month, laidGroups(groups));
      tracking.retrack(draft, month, retracked);
    },
    ...tracking.RETRACKS,
    writes: ({ month, retracked }) => [cells.month(month), ...tracking.splitsTaken(retracked)],
    departures: ({ month, taken, groups }) => replaced(month, taken.groups, groups),
    inverse({ month, copiedFrom, groups, taken, retracked }) {
      const untracked = tracking.untrackingOf(retracked);
      const data = { ...laidOutAgain(month, taken), taken: { copiedFrom, groups }, untracked };
      return [{ type: 'MonthReplaced', data }];
    },
    sentence: ({ month, retracked }) =>
      `restored the former layout of ${month}${tracking.trackedAgain(retracked)}`,
    undid: 'a reset',
  },
};

function layOut(draft: Draft, { month, newGroups, newItems, layout }: LaidOut): void {
  for (const group of newGroups) makeGroup(draft, group);
  for (const { groupId, items } of layout) {
    for (const { itemId } of items) {
      const item = newItems.find(({ id }) => id === itemId);
      if (item) makeItem(draft, item, groupId);
    }
  }
  draft.layOut(month, laidGroups(layout));
}

function laidGroups(groups: readonly { readonly groupId: Ulid; readonly items: readonly PlannedItem[] }[]) {
  return groups.map(({ groupId, items }) => ({
    groupId,
    items: items.map(item => [item.itemId, laidItem(item)] as const),
  }));
}

/** Whether a month that is replaced was laid out so already, without notes and adjustments. */
export function isSameLayout(taken: TakenMonth, laidOut: LaidOut): boolean {
  const bare = taken.groups.every(group =>
    group.items.every(item => item.note === null && item.adjustments.length === 0),
  );
  return (
    bare &&
    taken.copiedFrom === laidOut.copiedFrom &&
    JSON.stringify(layoutOf(taken)) === JSON.stringify(laidOut.layout)
  );
}

/** The groups, items and plans of a month that was taken away, without notes and adjustments. */
function layoutOf({ groups }: TakenMonth): Layout {
  return groups.map(({ groupId, items }) => ({
    groupId,
    items: items.map(({ itemId, planned }) => ({ itemId, planned })),
  }));
}

/** What a month has, for the event that takes its layout away. */
export function takenMonth(household: Household, month: Month): TakenMonth {
  const budget = budgetOf(household, month)!;
  const groups = budget.groups.map(({ groupId, itemIds }) => ({
    groupId,
    items: itemIds.map(itemId => takenItem(budget, itemId)),
  }));
  return { copiedFrom: budget.copiedFrom, groups };
}

function laidOutAgain(month: Month, taken: TakenMonth): LaidOut {
  return { month, copiedFrom: taken.copiedFrom, newGroups: [], newItems: [], layout: layoutOf(taken) };
}

function itemsOf(groups: Layout): Ulid[] {
  return groups.flatMap(({ items }) => items.map(({ itemId }) => itemId));
}

/** What is in both went, and came back. */
function replaced(month: Month, before: Layout, after: Layout): cells.Departure[] {
  return [...cells.went(month, itemsOf(before)), ...cells.came(month, itemsOf(after))];
}
