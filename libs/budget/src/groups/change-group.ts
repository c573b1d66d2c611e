import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#ledger/refusal';
import { ColorField, NameField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
import type { GroupIdentityResponse } from '../months/month.response.js';

/** The body of `PATCH /groups/{groupId}`. Only the fields that are there change. */
export class ChangeGroupBody {
  @NameField({ optional: true, description: 'Its name in every month', example: 'Food' })
  name?: string;

  @ColorField({ optional: true, description: 'Its colour in every month, as `#rrggbb`' })
  color?: string;
}

/** Renames or recolours a group in every month. */
export class ChangeGroup extends Command<Answer<GroupIdentityResponse>> {
  constructor(
    readonly call: HouseholdCall,
    readonly groupId: string,
    readonly body: ChangeGroupBody,
  ) {
    super();
  }
}

@CommandHandler(ChangeGroup)
export class ChangeGroupHandler implements ICommandHandler<ChangeGroup> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, groupId, body }: ChangeGroup): Promise<Answer<GroupIdentityResponse>> {
    const { name, color } = body;
    const command = { type: 'ChangeGroup', groupId, changes: { name, color } } as const;
    const { household, replayed } = await this.commands.handle(call, command);
    const group = household.groups.get(groupId);
    if (!group) throw notFound('group', groupId);
    const { id, isIncome } = group;
    return { body: { id, name: group.name, color: group.color, is_income: isIncome }, replayed };
  }
}
