import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AMOUNT_MAX } from '#http/field-rules';
import { AmountField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** The body of `POST /months/{month}/items/{itemId}/fund-balance`, likewise in minor units of either sign. */
export class UpdateFundBalanceBody {
  @AmountField({
    min: -AMOUNT_MAX,
    description: 'The actual balance of the fund in this month',
    example: 30000,
  })
  current_balance!: number;
}

/** Records the difference between a fund's ending and what it really holds as an adjustment. */
export class UpdateFundBalance extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly itemId: string,
    readonly body: UpdateFundBalanceBody,
  ) {
    super();
  }
}

@CommandHandler(UpdateFundBalance)
export class UpdateFundBalanceHandler implements ICommandHandler<UpdateFundBalance> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, month, itemId, body }: UpdateFundBalance): Promise<Answer<MonthView>> {
    const command = { type: 'UpdateFundBalance', month, itemId, balance: body.current_balance } as const;
    return monthAnswer(call.householdId, await this.commands.handle(call, command), month);
  }
}
