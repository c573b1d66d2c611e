import {
  ending,
  monthIndex,
  type Budget,
  type Fund,
  type FundBalance,
  type GroupIdentity,
  type Household,
  type ItemIdentity,
  type LaidGroup,
  type LaidItem,
  type MonthState,
} from './household.js';
import { movedTo, movesToggled } from './items/item-moves.js';
import type { Activity } from './transactions/transaction-record.js';
import type { Month, Ulid } from './values.js';

/** Events that no decision can have recorded: one speaks of what none before it made. Names ids only. */
export class BrokenHistory extends Error {
  override readonly name = 'BrokenHistory';
}

type DraftBudget = { -readonly [K in keyof Omit<Budget, 'items'>]: Budget[K] } & {
  items: Map<Ulid, LaidItem>;
};

type DraftItem = { -readonly [K in keyof LaidItem]: LaidItem[K] };

type Balance = Omit<FundBalance, 'revision'>;

const NO_BALANCE: Balance = { month: null, ending: null };

/** A household that is being folded. Parts are copied when first changed: the state it began from stays as it was. */
export class Draft {
  private readonly now: { -readonly [K in keyof Household]: Household[K] };
  private eventId = '';
  private isUndoing = false;
  /** Items in months that were copied here already, so that they may be changed in place. */
  private readonly ownItems = new Set<LaidItem>();
  private readonly budgets = new Map<Month, DraftBudget>();
  /** Funds that the current event moves, with the first and the last month in which it does. */
  private readonly moved = new Map<Ulid, { readonly from: Month; readonly to: Month }>();

  constructor(private readonly before: Household) {
    this.now = { ...before };
  }

  /** Changes that follow belong to this event. */
  begin({ revision, id, type }: { revision: number; id: string; type: string }): void {
    this.settle();
    this.now.revision = revision;
    this.eventId = id;
    this.isUndoing = type === 'CommandUndone';
  }

  get currentRevision(): number {
    return this.now.revision;
  }

  /** The household with all of it. It has the draft's own parts, so nothing may be changed afterwards. */
  finish(): Household {
    this.settle();
    for (const budget of this.budgets.values()) {
      this.replaceMonth({ ...this.monthState(budget.month), budget });
    }
    return this.now;
  }

  /** As it is now. @throws BrokenHistory */
  group(id: Ulid): GroupIdentity {
    return known(this.now.groups.get(id), 'group', id);
  }

  /** As it is now. @throws BrokenHistory */
  item(id: Ulid): ItemIdentity {
    return known(this.now.items.get(id), 'item', id);
  }

  setGroup(group: GroupIdentity): void {
    this.now.groups = withEntry(this.now.groups, this.before.groups, group.id, group);
    this.now.identitiesRevision = this.now.revision;
  }

  setItem(item: ItemIdentity): void {
    this.now.items = withEntry(this.now.items, this.before.items, item.id, item);
    this.now.identitiesRevision = this.now.revision;
  }

  /** Items that an undone command had laid out in other groups count in the former ones again. */
  takeBackMoves(undoes: string): void {
    for (const item of this.now.items.values()) {
      const toggled = movesToggled(item, undoes, this.eventId);
      if (toggled !== item) this.setItem(toggled);
    }
  }

  /** @param index its place among the favourites; the last when absent */
  setFavorite(itemId: Ulid, favorite: boolean, index?: number): void {
    const others = this.now.favorites.filter(id => id !== itemId);
    if (favorite) others.splice(index ?? others.length, 0, itemId);
    this.now.favorites = others;
    this.setItem({ ...this.item(itemId), favoriteRevision: this.now.revision });
  }

  /** The budget of a month for changing; it must exist. */
  budget(month: Month): DraftBudget {
    let budget = this.budgets.get(month);
    if (!budget) {
      budget = draftOf(known(this.monthState(month).budget ?? undefined, 'budget', month));
      this.budgets.set(month, budget);
    }
    budget.revision = this.now.revision;
    return budget;
  }

  /** The budget of a month for reading, or null. */
  peek(month: Month): Budget | null {
    return this.budgets.get(month) ?? this.monthState(month).budget;
  }

  /** Transactions of the month that came before its budget stay counted. */
  createBudget(budget: Budget): void {
    const { removedAt: _, ...former } = this.monthState(budget.month);
    this.replaceMonth({ ...former, budget });
    this.budgets.set(budget.month, draftOf(budget));
  }

  /** Takes a budget away as if it had never been made. */
  removeBudget(month: Month): void {
    this.layOut(month, []);
    this.replaceMonth({ ...this.monthState(month), budget: null, removedAt: this.now.revision });
    this.budgets.delete(month);
  }

  /** Counts transactions of a month that are not deleted; the month need not have a budget. */
  addLive(month: Month, count: number): void {
    const state = this.monthState(month);
    this.replaceMonth({ ...state, live: state.live + count });
  }

  addUntracked(count: number): void {
    if (count === 0) return;
    this.now.untracked = { count: this.now.untracked.count + count, revision: this.now.revision };
  }

