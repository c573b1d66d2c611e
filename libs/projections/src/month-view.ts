import type { Totals } from '#ledger/figures';
import { UnknownIdentity, type IdentitiesDocument } from './identities-document.js';
import type { FundDocument, MonthDocument, MonthGroupDocument, MonthItemDocument } from './month-document.js';

type GroupEntry = IdentitiesDocument['groups'][number];
type ItemEntry = IdentitiesDocument['items'][number];

/** An item of a month as clients see it. */
export interface ItemView {
  readonly id: string;
  readonly name: string;
  readonly kind: 'income' | 'expense';
  /** Whether it is a fund in this month. */
  readonly is_fund: boolean;
  readonly favorite: boolean;
  /** Null where the item is no fund in this month. */
  readonly fund_target: number | null;
  readonly group_id: string;
  readonly planned: number;
  readonly spent: number;
  readonly received: number;
  readonly remaining: number;
  readonly note: string | null;
  readonly fund: FundDocument | null;
}

/** A group of a month as clients see it. */
export interface GroupView {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly is_income: boolean;
  readonly items: readonly ItemView[];
  readonly totals: Totals;
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

/** Identities by id, made once for each version of them: several months are often viewed with the same. */
interface IdentityIndex {
  readonly groups: ReadonlyMap<string, GroupEntry>;
  readonly items: ReadonlyMap<string, ItemEntry>;
  readonly favorites: ReadonlySet<string>;
}

const indexes = new WeakMap<IdentitiesDocument, IdentityIndex>();

function indexOf(identities: IdentitiesDocument): IdentityIndex {
  let index = indexes.get(identities);
  if (!index) {
    index = {
      groups: new Map(identities.groups.map(group => [group.id, group])),
      items: new Map(identities.items.map(item => [item.id, item])),
      favorites: new Set(identities.favorites),
    };
    indexes.set(identities, index);
  }
  return index;
}

/**
 * A month joined with what its groups and items are now. Commands answer with it from the state that they
 * made, queries from the stored documents: one function, so that the two cannot differ.
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

/** What was made of a group's document last. */
const groupViews = new WeakMap<
  MonthGroupDocument,
  { readonly index: IdentityIndex; readonly view: GroupView }
>();

/** Made once for each version of the identities: commands leave most groups of a month as they are. */
function groupView(document: MonthGroupDocument, index: IdentityIndex): GroupView {
  const made = groupViews.get(document);
  if (made?.index === index) return made.view;
  const group = known(index.groups.get(document.id), document.id);
  const view: GroupView = {
    id: group.id,
    name: group.name,
    color: group.color,
    is_income: group.is_income,
    items: document.items.map(item => itemView(item, group.id, index)),
    totals: document.totals,
  };
  groupViews.set(document, { index, view });
  return view;
}

function itemView(document: MonthItemDocument, groupId: string, index: IdentityIndex): ItemView {
  const item = known(index.items.get(document.id), document.id);
  return {
    id: item.id,
    name: item.name,
    kind: item.kind,
    is_fund: document.fund !== null,
    favorite: index.favorites.has(item.id),
    fund_target: document.fund === null ? null : item.fund_target,
    group_id: groupId,
    planned: document.planned,
    spent: document.spent,
    received: document.received,
    remaining: document.remaining,
    note: document.note,
    fund: document.fund,
  };
}

function favoritesIn(groups: readonly GroupView[], favorites: readonly string[]): readonly string[] {
  if (favorites.length === 0) return favorites;
  const present = new Set<string>();
  for (const { items } of groups) for (const item of items) if (item.favorite) present.add(item.id);
  return favorites.filter(id => present.has(id));
}

/**
 * The stream revision at which the content of a month's view last changed, names and the untracked count apart:
 * its own figures and layout, the colours of its groups, the favourites among its items and the targets of its
 * funds.
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
