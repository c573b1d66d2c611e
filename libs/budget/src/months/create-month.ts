import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import { TEMPLATE_IDS } from '#ledger/months/month-commands';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** Creates a month as a copy of the latest earlier one, or from the default template. */
export class CreateMonth extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
  ) {
    super();
  }
}

@CommandHandler(CreateMonth)
export class CreateMonthHandler implements ICommandHandler<CreateMonth> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, month }: CreateMonth): Promise<Answer<MonthView>> {
    const newIds = this.commands.freshIds(TEMPLATE_IDS);
    const executed = await this.commands.handle(call, { type: 'CreateMonth', month, newIds });
    return monthAnswer(call.householdId, executed, month);
  }
}
