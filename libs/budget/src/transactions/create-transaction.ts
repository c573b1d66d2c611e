import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  AmountField,
  DateField,
  EnumField,
  ListField,
  MonthField,
  NoteField,
  TextField,
  ULID_EXAMPLE,
  UlidField,
} from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import { monthOf } from '#ledger/calendar';
import type { Split, TransactionContent } from '#ledger/events';
import { SPLITS_MAX } from '#ledger/limits';
import type { HouseholdCall } from '../household-call.js';
import { Location, LocationField, toLocation } from './location.js';
import { TransactionCommands } from './transaction-commands.js';
import type { TransactionChangeResponse } from './transaction.response.js';

/** The longest merchant, in code points. */
export const MERCHANT_MAX = 200;

/** A split of a transaction as clients send it; its amount, in minor units, is positive whatever the type. */
export class SplitBody {
  @UlidField({ description: 'An item of the budget month' })
  item_id!: string;

  @AmountField({ min: 1, description: 'Its part of the amount', example: 4500 })
  amount!: number;
}

/** The body of `POST /transactions`. */
export class CreateTransactionBody {
  @UlidField({ description: 'Made by the client: the same id with the same content is recorded once' })
  id!: string;

  @EnumField(['expense', 'income'], { description: 'A refund is an `income` on an expense item' })
  type!: 'expense' | 'income';

  @AmountField({ min: 1, description: 'The whole amount, in minor units', example: 4500 })
  amount!: number;

  @DateField({ description: 'The day on which it was made' })
  date!: string;

  @TextField({
    min: 1,
    max: MERCHANT_MAX,
    description: 'Where it was spent, or where the income came from',
    example: 'Costco',
  })
  merchant!: string;

  @ListField(() => SplitBody, {
    max: SPLITS_MAX,
    uniqueBy: 'item_id',
    description: 'They add up to the amount; an empty list creates the transaction untracked',
  })
  splits!: SplitBody[];

  @NoteField({ optional: true, description: 'Null stands for none' })
  note?: string | null;

  @MonthField({ optional: true, description: 'The month of the date when absent' })
  budget_month?: string;

  @LocationField({ optional: true, nullable: true, description: 'Where it was made' })
  location?: Location | null;
}

const UNTRACKED_EXAMPLE = {
  id: ULID_EXAMPLE,
  type: 'expense',
  amount: 4500,
  date: '2026-01-15',
  merchant: 'Costco',
  splits: [] as readonly object[],
};

/** For the API reference; the first is accepted in every household, the others need the items and months they name. */
export const CREATE_EXAMPLES = {
  untracked: { summary: 'Untracked, accepted as it stands', value: UNTRACKED_EXAMPLE },
  split: {
    summary: 'Split across items of the month, which has to be there',
    value: {
      ...UNTRACKED_EXAMPLE,
      splits: [{ item_id: ULID_EXAMPLE, amount: 4500 }],
      note: 'Weekly shop',
      budget_month: '2026-01',
      location: { lat: 52.5163, lng: 13.3777, accuracy_m: 12 },
    },
  },
};

/** Creates a transaction once, however often it is posted. */
export class CreateTransaction extends Command<Answer<TransactionChangeResponse>> {
  constructor(
    readonly call: HouseholdCall,
    readonly body: CreateTransactionBody,
  ) {
    super();
  }
}

@CommandHandler(CreateTransaction)
export class CreateTransactionHandler implements ICommandHandler<CreateTransaction> {
  constructor(private readonly commands: TransactionCommands) {}

  execute({ call, body }: CreateTransaction): Promise<Answer<TransactionChangeResponse>> {
    return this.commands.execute(call, { type: 'CreateTransaction', id: body.id, content: contentOf(body) });
  }
}

function contentOf(body: CreateTransactionBody): TransactionContent {
  const { type, amount, date, merchant, note = null, location = null } = body;
  return {
    type,
    amount,
    date,
    merchant,
    note,
    budgetMonth: body.budget_month ?? monthOf(date),
    splits: toSplits(body.splits),
    location: location && toLocation(location),
  };
}

export function toSplits(splits: readonly SplitBody[]): Split[] {
  return splits.map(({ item_id, amount }) => ({ itemId: item_id, amount }));
}
