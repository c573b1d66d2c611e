import {
  UnknownIdentity,
  type IdentitiesDocument,
  type MonthDocument,
  type MonthGroupDocument,
  type MonthItemDocument,
} from './month-document.js';

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
  let index = indexes.get(identities);
  if (!index) {
    index = {
      groups: new Map(identities.groups.map(group => [group.id, group])),
      items: new Map(identities.items.map(item => [item.id, item])),
      favorites: new Set(identities.favorites),
      views: new WeakMap(),
    };
    indexes.set(identities, index);
  }
  return index;
}

/**
 * A month joined with what its groups and items are now. Commands answer with it from the state that they
 * made, queries from the stored documents: one function, so that the two cannot differ. Groups of which neither the
 * document nor the identities have changed are the same objects as before.
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

/**
 * The JSON of an object with a list of which the texts are known.
 * @param before the fields before the list, one at least
 * @param after those behind it, likewise
 */
export function textWithList(
  before: object,
  name: string,
  elements: readonly string[],
  after: object,
): string {
  const [beginning, end] = [JSON.stringify(before), JSON.stringify(after)];
  return `${beginning.slice(0, -1)},"${name}":[${elements.join(',')}],${end.slice(1)}`;
}
