import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import { Accounts } from '../accounts/accounts.js';
import type { Account } from '../accounts/account-records.js';
import { Profiles } from '../accounts/profiles.js';
import { BudgetHistories } from '../surroundings.js';
import type { HouseholdResponse } from '../households/household.response.js';
import { Households, requireRoomBeside } from '../households/households.js';
import { keyedCommand, RepeatableChanges, type KeyedCall } from '../repeatable-changes.js';
import { Invites } from './invites.js';
import { CommandOf } from '../use-case.js';

export class AcceptInvite extends CommandOf<
  { call: KeyedCall; inviteId: string },
  Answer<HouseholdResponse>
> {}

/** Joins the household of an invite, which becomes the default if the former one is personal and was never used. */
@CommandHandler(AcceptInvite)
export class AcceptInviteHandler implements ICommandHandler<AcceptInvite> {
  constructor(
    private readonly invites: Invites,
    private readonly households: Households,
    private readonly accounts: Accounts,
    private readonly histories: BudgetHistories,
    private readonly profiles: Profiles,
    private readonly changes: RepeatableChanges,
  ) {}

  async execute({ asked: { call, inviteId } }: AcceptInvite): Promise<Answer<HouseholdResponse>> {
    const householdId = await this.invites.householdIdFor(call.userId, inviteId);
    const [own, account] = await Promise.all([
      this.households.ofMember(call.userId),
      this.accounts.require(call.userId),
    ]);
    const isDefaultUnused = await this.isDefaultUnused(account);
    const command = keyedCommand(call, { command: 'accept-invite', inviteId });
    const { record, applied, replayed } = await this.households.change(householdId, command, draft => {
      requireRoomBeside(own);
      draft.acceptInvite(inviteId, call.userId);
      return { made: inviteId };
    });
    await this.changes.finish(householdId, applied, async () => {
      if (isDefaultUnused) await this.makeDefault(householdId, account);
    });
    return { body: await this.profiles.household(record, call.userId), replayed };
  }

  private async isDefaultUnused(account: Account): Promise<boolean> {
    const { key, personalOf } = await this.households.defaultOf(account);
    return personalOf !== null && !(await this.histories.hasEvents(key));
  }

  /** Unless the user has chosen another one meanwhile. */
  private async makeDefault(householdId: string, { key, defaultHouseholdId }: Account): Promise<void> {
    await this.accounts.change(key, current =>
      current.defaultHouseholdId === defaultHouseholdId
        ? { ...current, defaultHouseholdId: householdId }
        : current,
    );
  }
}
