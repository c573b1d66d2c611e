import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { NameField, UlidField } from '#http/fields';
import { archivedHousehold } from '../households/household-draft.js';
import { Households, membershipIn } from '../households/households.js';
import { Accounts } from './account-records.js';
import { Profiles } from './me.js';
import type { MeAnswer } from './me.js';

export class ChangeMeBody {
  @NameField({ optional: true, example: 'Ada' })
  name?: string;

  @UlidField({ optional: true, description: 'A household that the caller is a member of' })
  default_household_id?: string;
}

export class ChangeMe extends Command<MeAnswer> {
  constructor(
    readonly userId: string,
    readonly body: ChangeMeBody,
  ) {
    super();
  }
}

@CommandHandler(ChangeMe)
export class ChangeMeHandler implements ICommandHandler<ChangeMe> {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
    private readonly profiles: Profiles,
  ) {}

  async execute({ userId, body }: ChangeMe): Promise<MeAnswer> {
    if (body.default_household_id !== undefined) await this.requireUsable(body.default_household_id, userId);
    const account = await this.accounts.change(userId, current => {
      const name = body.name ?? current.name;
      const defaultHouseholdId = body.default_household_id ?? current.defaultHouseholdId;
      const same = name === current.name && defaultHouseholdId === current.defaultHouseholdId;
      return same ? current : { ...current, name, defaultHouseholdId };
    });
    return this.profiles.me(account);
  }

  /** An archived household could not be the default: it would fall back at once. */
  private async requireUsable(householdId: string, userId: string): Promise<void> {
    const household = await this.households.find(householdId);
    if (household === null || membershipIn(household, userId) === undefined)
      throw new ApiError('not_a_member');
    if (household.archived) throw archivedHousehold();
  }
}
