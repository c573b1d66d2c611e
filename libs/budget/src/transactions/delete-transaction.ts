import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import type { HouseholdCall } from '../household-call.js';
import { TransactionCommands } from './transaction-commands.js';
import type { TransactionChangeResponse } from './transaction.response.js';

/** Deletes a transaction softly: it can be restored. */
export class DeleteTransaction extends Command<Answer<TransactionChangeResponse>> {
  constructor(
    readonly call: HouseholdCall,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteTransaction)
export class DeleteTransactionHandler implements ICommandHandler<DeleteTransaction> {
  constructor(private readonly commands: TransactionCommands) {}

  execute({ call, id }: DeleteTransaction): Promise<Answer<TransactionChangeResponse>> {
    return this.commands.execute(call, { type: 'DeleteTransaction', id });
  }
}
