import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UlidListField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** The most ids that a new order may name; more than any month can hold, so that the answer can say what is wrong. */
export const ORDER_IDS_MAX = 1_000;

/** The body of `PUT /months/{month}/group-order`. */
export class OrderGroupsBody {
  @UlidListField({ max: ORDER_IDS_MAX, description: 'Exactly the month’s groups without the income group' })
  group_ids!: string[];
}

/** Orders a month's groups; income stays first. */
export class OrderGroups extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly body: OrderGroupsBody,
  ) {
    super();
  }
}

@CommandHandler(OrderGroups)
export class OrderGroupsHandler implements ICommandHandler<OrderGroups> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, month, body }: OrderGroups): Promise<Answer<MonthView>> {
    const command = { type: 'OrderGroups', month, groupIds: body.group_ids } as const;
    return monthAnswer(call.householdId, await this.commands.handle(call, command), month);
  }
}
