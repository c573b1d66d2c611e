import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** Takes an item out of a month; the month's transactions with a split on it lose their splits. */
export class RemoveItem extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly itemId: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveItem)
export class RemoveItemHandler implements ICommandHandler<RemoveItem> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, month, itemId }: RemoveItem): Promise<Answer<MonthView>> {
    const executed = await this.commands.handle(call, { type: 'RemoveItem', month, itemId });
    return monthAnswer(call.householdId, executed, month);
  }
}
