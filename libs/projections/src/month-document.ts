import {
  laidFiguresOf,
  type GroupFigures,
  type ItemFigures,
  type LaidFigures,
  type Totals,
} from '#ledger/figures';
import { budgetOf, type Budget, type Household } from '#ledger/household';

/** An item's figures in a month. Names, favourites and targets are joined when it is read. */
export interface MonthItemDocument {
  readonly id: string;
  readonly planned: number;
  readonly spent: number;
  readonly received: number;
  readonly remaining: number;
  readonly note: string | null;
  /** Null unless the item is a fund in this month. */
  readonly fund: FundDocument | null;
}

/** A fund in a month; its adjustments are those of its present time as a fund, oldest first. */
export interface FundDocument {
  readonly carry_in: number;
  readonly adjustments: readonly { readonly amount: number; readonly at: string; readonly by: string }[];
  readonly ending: number;
}

interface MonthGroupDocument {
  readonly id: string;
  readonly totals: Totals;
  readonly items: readonly MonthItemDocument[];
}

/** The read model of one month of one household. */
export interface MonthDocument {
  /** `HOUSEHOLD|YYYY-MM` */
  readonly key: string;
  /** Stream revision at which the month's own content last changed. */
  readonly revision: number;
  readonly month: string;
  readonly copied_from: string | null;
  readonly created_at: string;
  readonly left_to_budget: number;
  readonly center: { readonly planned: number; readonly spent: number; readonly remaining: number };
  readonly groups: readonly MonthGroupDocument[];
}

/** A month whose creation was undone: nothing is there, and no earlier write may bring it back. */
export interface RemovedMonthDocument {
  readonly key: string;
  readonly revision: number;
  readonly month: string;
  readonly removed: true;
}

/** The present month, or null if the household does not have it (any more). */
export function presentMonth(document: MonthDocument | RemovedMonthDocument | null): MonthDocument | null {
  return document === null || 'removed' in document ? null : document;
}

/** What takes the place of a month's document. @param revision at which its creation was undone */
export function removedMonthDocument(
  householdId: string,
  month: string,
  revision: number,
): RemovedMonthDocument {
  return { key: monthKey(householdId, month), revision, month, removed: true };
}

/** `HOUSEHOLD|YYYY-MM`: in the order of keys, a household's months come oldest first. */
export function monthKey(householdId: string, month: string): string {
  return `${householdId}|${month}`;
}

/** A document, and what it was made of. */
interface Made {
  readonly figures: LaidFigures;
  readonly document: MonthDocument;
}

/** The last one of a household, as long as its items are what they are. */
const made = new WeakMap<Household['items'], Made>();

/** The document of a household's budget of a month. Shared with the last one are groups of which nothing has changed. */
export function monthDocument(householdId: string, household: Household, budget: Budget): MonthDocument {
  const figures = laidFiguresOf(household, budget);
  const last = made.get(household.items);
  const document: MonthDocument = {
    key: monthKey(householdId, budget.month),
    revision: budget.revision,
    month: budget.month,
    copied_from: budget.copiedFrom,
    created_at: budget.createdAt,
    left_to_budget: figures.leftToBudget,
    center: figures.center,
    groups: figures.groups.map((group, at) => groupDocument(household, budget, at, group, last)),
  };
  made.set(household.items, { figures, document });
  return document;
}

/** @param at place of the group in the month */
function groupDocument(
  household: Household,
  budget: Budget,
  at: number,
  figures: GroupFigures,
  last?: Made,
): MonthGroupDocument {
  const [lastFigures, lastDocument] = [last?.figures.groups[at], last?.document.groups[at]];
  if (lastDocument && lastFigures === figures) return lastDocument;
  const { groupId, itemIds } = budget.groups[at]!;
  const items = itemIds.map((itemId, place) =>
    itemDocument(household, budget, itemId, figures.items[place]!),
  );
  return { id: groupId, totals: figures.totals, items };
}

function itemDocument(
  household: Household,
  budget: Budget,
  itemId: string,
  figures: ItemFigures,
): MonthItemDocument {
  const { planned, spent, received, remaining, carryIn, ending } = figures;
  const laid = budget.items.get(itemId)!;
  const term = household.items.get(itemId)!.fund?.term;
  const fund =
    carryIn === null || ending === null
      ? null
      : {
          carry_in: carryIn,
          adjustments: laid.adjustments
            .filter(adjustment => adjustment.term === term)
            .map(({ amount, at, by }) => ({ amount, at, by })),
          ending,
        };
  return { id: itemId, planned, spent, received, remaining, note: laid.note, fund };
}

