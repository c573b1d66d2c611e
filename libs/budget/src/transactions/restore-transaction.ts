import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import type { HouseholdCall } from '../household-call.js';
import { TransactionCommands } from './transaction-commands.js';
import type { TransactionChangeResponse } from './transaction.response.js';

/** Brings a deleted transaction back, with the splits whose items are still in its month. */
export class RestoreTransaction extends Command<Answer<TransactionChangeResponse>> {
  constructor(
    readonly call: HouseholdCall,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RestoreTransaction)
export class RestoreTransactionHandler implements ICommandHandler<RestoreTransaction> {
  constructor(private readonly commands: TransactionCommands) {}

  execute({ call, id }: RestoreTransaction): Promise<Answer<TransactionChangeResponse>> {
    return this.commands.execute(call, { type: 'RestoreTransaction', id });
  }
}
