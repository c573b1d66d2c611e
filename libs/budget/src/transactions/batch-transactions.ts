import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { BooleanField, EnumField, UlidField, VariantListField } from '#http/fields';
import { ULID_EXAMPLE } from '#http/field-rules';
import type { Answer } from '#http/repeatable-write';
import { UserNames } from '#identity/accounts/accounts';
import type { CommandOf } from '#ledger/commands';
import type { TransactionCommand } from '#ledger/transactions/transaction-commands';
import { OPERATIONS_PER_BATCH_MAX } from '#ledger/limits';
import { transactionView, usersOf } from '#projections/transaction-document';
import { changedMonthViews } from '#projections/month-document';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { Executed } from '#engine/commands/command-call';
import type { HouseholdCall } from '../household-call.js';
import { ChangeTransactionBody, changesOf } from './change-transaction.js';
import { contentOf, CREATE_EXAMPLES, CreateTransactionBody } from './create-transaction.js';
import { itemNamesIn } from './transaction-write.js';
import type { BatchResponse } from './transaction.response.js';

/** What 500 operations come to with every field as long as it may be, and some room. */
export const BATCH_BYTES_MAX = 8 * 1024 * 1024;

const ID = { description: 'The transaction' };

/** As `POST /transactions`. */
class CreateOperation extends CreateTransactionBody {
  @EnumField(['create'])
  op!: 'create';
}

/** As `PATCH /transactions/{transactionId}`. */
class ChangeOperation extends ChangeTransactionBody {
  @EnumField(['change'])
  op!: 'change';

  @UlidField(ID)
  id!: string;
}

/** As `DELETE /transactions/{transactionId}`. */
class DeleteOperation {
  @EnumField(['delete'])
  op!: 'delete';

  @UlidField(ID)
  id!: string;
}

/** As `POST /transactions/{transactionId}/restore`. */
class RestoreOperation {
  @EnumField(['restore'])
  op!: 'restore';

  @UlidField(ID)
  id!: string;
}

type Operation = CreateOperation | ChangeOperation | DeleteOperation | RestoreOperation;

/** The classes of operations by their `op`. */
const OPERATIONS = {
  create: CreateOperation,
  change: ChangeOperation,
  delete: DeleteOperation,
  restore: RestoreOperation,
};

export const OPERATION_CLASSES = Object.values(OPERATIONS);

/** The body of `POST /transactions/batch`. */
export class BatchBody {
  @VariantListField(
    { by: 'op', classes: OPERATIONS },
    { min: 1, max: OPERATIONS_PER_BATCH_MAX, description: 'Carried out in this order' },
  )
  operations!: Operation[];

  @BooleanField({
    default: false,
    description:
      'Skip creations of transactions that exist, whatever their content, instead of refusing the batch',
  })
  skip_known!: boolean;
}

/** For the API reference; the first is accepted in every household. */
export const BATCH_EXAMPLES = {
  create: {
    summary: 'Transactions that were imported, the known ones skipped',
    value: { operations: [{ op: 'create', ...CREATE_EXAMPLES.untracked.value }], skip_known: true },
  },
  others: {
    summary: 'Changes of transactions that exist',
    value: {
      operations: [
        { op: 'change', id: ULID_EXAMPLE, splits: [] },
        { op: 'delete', id: ULID_EXAMPLE },
        { op: 'restore', id: ULID_EXAMPLE },
      ],
    },
  },
};

/** Carries out operations on transactions together, or none of them. */
export class BatchTransactions extends Command<Answer<BatchResponse>> {
  constructor(
    readonly call: HouseholdCall,
    readonly body: BatchBody,
  ) {
    super();
  }
}

@CommandHandler(BatchTransactions)
export class BatchTransactionsHandler implements ICommandHandler<BatchTransactions> {
  constructor(
    private readonly commands: HouseholdCommands,
    private readonly userNames: UserNames,
  ) {}

  async execute({ call, body }: BatchTransactions): Promise<Answer<BatchResponse>> {
    const command: CommandOf<'BatchTransactions'> = {
      type: 'BatchTransactions',
      operations: body.operations.map(toLedger),
      skipKnown: body.skip_known,
    };
    const executed = await this.commands.handle(call, command);
    const { household, replayed } = executed;
    const records = [...executed.transactions.values()];
    const userNames = await this.userNames.namesOf(usersOf(records));
    const itemNames = itemNamesIn(executed);
    return {
      body: {
        transactions: records.map(record => transactionView(record, itemNames, userNames)),
        replayed: repeatedCreations(command, executed),
        months: changedMonthViews(call.householdId, executed),
        untracked_count: household.untracked.count,
      },
      replayed,
    };
  }
}

/** The transactions whose creation was asked for, and which the command did not create now. */
function repeatedCreations({ operations }: CommandOf<'BatchTransactions'>, { events }: Executed): string[] {
  const created = new Set(
    events.flatMap(({ type, data }) => (type === 'TransactionCreated' ? [data.id] : [])),
  );
  const asked = operations.filter(({ type }) => type === 'CreateTransaction');
  return [...new Set(asked.map(({ id }) => id))].filter(id => !created.has(id));
}

function toLedger(operation: Operation): TransactionCommand {
  const { id } = operation;
  switch (operation.op) {
    case 'create':
      return { type: 'CreateTransaction', id, content: contentOf(operation) };
    case 'change':
      return { type: 'ChangeTransaction', id, changes: changesOf(operation) };
    case 'delete':
      return { type: 'DeleteTransaction', id };
    case 'restore':
      return { type: 'RestoreTransaction', id };
  }
}