/** What a household's groups and items are in every month: joined to months and transactions when they are read. */
export interface IdentitiesDocument {
  /** The household. */
  readonly key: string;
  readonly revision: number;
  readonly groups: readonly {
    readonly id: string;
    readonly name: string;
    readonly color: string;
    readonly is_income: boolean;
    readonly color_revision: number;
  }[];
  readonly items: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: 'income' | 'expense';
    readonly is_fund: boolean;
    readonly fund_target: number | null;
    /** In how many months the item is now. */
    readonly months: number;
    readonly favorite_revision: number;
    readonly target_revision: number;
  }[];
  /** In the order in which they were made favourites. */
  readonly favorites: readonly string[];
}

/** A document names a group or item that the identities do not know: it was read between two writes, and is again. */
export class UnknownIdentity extends Error {
  override readonly name = 'UnknownIdentity';
}

/** By items, the last document of identities made of them, and the groups it was made of. A new favourite replaces the items. */
const madeIdentities = new WeakMap<
  Household['items'],
  { readonly groups: Household['groups']; readonly document: IdentitiesDocument }
>();

/** The document of a household's groups and items; the very same object while none of them changes. */
export function identitiesDocument(householdId: string, household: Household): IdentitiesDocument {
  const { groups, items } = household;
  const known = madeIdentities.get(items);
  if (known?.groups === groups) return known.document;
  const document = makeIdentities(householdId, household);
  madeIdentities.set(items, { groups, document });
  return document;
}

function makeIdentities(householdId: string, household: Household): IdentitiesDocument {
  return {
    key: householdId,
    revision: household.identitiesRevision,
    groups: [...household.groups.values()].map(({ id, name, color, isIncome, colorRevision }) => ({
      id,
      name,
      color,
      is_income: isIncome,
      color_revision: colorRevision,
    })),
    items: [...household.items.values()].map(item => ({
      id: item.id,
      name: item.name,
      kind: item.kind,
      is_fund: item.fund !== null,
      fund_target: item.fundTarget,
      months: item.months,
      favorite_revision: item.favoriteRevision,
      target_revision: item.targetRevision,
    })),
    favorites: household.favorites,
  };
}

/** A month as clients see it. */
export interface MonthView {
  readonly month: string;
  readonly left_to_budget: number;
  readonly groups: readonly GroupView[];
  /** The favourite items that are in this month, in the order in which they were made favourites. */
  readonly favorites: readonly string[];
  readonly center: { readonly planned: number; readonly spent: number; readonly remaining: number };
  readonly untracked_count: number;
  readonly copied_from: string | null;
  readonly created_at: string;
}

/** An item of a month as clients see it: its figures joined with what it is. */
export interface ItemView extends MonthItemDocument {
  readonly name: string;
  readonly kind: 'income' | 'expense';
  /** Whether it is a fund in this month. */
  readonly is_fund: boolean;
  readonly favorite: boolean;
  /** Null unless the item is a fund in this month. */
  readonly fund_target: number | null;
  readonly group_id: string;
}

/** A group of a month as clients see it. */
export interface GroupView extends MonthGroupDocument {
  readonly name: string;
  readonly color: string;
  readonly is_income: boolean;
  readonly items: readonly ItemView[];
}

/** Identities by id, made once for each version of them: several months are often viewed with the same. */
interface IdentityIndex {
  readonly groups: ReadonlyMap<string, IdentitiesDocument['groups'][number]>;
  readonly items: ReadonlyMap<string, IdentitiesDocument['items'][number]>;
  readonly favorites: ReadonlySet<string>;
  /** What groups look like with them: commands leave most of a month as it is, and documents share that. */
  readonly views: WeakMap<MonthGroupDocument, GroupView>;
}

const indexes = new WeakMap<IdentitiesDocument, IdentityIndex>();

function indexOf(identities: IdentitiesDocument): IdentityIndex {
  const index = indexes.get(identities) ?? {
    groups: new Map(identities.groups.map(group => [group.id, group])),
    items: new Map(identities.items.map(item => [item.id, item])),
    favorites: new Set(identities.favorites),
    views: new WeakMap(),
  };
  indexes.set(identities, index);
  return index;
}

