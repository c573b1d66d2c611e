import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import type { Command as LedgerCommand } from '#ledger/commands';
import type { MonthView } from '#projections/month-document';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { Executed } from '#engine/commands/command-call';
import type { HouseholdCall } from './household-call.js';
import { monthAnswer } from './month-answer.js';

/** Draws ids for something new. */
type FreshIds = Pick<HouseholdCommands, 'freshId' | 'freshIds'>;

/** A use case of one command: its class says what the ledger is asked to do, and how that is answered. */
export abstract class BudgetWrite<C extends LedgerCommand, T> extends Command<Answer<T>> {
  constructor(
    readonly call: HouseholdCall,
    /** @throws ApiError `validation_failed` for a body that is neither something new nor something known */
    readonly toLedger: (fresh: FreshIds) => C,
    readonly answer: (executed: Executed, command: C) => Answer<T>,
  ) {
    super();
  }
}

/** A use case that changes one month and answers with it. */
export abstract class MonthWrite extends BudgetWrite<
  Extract<LedgerCommand, { readonly month: string }>,
  MonthView
> {
  constructor(call: HouseholdCall, toLedger: MonthWrite['toLedger']) {
    super(call, toLedger, (executed, { month }) => monthAnswer(call.householdId, executed, month));
  }
}

/** Carries every `BudgetWrite` out: the bus finds the handler of a class by the one that it extends. */
@CommandHandler(BudgetWrite)
export class BudgetWriteHandler implements ICommandHandler<BudgetWrite<LedgerCommand, unknown>> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, toLedger, answer }: BudgetWrite<LedgerCommand, unknown>): Promise<Answer<unknown>> {
    const command = toLedger(this.commands);
    return answer(await this.commands.handle(call, command), command);
  }
}
