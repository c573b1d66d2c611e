import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AMOUNT_MAX } from '#http/field-rules';
import { AmountField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** The body of `POST /months/{month}/items/{itemId}/fund`; the balance, in minor units, may be negative. */
export class OpenFundBody {
  @AmountField({
    min: -AMOUNT_MAX,
    description: 'The balance that the fund carries into this month',
    example: 20000,
  })
  current_balance!: number;
}

/** Makes an item a fund from a month on. */
export class OpenFund extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly itemId: string,
    readonly body: OpenFundBody,
  ) {
    super();
  }
}

@CommandHandler(OpenFund)
export class OpenFundHandler implements ICommandHandler<OpenFund> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, month, itemId, body }: OpenFund): Promise<Answer<MonthView>> {
    const command = { type: 'OpenFund', month, itemId, openingBalance: body.current_balance } as const;
    return monthAnswer(call.householdId, await this.commands.handle(call, command), month);
  }
}
