import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ColorField, NameField, UlidField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import type { CommandOf } from '#ledger/commands';
import type { MonthView } from '#projections/month-view';
import { HouseholdCommands } from '#engine/commands/household-commands';
import { knownId } from '../either-new-or-known.js';
import type { HouseholdCall } from '../household-call.js';
import { monthAnswer } from '../month-answer.js';

/** Either a new group, by its name, or one that the household already has, by its id. */
export class AddGroupBody {
  @NameField({ optional: true, description: 'The name of a new group', example: 'Food' })
  name?: string;

  @ColorField({
    optional: true,
    description: 'The colour of a new group; if absent, the next one of a fixed palette',
  })
  color?: string;

  @UlidField({ optional: true, description: 'An existing group of the household, instead of a new one' })
  group_id?: string;
}

/** Adds a group to a month, last and without items. */
export class AddGroup extends Command<Answer<MonthView>> {
  constructor(
    readonly call: HouseholdCall,
    readonly month: string,
    readonly body: AddGroupBody,
  ) {
    super();
  }
}

@CommandHandler(AddGroup)
export class AddGroupHandler implements ICommandHandler<AddGroup> {
  constructor(private readonly commands: HouseholdCommands) {}

  /** @throws ApiError `validation_failed` for a body that is neither a new group nor a known one */
  async execute({ call, month, body }: AddGroup): Promise<Answer<MonthView>> {
    const executed = await this.commands.handle(call, this.toLedger(month, body));
    return monthAnswer(call.householdId, executed, month);
  }

  private toLedger(month: string, body: AddGroupBody): CommandOf<'AddGroup' | 'PlaceGroup'> {
    const groupId = knownId(body, 'group_id', ['name', 'color']);
    if (groupId !== null) return { type: 'PlaceGroup', month, groupId };
    const { name = '', color } = body;
    const id = this.commands.freshId();
    return { type: 'AddGroup', month, groupId: id, name, ...(color !== undefined && { color }) };
  }
}
