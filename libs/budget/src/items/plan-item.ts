import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AmountField, NoteField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** The body of `PATCH /months/{month}/items/{itemId}`. Only what is there changes; minor units. */
export class PlanItemBody {
  @AmountField({ min: 0, optional: true, description: 'The planned amount for this month', example: 60000 })
  planned?: number;

  @NoteField({ optional: true, description: 'A note on the item in this month; null clears it' })
  note?: string | null;
}

/** Changes an item's plan and note in one month. */
export class PlanItem extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly itemId: string,
    readonly body: PlanItemBody,
  ) {
    super();
  }
}

@CommandHandler(PlanItem)
export class PlanItemHandler implements ICommandHandler<PlanItem> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, month, itemId, body }: PlanItem): Promise<Answer<MonthView>> {
    const { planned, note } = body;
    const executed = await this.commands.handle(call, {
      type: 'PlanItem',
      month,
      itemId,
      ...(planned !== undefined && { planned }),
      ...(note !== undefined && { note }),
    });
    return monthAnswer(call.householdId, executed, month);
  }
}