/**
 * A month joined with what its groups and items are now. Commands answer with it from the state that they made, queries
 * from the stored documents. Groups of which neither document nor identities have changed are the same objects.
 * @throws UnknownIdentity when the month has a group or item that the identities do not know
 */
export function monthView(
  document: MonthDocument,
  identities: IdentitiesDocument,
  untrackedCount: number,
): MonthView {
  const index = indexOf(identities);
  const groups = document.groups.map(group => groupView(group, index));
  return {
    month: document.month,
    left_to_budget: document.left_to_budget,
    groups,
    favorites: favoritesIn(groups, identities.favorites),
    center: document.center,
    untracked_count: untrackedCount,
    copied_from: document.copied_from,
    created_at: document.created_at,
  };
}

/** What a command did to months: which it changed, and the documents that were written of them. */
interface ChangedMonths {
  readonly household: Household;
  readonly months: readonly string[];
  readonly monthDocuments: readonly MonthDocument[];
}

/** The months that a command changed, in their order, as far as they are still there. */
export function changedMonthViews(
  householdId: string,
  { household, months, monthDocuments }: ChangedMonths,
): MonthView[] {
  const identities = identitiesDocument(householdId, household);
  return months.flatMap(month => {
    const budget = budgetOf(household, month);
    if (budget === null) return [];
    const written = monthDocuments.find(document => document.month === month);
    const document = written ?? monthDocument(householdId, household, budget);
    return monthView(document, identities, household.untracked.count);
  });
}

function groupView(document: MonthGroupDocument, index: IdentityIndex): GroupView {
  const shown = index.views.get(document);
  if (shown) return shown;
  const { id, name, color, is_income } = known(index.groups.get(document.id), document.id);
  const items = document.items.map(item => itemView(item, id, index));
  const view = { id, name, color, is_income, items, totals: document.totals };
  index.views.set(document, view);
  return view;
}

function itemView(document: MonthItemDocument, groupId: string, index: IdentityIndex): ItemView {
  const { id, name, kind, fund_target } = known(index.items.get(document.id), document.id);
  const { planned, spent, received, remaining, note, fund } = document;
  return {
    id,
    name,
    kind,
    is_fund: fund !== null,
    favorite: index.favorites.has(id),
    fund_target: fund && fund_target,
    group_id: groupId,
    planned,
    spent,
    received,
    remaining,
    note,
    fund,
  };
}

function favoritesIn(groups: readonly GroupView[], favorites: readonly string[]): readonly string[] {
  if (favorites.length === 0) return favorites;
  const present = new Set<string>();
  for (const { items } of groups) for (const item of items) if (item.favorite) present.add(item.id);
  return favorites.filter(id => present.has(id));
}

/**
 * The revision at which the content of a month's view last changed: its figures and layout, the colours of its groups,
 * the favourites among its items and the targets of its funds; not names and the untracked count.
 */
export function monthRevision(document: MonthDocument, identities: IdentitiesDocument): number {
  const index = indexOf(identities);
  let revision = document.revision;
  for (const group of document.groups) {
    revision = Math.max(revision, known(index.groups.get(group.id), group.id).color_revision);
    for (const { id, fund } of group.items) {
      const item = known(index.items.get(id), id);
      revision = Math.max(revision, item.favorite_revision, fund === null ? -1 : item.target_revision);
    }
  }
  return revision;
}

function known<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw new UnknownIdentity(`a month names ${id}, which the identities do not know`);
  return value;
}

/** The JSON of groups, made once for each. */
const groupTexts = new WeakMap<GroupView, string>();

/** The JSON of a month's view, as `JSON.stringify` makes it. */
export function monthText(view: MonthView): string {
  const { month, left_to_budget, groups, ...others } = view;
  return textWithList({ month, left_to_budget }, 'groups', groups.map(groupText), others);
}

function groupText(group: GroupView): string {
  const text = groupTexts.get(group) ?? JSON.stringify(group);
  groupTexts.set(group, text);
  return text;
}

/** The JSON of an object with a list of which the texts are known; there are fields before it and behind it. */
export function textWithList(
  before: object,
  name: string,
  elements: readonly string[],
  after: object,
): string {
  const [beginning, end] = [JSON.stringify(before), JSON.stringify(after)];
  return `${beginning.slice(0, -1)},"${name}":[${elements.join(',')}],${end.slice(1)}`;
}
