import {
  UnknownIdentity,
  type IdentitiesDocument,
  type MonthDocument,
  type MonthGroupDocument,
  type MonthItemDocument,
  type FundDocument,
} from './month-document.js';
import type { Totals } from '#ledger/figures';

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
  /** What `nextMonthView` made last. */
  last: { readonly document: MonthDocument; readonly groups: readonly JoinedGroup[] } | null;
}

const indexes = new WeakMap<IdentitiesDocument, IdentityIndex>();

function indexOf(identities: IdentitiesDocument): IdentityIndex {
  let index = indexes.get(identities);
  if (!index) {
    index = {
      groups: new Map(identities.groups.map(group => [group.id, group])),
      items: new Map(identities.items.map(item => [item.id, item])),
      favorites: new Set(identities.favorites),
      last: null,
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
  return joined(document, groups, identities, untrackedCount);
}

/**
 * As `monthView`, sharing groups and items with what this made last of the same identities: commands leave most of a
 * month as it is.
 */
export function nextMonthView(
  document: MonthDocument,
  identities: IdentitiesDocument,
  untrackedCount: number,
): MonthView {
  const index = indexOf(identities);
  const { last } = index;
  const groups = document.groups.map((group, at) =>
    groupView(group, index, last?.document.groups[at], last?.groups[at]),
  );
  index.last = { document, groups };
  return joined(document, groups, identities, untrackedCount);
}

function joined(
  document: MonthDocument,
  groups: readonly GroupView[],
  { favorites }: IdentitiesDocument,
  untrackedCount: number,
): MonthView {
  return {
    month: document.month,
    left_to_budget: document.left_to_budget,
    groups,
    favorites: favoritesIn(groups, favorites),
    center: document.center,
    untracked_count: untrackedCount,
    copied_from: document.copied_from,
    created_at: document.created_at,
  };
}

/** @param last the group at the same place in the view that is shared with */
function groupView(
  document: MonthGroupDocument,
  index: IdentityIndex,
  last?: MonthGroupDocument,
  lastView?: JoinedGroup,
): JoinedGroup {
  if (lastView && last === document) return lastView;
  const group = known(index.groups.get(document.id), document.id);
  const items = document.items.map((item, at) => {
    const lastItem = last?.id === group.id && last.items[at] === item ? lastView?.items[at] : undefined;
    return lastItem ?? itemView(item, group.id, index);
  });
  return new JoinedGroup(group, items, document.totals);
}

function itemView(document: MonthItemDocument, groupId: string, index: IdentityIndex): JoinedItem {
  const item = known(index.items.get(document.id), document.id);
  return new JoinedItem(document, groupId, item, index.favorites.has(item.id));
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

type GroupEntry = IdentitiesDocument['groups'][number];
type ItemEntry = IdentitiesDocument['items'][number];

/** An item's figures joined with what it is, and its JSON once somebody has asked for it. */
export class JoinedItem {
  readonly id: string;
  readonly name: string;
  readonly kind: 'income' | 'expense';
  /** Whether it is a fund in this month. */
  readonly is_fund: boolean;
  readonly favorite: boolean;
  /** Null unless the item is a fund in this month. */
  readonly fund_target: number | null;
  readonly group_id: string;
  readonly planned: number;
  readonly spent: number;
  readonly received: number;
  readonly remaining: number;
  readonly note: string | null;
  readonly fund: FundDocument | null;
  #text: string | null = null;

  constructor(document: MonthItemDocument, groupId: string, item: ItemEntry, favorite: boolean) {
    this.id = item.id;
    this.name = item.name;
    this.kind = item.kind;
    this.is_fund = document.fund !== null;
    this.favorite = favorite;
    this.fund_target = document.fund === null ? null : item.fund_target;
    this.group_id = groupId;
    this.planned = document.planned;
    this.spent = document.spent;
    this.received = document.received;
    this.remaining = document.remaining;
    this.note = document.note;
    this.fund = document.fund;
  }

  /** Its JSON, as clients see it. */
  get text(): string {
    return (this.#text ??= JSON.stringify(this));
  }
}

/** A group's items joined with what it is, and their JSON once somebody has asked for it. */
export class JoinedGroup {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly is_income: boolean;
  readonly items: readonly JoinedItem[];
  readonly totals: Totals;
  #text: string | null = null;

  constructor({ id, name, color, is_income }: GroupEntry, items: readonly JoinedItem[], totals: Totals) {
    this.id = id;
    this.name = name;
    this.color = color;
    this.is_income = is_income;
    this.items = items;
    this.totals = totals;
  }

  /** Its JSON, as clients see it, made of those of its items. */
  get text(): string {
    return (this.#text ??= this.makeText());
  }

  private makeText(): string {
    const { id, name, color, is_income, items, totals } = this;
    const before = JSON.stringify({ id, name, color, is_income });
    const texts = items.map(({ text }) => [text]);
    return textPartsWithList(before, 'items', texts, JSON.stringify({ totals })).join('');
  }
}

/** An item of a month as clients see it. */
export type ItemView = Omit<JoinedItem, 'text'>;

/** A group of a month as clients see it. */
export type GroupView = Omit<JoinedGroup, 'text' | 'items'> & { readonly items: readonly ItemView[] };

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
