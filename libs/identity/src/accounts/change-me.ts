import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { NameField, UlidField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import { archivedHousehold } from '../households/household-draft.js';
import { Households, requireMember } from '../households/households.js';
import { keyedCommand, type KeyedCall } from '../repeatable-changes.js';
import { Accounts } from './accounts.js';
import { Profiles, type MeResponse } from './profiles.js';
import { CommandOf } from '../use-case.js';

/** The body of `PATCH /me`. Only the fields that are there change. */
export class ChangeMeBody {
  @NameField({ optional: true, description: 'The name shown to other members', example: 'Ada' })
  name?: string;

  @UlidField({ optional: true, description: 'A household that the caller is a member of' })
  default_household_id?: string;
}

export class ChangeMe extends CommandOf<{ call: KeyedCall; body: ChangeMeBody }, Answer<MeResponse>> {}

/**
 * Changes the caller's name and default household.
 * @throws ApiError `not_a_member`, `conflict` for an archived household, and as `Accounts.changeOnce`
 */
@CommandHandler(ChangeMe)
export class ChangeMeHandler implements ICommandHandler<ChangeMe> {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
    private readonly profiles: Profiles,
  ) {}

  async execute({ asked: { call, body } }: ChangeMe): Promise<Answer<MeResponse>> {
    const command = keyedCommand(call, { command: 'change-me', body });
    const { record, replayed } = await this.accounts.changeOnce(call.userId, command, async current => {
      if (body.default_household_id !== undefined)
        await this.requireUsable(body.default_household_id, call.userId);
      const name = body.name ?? current.name;
      const defaultHouseholdId = body.default_household_id ?? current.defaultHouseholdId;
      const same = name === current.name && defaultHouseholdId === current.defaultHouseholdId;
      return same ? current : { ...current, name, defaultHouseholdId };
    });
    return { body: await this.profiles.me(record), replayed };
  }

  /** An archived household could not be the default: it would fall back at once. */
  private async requireUsable(householdId: string, userId: string): Promise<void> {
    const household = await this.households.require(householdId);
    requireMember(household, userId);
    if (household.archived) throw archivedHousehold();
  }
}
