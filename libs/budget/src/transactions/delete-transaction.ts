import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import { TransactionAnswers } from './transaction-answers.js';

/** Deletes a transaction softly: it can be restored. */
export class DeleteTransaction extends Command<Answer<string>> {
  constructor(
    readonly call: HouseholdCall,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteTransaction)
export class DeleteTransactionHandler implements ICommandHandler<DeleteTransaction> {
  constructor(
    private readonly commands: HouseholdCommands,
    private readonly answers: TransactionAnswers,
  ) {}

  async execute({ call, id }: DeleteTransaction): Promise<Answer<string>> {
    const executed = await this.commands.handle(call, { type: 'DeleteTransaction', id });
    return this.answers.of(call, executed);
  }
}
