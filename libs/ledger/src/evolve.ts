import { Draft } from './draft.js';
import type {
  Activity,
  EventOf,
  FundEventType,
  GroupEventType,
  ItemEventType,
  Kind,
  LaidOut,
  Layout,
  LedgerEvent,
  LedgerEventData,
  RecordedLedgerEvent,
  Retracking,
  Split,
  TakenItem,
  TakenMonth,
  TransactionEventType,
  TransactionContent,
  Ulid,
  Untracking,
  WayBackType,
} from './events.js';
import type { Household, Move } from './household.js';
import { DraftLaidItems, type LaidItem } from './laid-items.js';
import { sumOrNaN, type Amount } from './money.js';

/**
 * Folds events into a household. History is true: nothing is checked, and an event that contradicts what came
 * before it is a defect of the log.
 *
 * @param events in the order of their revisions
 * @throws BrokenHistory when an event names what the history never made
 */
export function evolve(household: Household, events: readonly RecordedLedgerEvent[]): Household {
  if (events.length === 0) return household;
  const draft = new Draft(household);
  for (const event of events) {
    draft.begin(event);
    apply(draft, event);
  }
  return draft.finish();
}

/** What splits add to each item's activity: expenses count up, incomes down. */
export function activityOf(type: Kind, splits: readonly Split[]): Activity {
  return splits.map(split => [split.itemId, type === 'expense' ? split.amount : -split.amount] as const);
}

function apply(draft: Draft, event: RecordedLedgerEvent): void {
  switch (event.type) {
    case 'CommandUndone':
      for (const part of event.data.events) apply(draft, partOf(event, part));
      return draft.takeBackMoves(event.data.undoes);
    case 'MonthCreated':
      return monthCreated(draft, event.data, event.at);
    case 'MonthZeroed':
      for (const [itemId] of event.data.planned) draft.setItemIn(event.data.month, itemId, { planned: 0 });
      return;
    case 'MonthReplaced':
      return monthReplaced(draft, event.data);
    case 'FundOpened':
    case 'FundEnded':
    case 'FundBalanceUpdated':
      return applyToFunds(draft, event);
    case 'TransactionCreated':
    case 'TransactionChanged':
    case 'TransactionDeleted':
    case 'TransactionRestored':
      return applyToTransactions(draft, event);
    default:
      return applyToLayout(draft, event);
  }
}

function applyToLayout(draft: Draft, event: GroupEvent | ItemEvent | WayBackEvent): void {
  switch (event.type) {
    case 'GroupAdded':
    case 'GroupPlaced':
    case 'GroupChanged':
    case 'GroupRemoved':
    case 'GroupsOrdered':
      return applyToGroups(draft, event);
    case 'MonthRemoved':
    case 'LayoutPutBack':
    case 'GroupPutBack':
    case 'ItemPutBack':
    case 'FundReopened':
    case 'AdjustmentRemoved':
    case 'AdjustmentPutBack':
      return applyWayBack(draft, event);
    default:
      return applyToItems(draft, event);
  }
}

type WayBackEvent = EventOf<WayBackType>;
type GroupEvent = EventOf<Exclude<GroupEventType, WayBackType>>;
type ItemEvent = EventOf<Exclude<ItemEventType, WayBackType>>;
type FundEvent = EventOf<Exclude<FundEventType, WayBackType>>;
type TransactionEvent = EventOf<TransactionEventType>;

function monthCreated(draft: Draft, data: LaidOut, at: string): void {
  draft.createBudget({
    month: data.month,
    copiedFrom: data.copiedFrom,
    createdAt: data.createdAt ?? at,
    revision: draft.currentRevision,
    groups: [],
    items: DraftLaidItems.of(),
  });
  layOut(draft, data);
}

function monthReplaced(draft: Draft, data: LedgerEventData['MonthReplaced']): void {
  untrack(draft, data.month, data.untracked);
  if (isSameLayout(data.taken, data)) return;
  draft.budget(data.month).copiedFrom = data.copiedFrom;
  layOut(draft, data);
}

