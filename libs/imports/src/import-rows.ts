import { monthOf } from '#ledger/values';
import { DerivedIds } from './derived-id.js';
import type { ContentRules, Entry, EntryPart } from './imported-file.js';
import { cleanText } from './texts.js';

/** What a merchant is called where the file says nothing. */
const UNKNOWN_MERCHANT = 'Unknown';

/** What an entry would create. */
export interface ProposedTransaction {
  readonly id: string;
  readonly type: 'expense' | 'income';
  /** Positive, in minor units. */
  readonly amount: number;
  readonly date: string;
  readonly merchant: string;
  readonly note: string | null;
  readonly budgetMonth: string;
}

/** A row of a statement. */
export interface ImportRow {
  readonly row: number;
  readonly problem: string | null;
  /** Null for a row with a problem. */
  readonly transaction: ProposedTransaction | null;
  readonly category: string | null;
  readonly parts: readonly EntryPart[];
  /** The file says that the transaction was deleted. */
  readonly isDeleted: boolean;
}

/**
 * What the entries of a statement would create, with ids that follow from them.
 * @param source the account, folded
 */
export function importRows(entries: readonly Entry[], source: string, rules: ContentRules): ImportRow[] {
  const ids = new DerivedIds();
  return entries.map(entry => {
    const { row, parts, recorded } = entry;
    const category = entry.category === null ? null : cleanText(entry.category, rules.noteMax) || null;
    const problem = entry.problem ?? problemOf(entry);
    const transaction = problem === null ? proposed(entry, ids, source, rules) : null;
    return { row, problem, transaction, category, parts, isDeleted: recorded?.isDeleted === true };
  });
}

function problemOf({ amount }: Entry): string | null {
  return amount === 0 ? 'The amount is zero.' : null;
}

function proposed(entry: Entry, ids: DerivedIds, source: string, rules: ContentRules): ProposedTransaction {
  const { date, amount, bankId, recorded } = entry;
  const note = cleanText(entry.note, rules.noteMax);
  const merchant =
    [entry.merchant, note].map(text => cleanText(text, rules.merchantMax)).find(rules.isMerchant) ??
    UNKNOWN_MERCHANT;
  return {
    id: recorded?.id ?? ids.next({ source, bankId, date, amount, merchant }),
    type: amount < 0 ? 'expense' : 'income',
    amount: Math.abs(amount),
    date,
    merchant,
    note: note === '' ? null : note,
    budgetMonth: recorded?.budgetMonth ?? monthOf(date),
  };
}
