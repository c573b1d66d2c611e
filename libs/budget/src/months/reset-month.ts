import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EnumField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import { TEMPLATE_IDS } from '#ledger/months/month-commands';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** The body of `POST /months/{month}/reset`. */
export class ResetMonthBody {
  @EnumField(['zero', 'replace'], {
    description:
      '`zero` sets every planned amount of the month to 0. `replace` untracks every transaction of the month ' +
      'and lays the month out again as creating it would.',
  })
  mode!: 'zero' | 'replace';
}

/** Empties a month's plans, or lays the month out again. */
export class ResetMonth extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly body: ResetMonthBody,
  ) {
    super();
  }
}

@CommandHandler(ResetMonth)
export class ResetMonthHandler implements ICommandHandler<ResetMonth> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, month, body: { mode } }: ResetMonth): Promise<Answer<MonthView>> {
    const newIds = this.commands.freshIds(TEMPLATE_IDS);
    const executed = await this.commands.handle(call, { type: 'ResetMonth', month, mode, newIds });
    return monthAnswer(call.householdId, executed, month);
  }
}
