import { Injectable } from '@nestjs/common';
import type { EntryPart } from '#imports/imported-file';
import type { ProposedTransaction } from '#imports/import-rows';
import { SPLITS_MAX } from '#ledger/limits';
import { exactSum } from '#ledger/values';
import { foldCase } from '#projections/transaction-document';
import {
  type IdentitiesDocument,
  monthKey,
  presentMonth,
  type MonthDocument,
} from '#projections/month-document';
import { merchantKey } from '#projections/household-documents';
import { HouseholdReads } from '../household-reads.js';

const MERCHANTS_PAGE = 500;
/** A month can have hundreds of items. */
const MONTHS_PAGE = 20;

/** A split as a batch takes it. */
interface SuggestedSplit {
  readonly item_id: string;
  readonly amount: number;
}

/** What suggestions are made for. */
interface Categorised {
  readonly transaction: ProposedTransaction;
  readonly category: string | null;
  readonly parts: readonly EntryPart[];
}

/** The items of a month. */
interface MonthItems {
  readonly kinds: ReadonlyMap<string, 'income' | 'expense'>;
  /** By `item` and `group:item`, folded; null for a name that several have. */
  readonly named: ReadonlyMap<string, string | null>;
}

/** Suggests which items imported transactions count for. */
@Injectable()
export class SuggestedSplits {
  constructor(private readonly reads: HouseholdReads) {}

  /** @throws DocumentsUnavailable */
  async for(
    householdId: string,
    rows: readonly Categorised[],
  ): Promise<(row: Categorised) => readonly SuggestedSplit[]> {
    const months = await this.months(
      householdId,
      new Set(rows.map(({ transaction }) => transaction.budgetMonth)),
    );
    const keyOf = ({ merchant }: ProposedTransaction): string => merchantKey(householdId, merchant);
    // A merchant’s item helps only in a month that exists.
    const helped = rows.filter(({ transaction }) => months.has(transaction.budgetMonth));
    const items = await this.merchantItems(new Set(helped.map(({ transaction }) => keyOf(transaction))));
    return row => {
      const month = months.get(row.transaction.budgetMonth);
      return month ? splitsOf(row, month, items.get(keyOf(row.transaction))) : [];
    };
  }

  private async months(
    householdId: string,
    wanted: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, MonthItems>> {
    const identities = await this.reads.identities(householdId);
    const keys = Array.from(wanted, month => monthKey(householdId, month));
    const found = new Map<string, MonthItems>();
    for await (const page of this.reads.named('months', keys, MONTHS_PAGE)) {
      const present = page.flatMap(document => presentMonth(document) ?? []);
      for (const month of present) found.set(month.month, monthItems(month, identities));
    }
    return found;
  }

  private async merchantItems(wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const items = new Map<string, string>();
    for await (const page of this.reads.named('merchants', [...wanted], MERCHANTS_PAGE)) {
      for (const { key, item_id } of page) items.set(key, item_id);
    }
    return items;
  }
}

function monthItems({ groups }: MonthDocument, identities: IdentitiesDocument): MonthItems {
  const groupNames = new Map(identities.groups.map(({ id, name }) => [id, name]));
  const known = new Map(identities.items.map(item => [item.id, item]));
  const kinds = new Map<string, 'income' | 'expense'>();
  const named = new Map<string, string | null>();
  for (const group of groups) {
    for (const { id } of group.items) {
      const item = known.get(id);
      if (!item) continue;
      kinds.set(id, item.kind);
      const names = [item.name, `${groupNames.get(group.id) ?? ''}:${item.name}`];
      for (const name of new Set(names.map(foldCategory))) named.set(name, named.has(name) ? null : id);
    }
  }
  return { kinds, named };
}

function foldCategory(category: string): string {
  return foldCase(category.replaceAll(/\s+/g, ' ').replaceAll(/ ?: ?/g, ':').trim());
}

function splitsOf(
  { transaction, category, parts }: Categorised,
  { kinds, named }: MonthItems,
  merchantItem: string | undefined,
): readonly SuggestedSplit[] {
  const { type, amount } = transaction;
  if (parts.length > 0) return splitsOfParts(parts, amount, named);
  const byCategory = category === null ? null : named.get(foldCategory(category));
  if (byCategory) return [{ item_id: byCategory, amount }];
  const fits = merchantItem !== undefined && kinds.get(merchantItem) === type;
  return fits ? [{ item_id: merchantItem, amount }] : [];
}

/** All parts or none: an entry that the file splits is not of one item. */
function splitsOfParts(
  parts: readonly EntryPart[],
  amount: number,
  named: MonthItems['named'],
): readonly SuggestedSplit[] {
  const amounts = new Map<string, number>();
  for (const part of parts) {
    const id = named.get(foldCategory(part.category));
    if (!id || part.amount === 0) return [];
    amounts.set(id, (amounts.get(id) ?? 0) + part.amount);
  }
  if (exactSum(amounts.values()) !== amount || amounts.size > SPLITS_MAX) return [];
  return Array.from(amounts, ([item_id, part]) => ({ item_id, amount: part }));
}
