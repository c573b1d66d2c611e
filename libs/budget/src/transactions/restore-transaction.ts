import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import { TransactionAnswers } from './transaction-answers.js';

/** Brings a deleted transaction back, with the splits whose items are still in its month. */
export class RestoreTransaction extends Command<Answer<string>> {
  constructor(
    readonly call: HouseholdCall,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RestoreTransaction)
export class RestoreTransactionHandler implements ICommandHandler<RestoreTransaction> {
  constructor(
    private readonly commands: HouseholdCommands,
    private readonly answers: TransactionAnswers,
  ) {}

  async execute({ call, id }: RestoreTransaction): Promise<Answer<string>> {
    const executed = await this.commands.handle(call, { type: 'RestoreTransaction', id });
    return this.answers.of(call, executed);
  }
}