function layOut(draft: Draft, data: LaidOut): void {
  for (const group of data.newGroups) addGroup(draft, group);
  for (const { groupId, items } of data.layout) {
    for (const { itemId } of items) {
      const item = data.newItems.find(({ id }) => id === itemId);
      if (item) addItem(draft, item, groupId);
    }
  }
  draft.layOut(
    data.month,
    data.layout.map(({ groupId, items }) => ({
      groupId,
      items: items.map(({ itemId, planned }) => [itemId, laidItem(planned, null)] as const),
    })),
  );
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
export function layoutOf({ groups }: TakenMonth): Layout {
  return groups.map(({ groupId, items }) => ({
    groupId,
    items: items.map(({ itemId, planned }) => ({ itemId, planned })),
  }));
}

function applyToGroups(draft: Draft, event: GroupEvent): void {
  switch (event.type) {
    case 'GroupAdded':
      addGroup(draft, event.data.group);
      return draft.placeGroup(event.data.month, event.data.group.id);
    case 'GroupPlaced':
      return draft.placeGroup(event.data.month, event.data.groupId);
    case 'GroupChanged': {
      const { groupId, before, after } = event.data;
      const recolored = after.color !== undefined && after.color !== before.color;
      const group = draft.group(groupId);
      return draft.setGroup({
        ...group,
        ...after,
        colorRevision: recolored ? event.revision : group.colorRevision,
      });
    }
    case 'GroupRemoved':
      untrack(draft, event.data.month, event.data.untracked);
      return draft.removeGroup(event.data.month, event.data.groupId);
    case 'GroupsOrdered': {
      const budget = draft.budget(event.data.month);
      const [income, ...others] = budget.groups;
      budget.groups = [income!, ...event.data.after.map(id => others.find(group => group.groupId === id)!)];
    }
  }
}

function applyToItems(draft: Draft, event: ItemEvent): void {
  switch (event.type) {
    case 'ItemAdded': {
      const { month, groupId, item, planned, note } = event.data;
      addItem(draft, item, groupId);
      return draft.placeItem(month, groupId, item.id, laidItem(planned, note));
    }
    case 'ItemPlaced': {
      const { month, groupId, itemId, planned, note } = event.data;
      return draft.placeItem(month, groupId, itemId, laidItem(planned, note));
    }
    case 'ItemChanged':
      return itemChanged(draft, event.data, event.revision);
    case 'ItemPlanned':
    case 'ItemHarvested':
      return draft.setItemIn(event.data.month, event.data.itemId, { planned: event.data.after });
    case 'ItemNoted':
      return draft.setItemIn(event.data.month, event.data.itemId, { note: event.data.after });
    case 'ItemRemoved':
      untrack(draft, event.data.month, event.data.untracked);
      return draft.removeItem(event.data.month, event.data.taken.itemId);
    case 'ItemsOrdered':
      return draft.setItemIds(event.data.month, event.data.groupId, event.data.after);
  }
}

function itemChanged(draft: Draft, data: LedgerEventData['ItemChanged'], revision: number): void {
  const { itemId, after } = data;
  const item = draft.item(itemId);
  if (after.name !== undefined || after.fundTarget !== undefined) {
    draft.setItem({
      ...item,
      name: after.name ?? item.name,
      fundTarget: after.fundTarget === undefined ? item.fundTarget : after.fundTarget,
      targetRevision: after.fundTarget === undefined ? item.targetRevision : revision,
    });
  }
  if (after.favorite !== undefined) {
    draft.setFavorite(itemId, after.favorite, after.favorite ? data.favoriteIndex : undefined);
  }
}

function applyToFunds(draft: Draft, event: FundEvent): void {
  switch (event.type) {
    case 'FundOpened': {
      const { month, itemId, openingBalance, term } = event.data;
      const item = draft.item(itemId);
      const fund = { since: month, openingBalance, term };
      return draft.setFund({ ...item, fund, terms: term + 1 }, month);
    }
    case 'FundEnded': {
      const { itemId, openedIn, target } = event.data;
      const item = draft.item(itemId);
      const targetRevision = target === null ? item.targetRevision : event.revision;
      return draft.setFund({ ...item, fund: null, fundTarget: null, targetRevision }, openedIn);
    }
    case 'FundBalanceUpdated': {
      const { month, itemId, amount } = event.data;
      const laid = draft.budget(month).items.get(itemId)!;
      const term = draft.item(itemId).fund!.term;
      const adjustment = { amount, at: event.at, by: event.by, eventId: event.id, term };
      return draft.setItemIn(month, itemId, { adjustments: [...laid.adjustments, adjustment] });
    }
  }
}

function applyToTransactions(draft: Draft, event: TransactionEvent): void {
  switch (event.type) {
    case 'TransactionCreated':
      draft.noteTransaction(event.data.id);
      return addTransaction(draft, event.data.content, 1);
    case 'TransactionChanged':
      return changeTransaction(draft, event.data.before, event.data.after);
    case 'TransactionDeleted':
      return addTransaction(draft, event.data, -1);
    case 'TransactionRestored':
      return addTransaction(draft, event.data, 1);
  }
}

type Counted = Pick<TransactionContent, 'type' | 'budgetMonth' | 'splits'>;

function addTransaction(draft: Draft, counted: Counted, sign: 1 | -1): void {
  if (counted.splits.length === 0) draft.addUntracked(sign);
  addToMonth(draft, counted, sign);
}

function addToMonth(draft: Draft, { type, budgetMonth, splits }: Counted, sign: 1 | -1): void {
  draft.addLive(budgetMonth, sign);
  draft.addActivity(budgetMonth, activityOf(type, splits), sign);
}

/** Only what really differs is applied, so that a month whose figures stay the same keeps its revision. */
function changeTransaction(draft: Draft, before: TransactionContent, after: TransactionContent): void {
  draft.addUntracked(Number(after.splits.length === 0) - Number(before.splits.length === 0));
  if (before.budgetMonth !== after.budgetMonth) {
    addToMonth(draft, before, -1);
    return addToMonth(draft, after, 1);
  }
  const difference = sumActivity([
    activityOf(after.type, after.splits),
    activityOf(before.type, before.splits).map(([itemId, amount]) => [itemId, -amount] as const),
  ]);
  draft.addActivity(after.budgetMonth, difference, 1);
}

/** As `activityByItem`, without those that cancel out. */
export function sumActivity(activities: Iterable<Activity>): Activity {
  return changing(activityByItem(activities));
}

/** What of an activity changes a figure. */
function changing(activity: Activity): Activity {
  return activity.filter(([, amount]) => amount !== 0);
}

/**
 * Activities added up by item, each item that there is an activity of. NaN where a sum is out of range: the figures
 * made of it are refused.
 */
export function activityByItem(activities: Iterable<Activity>): Activity {
  const amounts = new Map<Ulid, Amount[]>();
  for (const activity of activities) {
    for (const [itemId, amount] of activity) {
      const known = amounts.get(itemId);
      if (known) known.push(amount);
      else amounts.set(itemId, [amount]);
    }
  }
  return [...amounts].map(([itemId, list]) => [itemId, sumOrNaN(list)] as const);
}

function untrack(draft: Draft, month: string, untracked: Untracking): void {
  draft.addActivity(month, changing(untracked.activity), -1);
  draft.addUntracked(untracked.transactionIds.length);
}

function addGroup(draft: Draft, group: LedgerEventData['GroupAdded']['group']): void {
  draft.setGroup({ ...group, months: 0, colorRevision: draft.currentRevision });
}

/** Shared by most items. */
const NEVER_MOVED: readonly Move[] = [];

function addItem(draft: Draft, item: LedgerEventData['ItemAdded']['item'], groupId: Ulid): void {
  draft.setItem({
    ...item,
    months: 0,
    lastGroupId: groupId,
    originGroupId: groupId,
    moves: NEVER_MOVED,
    fund: null,
    fundTarget: null,
    terms: 0,
    favoriteRevision: -1,
    targetRevision: -1,
  });
}

function laidItem(planned: number, note: string | null): LaidItem {
  return { planned, note, adjustments: [], activity: 0, carryIn: null };
}

/** A part of an undoing as an event of its own: with the undoing's revision, time and author. */
export function partOf(undoing: RecordedLedgerEvent, part: LedgerEvent): RecordedLedgerEvent {
  const { id, revision, at, by } = undoing;
  return { ...part, id, revision, at, by };
}

function applyWayBack(draft: Draft, event: WayBackEvent): void {
  switch (event.type) {
    case 'MonthRemoved':
      return draft.removeBudget(event.data.month);
    case 'LayoutPutBack': {
      const { month, copiedFrom, groups, retracked } = event.data;
      draft.budget(month).copiedFrom = copiedFrom;
      draft.layOut(
        month,
        groups.map(({ groupId, items }) => ({
          groupId,
          items: items.map(item => [item.itemId, takenBack(item)] as const),
        })),
      );
      return retrack(draft, month, retracked);
    }
    case 'GroupPutBack': {
      const { month, groupId, index, items, retracked } = event.data;
      draft.placeGroup(month, groupId, index);
      for (const item of items) draft.placeItem(month, groupId, item.itemId, takenBack(item));
      return retrack(draft, month, retracked);
    }
    case 'ItemPutBack': {
      const { month, groupId, index, item, retracked } = event.data;
      draft.placeItem(month, groupId, item.itemId, takenBack(item), index);
      return retrack(draft, month, retracked);
    }
    case 'FundReopened': {
      const { itemId, openedIn, openingBalance, term, target } = event.data;
      const item = draft.item(itemId);
      const fund = { since: openedIn, openingBalance, term };
      const targetRevision = target === null ? item.targetRevision : event.revision;
      return draft.setFund({ ...item, fund, fundTarget: target, targetRevision }, openedIn);
    }
    case 'AdjustmentRemoved':
    case 'AdjustmentPutBack': {
      const { month, itemId, index, adjustment } = event.data;
      const { adjustments } = draft.budget(month).items.get(itemId)!;
      const others = adjustments.filter(({ eventId }) => eventId !== adjustment.eventId);
      if (event.type === 'AdjustmentPutBack') others.splice(index, 0, adjustment);
      return draft.setItemIn(month, itemId, { adjustments: others });
    }
  }
}

function takenBack({ planned, note, adjustments }: TakenItem): LaidItem {
  return { planned, note, adjustments, activity: 0, carryIn: null };
}

function retrack(draft: Draft, month: string, { transactionIds, activity }: Retracking): void {
  draft.addActivity(month, changing(activity), 1);
  draft.addUntracked(-transactionIds.length);
}