  noteTransaction(id: Ulid): void {
    if (id > this.now.greatestTransactionId) this.now.greatestTransactionId = id;
  }

  /** Changes an item in a month; what its fund holds follows. @throws BrokenHistory where it is not there */
  setItemIn(month: Month, itemId: Ulid, change: Partial<LaidItem>): void {
    const budget = this.budget(month);
    const laid = known(budget.items.get(itemId), 'item', itemId);
    budget.items.set(itemId, { ...laid, ...change });
    if ('planned' in change || 'adjustments' in change) this.moveFund(itemId, month);
  }

  /** Adds a transaction's splits, or takes them away (`sign` −1), and lets fund balances flow on. */
  addActivity(month: Month, activity: Activity, sign: 1 | -1): void {
    if (activity.length === 0) return;
    const budget = this.budget(month);
    for (const [itemId, amount] of activity) {
      this.ownItem(budget, itemId).activity += sign * amount;
    }
    for (const [itemId] of activity) this.moveFund(itemId, month);
  }

  /** Lays groups and items out in a month, replacing what was there. */
  layOut(
    month: Month,
    groups: readonly { readonly groupId: Ulid; readonly items: readonly (readonly [Ulid, LaidItem])[] }[],
  ): void {
    const budget = this.budget(month);
    const before = new Set(budget.items.keys());
    for (const group of budget.groups) this.countGroup(group.groupId, -1);
    for (const itemId of before) this.countItem(itemId, -1, null);
    budget.groups = groups.map(({ groupId, items }) => ({ groupId, itemIds: items.map(([id]) => id) }));
    budget.items = new Map(groups.flatMap(group => group.items));
    for (const group of budget.groups) {
      this.countGroup(group.groupId, 1);
      for (const itemId of group.itemIds) this.countItem(itemId, 1, group.groupId);
    }
    for (const itemId of [...before, ...budget.items.keys()]) this.moveFund(itemId, month);
  }

  /** @param index its place among all groups of the month, income included; the last when absent */
  placeGroup(month: Month, groupId: Ulid, index?: number): void {
    const budget = this.budget(month);
    const groups = [...budget.groups];
    groups.splice(index ?? groups.length, 0, { groupId, itemIds: [] });
    budget.groups = groups;
    this.countGroup(groupId, 1);
  }

  /** Takes a group out of a month with the items that it has there. @throws BrokenHistory */
  removeGroup(month: Month, groupId: Ulid): void {
    const budget = this.budget(month);
    for (const itemId of this.laidGroup(month, groupId).itemIds) this.removeItem(month, itemId);
    budget.groups = budget.groups.filter(group => group.groupId !== groupId);
    this.countGroup(groupId, -1);
  }

  /** @param index its place in the group; the last when absent. @throws BrokenHistory */
  placeItem(month: Month, groupId: Ulid, itemId: Ulid, laid: LaidItem, index?: number): void {
    const budget = this.budget(month);
    const itemIds = [...this.laidGroup(month, groupId).itemIds];
    itemIds.splice(index ?? itemIds.length, 0, itemId);
    this.setItemIds(month, groupId, itemIds);
    budget.items.set(itemId, laid);
    this.countItem(itemId, 1, groupId);
    this.moveFund(itemId, month);
  }

  removeItem(month: Month, itemId: Ulid): void {
    const budget = this.budget(month);
    budget.groups = budget.groups.map(group => without(group, [itemId]));
    budget.items.delete(itemId);
    this.countItem(itemId, -1, null);
    this.moveFund(itemId, month);
  }

  /** Gives a group these items in this order. Those of other groups of the month leave them. */
  setItemIds(month: Month, groupId: Ulid, itemIds: readonly Ulid[]): void {
    const budget = this.budget(month);
    const own = new Set(this.laidGroup(month, groupId).itemIds);
    budget.groups = budget.groups.map(group =>
      group.groupId === groupId ? { groupId, itemIds } : without(group, itemIds),
    );
    for (const itemId of itemIds) {
      if (own.has(itemId)) continue;
      const item = this.item(itemId);
      const entered = this.inGroup(item, groupId);
      if (entered !== item) this.setItem(entered);
    }
  }

  /** Makes an item a fund, or ends it, and carries its balance through every month from the opening one. */
  setFund(item: ItemIdentity, since: Month): void {
    this.setItem(item);
    this.markMoved(item.id, since);
    if (!item.fund) this.setFundBalance(item.id, NO_BALANCE);
  }

  private moveFund(itemId: Ulid, month: Month): void {
    if (this.item(itemId).fund) this.markMoved(itemId, month);
  }

  private markMoved(itemId: Ulid, month: Month): void {
    const known = this.moved.get(itemId) ?? { from: month, to: month };
    const from = month < known.from ? month : known.from;
    const to = month > known.to ? month : known.to;
    this.moved.set(itemId, { from, to });
  }

