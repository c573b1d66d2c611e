import type { Totals } from '#ledger/figures';
import type { IdentitiesDocument } from './identities-document.js';
import { textPartsWithList } from './list-text.js';
import type { FundDocument, MonthItemDocument } from './month-document.js';

export type GroupEntry = IdentitiesDocument['groups'][number];
export type ItemEntry = IdentitiesDocument['items'][number];

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
