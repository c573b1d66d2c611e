import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#ledger/refusal';
import { ColorField, NameField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import type { GroupIdentity } from '#ledger/household';
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
    const changes = { ...(name !== undefined && { name }), ...(color !== undefined && { color }) };
    const { household, replayed } = await this.commands.handle(call, {
      type: 'ChangeGroup',
      groupId,
      changes,
    });
    const group = household.groups.get(groupId);
    if (!group) throw notFound('group', groupId);
    return { body: identityOf(group), replayed };
  }
}

function identityOf({ id, name, color, isIncome }: GroupIdentity): GroupIdentityResponse {
  return { id, name, color, is_income: isIncome };
}
