import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import type { Command as LedgerCommand } from '#ledger/commands';
import type { MonthView } from '#projections/month-document';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from './household-call.js';
import { monthAnswer } from './month-answer.js';

/** What the ledger is asked to do with a month. */
type AboutMonth = Extract<LedgerCommand, { readonly month: string }>;

/** Draws ids for something new. */
type FreshIds = Pick<HouseholdCommands, 'freshId' | 'freshIds'>;

/** A use case that changes one month and answers with it: its class says what the ledger is asked to do. */
export abstract class MonthWrite extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    /** @throws ApiError `validation_failed` for a body that is neither something new nor something known */
    readonly toLedger: (fresh: FreshIds) => AboutMonth,
  ) {
    super();
  }
}

/** Carries every `MonthWrite` out: the bus finds the handler of a class by the one that it extends. */
@CommandHandler(MonthWrite)
export class MonthWriteHandler implements ICommandHandler<MonthWrite> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, toLedger }: MonthWrite): Promise<Answer<MonthView>> {
    const command = toLedger(this.commands);
    return monthAnswer(call.householdId, await this.commands.handle(call, command), command.month);
  }
}
