import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** Takes a group with its items out of a month; the month's transactions with a split on them lose their splits. */
export class RemoveGroup extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly groupId: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveGroup)
export class RemoveGroupHandler implements ICommandHandler<RemoveGroup> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, month, groupId }: RemoveGroup): Promise<Answer<MonthView>> {
    const executed = await this.commands.handle(call, { type: 'RemoveGroup', month, groupId });
    return monthAnswer(call.householdId, executed, month);
  }
}
