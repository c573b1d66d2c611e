import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { BooleanField, CurrencyField, NameField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import { Profiles } from '../accounts/profiles.js';
import { keyedCommand, type KeyedCall } from '../repeatable-changes.js';
import type { HouseholdResponse } from './household.response.js';
import { Households } from './households.js';
import { CommandOf } from '../use-case.js';

/** The body of `PATCH /households/{householdId}`. Only the fields that are there change. */
export class ChangeHouseholdBody {
  @NameField({ optional: true, description: 'The new name', example: 'Maple Street' })
  name?: string;

  @CurrencyField({
    optional: true,
    description:
      'The new currency, by its code of ISO 4217. Amounts keep their numbers: nothing is converted',
  })
  currency?: string;

  @BooleanField({
    optional: true,
    description:
      'An archived household can be read but not written; members may still leave, owners remove members and change roles',
  })
  archived?: boolean;
}

export class ChangeHousehold extends CommandOf<
  { call: KeyedCall; householdId: string; body: ChangeHouseholdBody },
  Answer<HouseholdResponse>
> {}

/** Changes a household's name or currency, archives or unarchives it; only an owner may. */
@CommandHandler(ChangeHousehold)
export class ChangeHouseholdHandler implements ICommandHandler<ChangeHousehold> {
  constructor(
    private readonly households: Households,
    private readonly profiles: Profiles,
  ) {}

  async execute({ asked: { call, householdId, body } }: ChangeHousehold): Promise<Answer<HouseholdResponse>> {
    const command = keyedCommand(call, { command: 'change-household', body });
    const { record, replayed } = await this.households.change(householdId, command, draft => {
      draft.requireOwner(call.userId);
      // Out of the archive first and into it last, so that one call may change the rest as well.
      if (body.archived === false) draft.setArchived(false, call.userId);
      if (body.name !== undefined || body.currency !== undefined) draft.requireWritable();
      if (body.name !== undefined) draft.rename(body.name, call.userId);
      if (body.currency !== undefined) draft.setCurrency(body.currency, call.userId);
      if (body.archived === true) draft.setArchived(true, call.userId);
    });
    return { body: await this.profiles.household(record, call.userId), replayed };
  }
}