  /** Once an event is wholly applied: what it takes away and gives back must not touch the revisions of later months. */
  private settle(): void {
    if (this.moved.size === 0) return;
    for (const [itemId, { from, to }] of this.moved) this.recarry(itemId, from, to);
    this.moved.clear();
  }

  /**
   * Carries an item's balance on: its carry-in is the ending of the latest earlier month, not before the opening month,
   * that has the item, and the opening balance without one. What has ceased to be a fund has none.
   */
  private recarry(itemId: Ulid, from: Month, to: Month): void {
    const { fund } = this.item(itemId);
    let latest = fund ? this.endingBefore(from, itemId, fund) : NO_BALANCE;
    for (const { month } of this.now.months) {
      if (month < from || (fund && month < fund.since)) continue;
      const laid = this.peek(month)?.items.get(itemId);
      if (!laid) continue;
      const carryIn = fund && (latest.ending ?? fund.openingBalance);
      if (laid.carryIn !== carryIn) this.budget(month).items.set(itemId, { ...laid, carryIn });
      // From here on all is as it was, the balance as well.
      else if (month > to) return;
      if (fund) latest = { month, ending: ending({ ...laid, carryIn }, fund.term) };
    }
    if (fund) this.setFundBalance(itemId, latest);
  }

  /** A fund's ending in the latest earlier month that has the item. */
  private endingBefore(month: Month, itemId: Ulid, { since, term }: Fund): Balance {
    const laidIn = (of: Month): LaidItem | undefined => this.peek(of)?.items.get(itemId);
    const earlier = this.now.months.findLast(
      state => state.month < month && state.month >= since && laidIn(state.month),
    );
    return earlier ? { month: earlier.month, ending: ending(laidIn(earlier.month)!, term) } : NO_BALANCE;
  }

  private setFundBalance(itemId: Ulid, { month, ending: held }: Balance): void {
    const known = this.now.fundBalances.get(itemId) ?? NO_BALANCE;
    if (known.month === month && known.ending === held) return;
    const balance = { month, ending: held, revision: this.now.revision };
    this.now.fundBalances = withEntry(this.now.fundBalances, this.before.fundBalances, itemId, balance);
  }

  private laidGroup(month: Month, groupId: Ulid): LaidGroup {
    return known(
      this.peek(month)?.groups.find(group => group.groupId === groupId),
      'group',
      groupId,
    );
  }

  private countGroup(groupId: Ulid, count: 1 | -1): void {
    const group = this.group(groupId);
    this.setGroup({ ...group, months: group.months + count });
  }

  private countItem(itemId: Ulid, count: 1 | -1, groupId: Ulid | null): void {
    const item = this.item(itemId);
    const laid = groupId === null ? item : this.inGroup(item, groupId);
    this.setItem({ ...laid, months: item.months + count });
  }

  /** An undoing lays out what was there; which group counts is up to the command that it undoes. */
  private inGroup(item: ItemIdentity, groupId: Ulid): ItemIdentity {
    return this.isUndoing ? item : movedTo(item, groupId, this.eventId);
  }

  /** An item of a month for changing. Most events of a history change activities, of few items. */
  private ownItem(budget: DraftBudget, itemId: Ulid): DraftItem {
    const laid = known(budget.items.get(itemId), 'item', itemId);
    if (this.ownItems.has(laid)) return laid;
    const own = { ...laid };
    this.ownItems.add(own);
    budget.items.set(itemId, own);
    return own;
  }

  /** What is recorded of a month, except for changes to its budget that are still in progress. */
  private monthState(month: Month): MonthState {
    const { months } = this.now;
    return months[monthIndex(months, month)] ?? { month, live: 0, budget: null };
  }

  private replaceMonth(state: MonthState): void {
    const { now, before } = this;
    const months = now.months === before.months ? [...before.months] : (now.months as MonthState[]);
    const index = monthIndex(months, state.month);
    if (index < 0) months.splice(~index, 0, state);
    else months[index] = state;
    now.months = months;
  }
}

/** The very group where none of the items is in it. */
function without(group: LaidGroup, gone: readonly Ulid[]): LaidGroup {
  const itemIds = group.itemIds.filter(id => !gone.includes(id));
  return itemIds.length === group.itemIds.length ? group : { ...group, itemIds };
}

/** A map of the household with an entry: `now` itself where it is the draft's own already. */
function withEntry<V>(
  now: ReadonlyMap<Ulid, V>,
  before: ReadonlyMap<Ulid, V>,
  id: Ulid,
  value: V,
): ReadonlyMap<Ulid, V> {
  const own = now === before ? new Map(before) : (now as Map<Ulid, V>);
  return own.set(id, value);
}

/** Field by field: to spread a budget takes longer than all else about it. */
function draftOf({ month, copiedFrom, createdAt, revision, groups, items }: Budget): DraftBudget {
  return { month, copiedFrom, createdAt, revision, groups, items: new Map(items) };
}

function known<T>(value: T | undefined, what: string, id: string): T {
  if (value === undefined)
    throw new BrokenHistory(`the history refers to ${what} ${id}, which it never created`);
  return value;
}
