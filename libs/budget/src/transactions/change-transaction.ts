import { AmountField, DateField, EnumField, ListField, MonthField, NameField, NoteField } from '#http/fields';
import { MERCHANT_MAX } from '#http/field-rules';
import type { Changes } from '#ledger/command-declaration';
import type { TransactionContent } from '#ledger/transactions/transaction-record';
import { SPLITS_MAX } from '#ledger/limits';
import type { HouseholdCall } from '../household-call.js';
import { SplitBody, toSplits } from './create-transaction.js';
import { Location, LocationField, toLocation } from './location.js';
import { TransactionWrite } from './transaction-write.js';

/** Only the fields that are there change. */
export class ChangeTransactionBody {
  @EnumField(['expense', 'income'], {
    optional: true,
    description: 'Changing it reverses the effect of the splits',
  })
  type?: 'expense' | 'income';

  @AmountField({
    min: 1,
    optional: true,
    description: 'If there is one split, its amount follows. If there are several, send `splits` as well',
    example: 4500,
  })
  amount?: number;

  @DateField({ optional: true, description: 'Does not change the budget month' })
  date?: string;

  @NameField({
    max: MERCHANT_MAX,
    optional: true,
    description: 'The payee of an expense, or the source of an income',
    example: 'Costco',
  })
  merchant?: string;

  @NoteField({ optional: true, description: 'Null clears it' })
  note?: string | null;

  @MonthField({ optional: true, description: 'Keeps the splits if all their items are in that month' })
  budget_month?: string;

  @ListField(() => SplitBody, {
    max: SPLITS_MAX,
    uniqueBy: 'item_id',
    optional: true,
    description: 'An empty list makes the transaction untracked',
  })
  splits?: SplitBody[];

  @LocationField({ optional: true, nullable: true, description: 'Null removes it' })
  location?: Location | null;
}

/** Changes what a client says about a transaction. */
export class ChangeTransaction extends TransactionWrite {
  constructor(call: HouseholdCall, id: string, body: ChangeTransactionBody) {
    super(call, { type: 'ChangeTransaction', id, changes: changesOf(body) });
  }
}

/** What the ledger is asked to change. */
export function changesOf(body: ChangeTransactionBody): Changes<TransactionContent> {
  const { type, amount, date, merchant, note, budget_month: budgetMonth, splits, location } = body;
  return {
    type,
    amount,
    date,
    merchant,
    note,
    budgetMonth,
    splits: splits && toSplits(splits),
    location: location && toLocation(location),
  };
}
