import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UlidListField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import { ORDER_IDS_MAX } from '../groups/order-groups.js';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** The body of `PUT /months/{month}/groups/{groupId}/item-order`. */
export class OrderItemsBody {
  @UlidListField({
    max: ORDER_IDS_MAX,
    description: 'All of the group’s items, and any of another group of the same kind that move in',
  })
  item_ids!: string[];
}

/** Orders a group's items; items of other groups may move in. */
export class OrderItems extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly groupId: string,
    readonly body: OrderItemsBody,
  ) {
    super();
  }
}

@CommandHandler(OrderItems)
export class OrderItemsHandler implements ICommandHandler<OrderItems> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, month, groupId, body }: OrderItems): Promise<Answer<MonthView>> {
    const command = { type: 'OrderItems', month, groupId, itemIds: body.item_ids } as const;
    return monthAnswer(call.householdId, await this.commands.handle(call, command), month);
  }
}
