import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { Amount, Part, ResponseOf } from '#http/response-fields';
import type { Answer } from '#http/repeatable-write';
import type { LedgerEventData } from '#ledger/events';
import { CommandLog } from '#engine/commands/command-log';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { Executed } from '#engine/commands/command-call';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';
import { MonthResponse } from '../months/month.response.js';

/** The answer of `POST /months/{month}/items/{itemId}/harvest`; both amounts are minor units. */
@ApiSchema({ name: 'Harvest' })
export class HarvestResponse extends ResponseOf({
  month: Part(MonthResponse),
  harvested: Amount('The amount returned to `left_to_budget`', 57500),
  previous_planned: Amount('The previous planned amount', 60000),
}) {}

/** Plans for a regular expense item just what was spent, so that the rest is left to budget again. */
export class HarvestItem extends Command<Answer<HarvestResponse>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly itemId: string,
  ) {
    super();
  }
}

@CommandHandler(HarvestItem)
export class HarvestItemHandler implements ICommandHandler<HarvestItem> {
  constructor(
    private readonly commands: HouseholdCommands,
    private readonly log: CommandLog,
  ) {}

  async execute({ call, month, itemId }: HarvestItem): Promise<Answer<HarvestResponse>> {
    const { householdId } = call;
    const executed = await this.commands.handle(call, { type: 'HarvestItem', month, itemId });
    const { before, after } = await this.harvest(householdId, executed);
    const { body: view, replayed } = monthAnswer(householdId, executed, month);
    return { body: { month: view, harvested: before - after, previous_planned: before }, replayed };
  }

  /** What the command recorded: just now, or where it is repeated by its key, back then. */
  private async harvest(householdId: string, executed: Executed): Promise<LedgerEventData['ItemHarvested']> {
    const event = executed.recorded
      ? await this.log.eventAt(householdId, executed.recorded.firstRevision)
      : executed.events[0];
    if (event?.type !== 'ItemHarvested') throw new Error('a harvest records that an item was harvested');
    return event.data;
  }
}
