import type { Schemas } from '../api/client.js';
import { monthOf } from '../format/dates.js';
import { problemOf, splitsOf, type SplitRow } from './splits.js';

type Transaction = Schemas['Transaction'];
export type NewTransaction = Schemas['CreateTransactionBody'];

/** What a person typed of a transaction. */
export interface Draft {
  readonly type: 'expense' | 'income';
  /** As typed. */
  readonly amount: string;
  readonly date: string;
  readonly merchant: string;
  readonly note: string;
  /** The month whose budget it counts in; `''` for that of the date. */
  readonly budgetMonth: string;
  /** The one item that the whole amount goes to; `''` for none. Not used once the amount is split. */
  readonly itemId: string;
  /** Null while the amount is not split. Amounts as typed. */
  readonly rows: readonly { readonly itemId: string; readonly amount: string }[] | null;
}

/** The content of a transaction, as it is sent. */
export type Content = Required<
  Pick<NewTransaction, 'type' | 'amount' | 'date' | 'merchant' | 'note' | 'budget_month' | 'splits'>
>;

/** What is wrong with each field. */
export type Problems = Partial<Record<'amount' | 'date' | 'merchant' | 'splits', string>>;

export function emptyDraft(date: string): Draft {
  return {
    type: 'expense',
    amount: '',
    date,
    merchant: '',
    note: '',
    budgetMonth: '',
    itemId: '',
    rows: null,
  };
}

export function draftOf(transaction: Transaction, plain: (minor: number) => string): Draft {
  const { type, amount, date, merchant, note, splits } = transaction;
  return {
    type,
    amount: plain(amount),
    date,
    merchant,
    note: note ?? '',
    budgetMonth: transaction.budget_month === monthOf(date) ? '' : transaction.budget_month,
    itemId: splits.length === 1 ? splits[0]!.item_id : '',
    rows:
      splits.length > 1
        ? splits.map(({ item_id, amount }) => ({ itemId: item_id, amount: plain(amount) }))
        : null,
  };
}

/** The rows of the split editor with their amounts read. */
export function readRows(draft: Draft, parse: (text: string) => number | undefined): readonly SplitRow[] {
  return (draft.rows ?? []).map(({ itemId, amount }) => ({ itemId, amount: parse(amount) }));
}

/** The content, or what keeps it from being saved. */
export function readDraft(
  draft: Draft,
  parse: (text: string) => number | undefined,
): { readonly content: Content } | { readonly problems: Problems } {
  const amount = parse(draft.amount);
  const problems: { -readonly [Field in keyof Problems]: string } = {};
  if (amount === undefined) problems.amount = 'Type an amount, such as 12.50.';
  else if (amount <= 0) problems.amount = 'The amount must be above zero.';
  if (draft.date === '') problems.date = 'Choose a date.';
  if (draft.merchant.trim() === '') problems.merchant = 'Say where it was.';
  const rows = readRows(draft, parse);
  const wrong = amount === undefined || draft.rows === null ? undefined : problemOf(amount, rows);
  if (wrong !== undefined) problems.splits = wrong;
  if (amount === undefined || Object.keys(problems).length > 0) return { problems };
  const whole = draft.itemId === '' ? [] : [{ item_id: draft.itemId, amount }];
  return {
    content: {
      type: draft.type,
      amount,
      date: draft.date,
      merchant: draft.merchant.trim(),
      note: draft.note.trim() === '' ? null : draft.note.trim(),
      budget_month: monthOfDraft(draft),
      splits: [...(draft.rows === null ? whole : splitsOf(rows))],
    },
  };
}

/** The month whose budget a draft counts in. */
export function monthOfDraft({ budgetMonth, date }: Draft): string {
  return budgetMonth === '' ? monthOf(date) : budgetMonth;
}
