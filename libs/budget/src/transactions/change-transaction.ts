import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AmountField, DateField, EnumField, ListField, MonthField, NoteField, TextField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import type { TransactionChanges } from '#ledger/commands';
import { SPLITS_MAX } from '#ledger/limits';
import type { HouseholdCall } from '../household-call.js';
import { MERCHANT_MAX, SplitBody, toSplits } from './create-transaction.js';
import { Location, LocationField, toLocation } from './location.js';
import { TransactionCommands } from './transaction-commands.js';
import type { TransactionChangeResponse } from './transaction.response.js';

/** Only the fields that are there change. */
export class ChangeTransactionBody {
  @EnumField(['expense', 'income'], { optional: true, description: 'Its splits count the other way then' })
  type?: 'expense' | 'income';

  @AmountField({
    min: 1,
    optional: true,
    description: 'A single split follows it; several must be sent along',
    example: 4500,
  })
  amount?: number;

  @DateField({ optional: true, description: 'The budget month does not follow it' })
  date?: string;

  @TextField({
    min: 1,
    max: MERCHANT_MAX,
    optional: true,
    description: 'Where it was spent, or where the income came from',
    example: 'Costco',
  })
  merchant?: string;

  @NoteField({ optional: true, description: 'Null clears it' })
  note?: string | null;

  @MonthField({ optional: true, description: 'Splits are kept where all their items are in that month' })
  budget_month?: string;

  @ListField(() => SplitBody, {
    max: SPLITS_MAX,
    uniqueBy: 'item_id',
    optional: true,
    description: 'An empty list untracks the transaction',
  })
  splits?: SplitBody[];

  @LocationField({ optional: true, nullable: true, description: 'Null removes it' })
  location?: Location | null;
}

/** Changes what a client says about a transaction. */
export class ChangeTransaction extends Command<Answer<TransactionChangeResponse>> {
  constructor(
    readonly call: HouseholdCall,
    readonly id: string,
    readonly body: ChangeTransactionBody,
  ) {
    super();
  }
}

@CommandHandler(ChangeTransaction)
export class ChangeTransactionHandler implements ICommandHandler<ChangeTransaction> {
  constructor(private readonly commands: TransactionCommands) {}

  execute({ call, id, body }: ChangeTransaction): Promise<Answer<TransactionChangeResponse>> {
    return this.commands.execute(call, { type: 'ChangeTransaction', id, changes: changesOf(body) });
  }
}

function changesOf(body: ChangeTransactionBody): TransactionChanges {
  const { type, amount, date, merchant, note, budget_month, splits, location } = body;
  return {
    ...(type !== undefined && { type }),
    ...(amount !== undefined && { amount }),
    ...(date !== undefined && { date }),
    ...(merchant !== undefined && { merchant }),
    ...(note !== undefined && { note }),
    ...(budget_month !== undefined && { budgetMonth: budget_month }),
    ...(splits !== undefined && { splits: toSplits(splits) }),
    ...(location !== undefined && { location: location && toLocation(location) }),
  };
}
