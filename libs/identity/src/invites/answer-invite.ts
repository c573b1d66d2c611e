import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { ApiError, notFound } from '#http/api-error';
import { Accounts } from '../accounts/account-records.js';
import type { Account } from '../accounts/account-records.js';
import { Profiles } from '../accounts/me.js';
import type { HouseholdAnswer } from '../households/household-answer.js';
import {
  householdOf,
  Households,
  HOUSEHOLDS_PER_USER_MAX,
  tooManyHouseholds,
} from '../households/households.js';

/** Finds the invite that somebody answers. */
@Injectable()
export class InviteAnswering {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
  ) {}

  /**
   * The invited and the household. An invite for somebody else's address is as good as none.
   * @throws ApiError `not_found`
   */
  async addressed(
    userId: string,
    inviteId: string,
  ): Promise<{ readonly account: Account; readonly householdId: string }> {
    const [account, found] = await Promise.all([
      this.accounts.find(userId),
      this.households.findInvite({ id: inviteId }),
    ]);
    if (account === null) throw new ApiError('unauthenticated');
    if (found?.invite.emailFolded !== account.emailFolded) throw notFound('invite');
    return { account, householdId: householdOf(found) };
  }
}

export class AcceptInvite extends Command<HouseholdAnswer> {
  constructor(
    readonly userId: string,
    readonly inviteId: string,
  ) {
    super();
  }
}

/** Joins the household that the caller was invited to. Of several at once one joins: it is one conditional update. */
@CommandHandler(AcceptInvite)
export class AcceptInviteHandler implements ICommandHandler<AcceptInvite> {
  constructor(
    private readonly answering: InviteAnswering,
    private readonly households: Households,
    private readonly profiles: Profiles,
  ) {}

  async execute({ userId, inviteId }: AcceptInvite): Promise<HouseholdAnswer> {
    const { householdId } = await this.answering.addressed(userId, inviteId);
    const own = await this.households.ofMember(userId);
    if (own.length >= HOUSEHOLDS_PER_USER_MAX) throw tooManyHouseholds();
    const household = await this.households.change(householdId, draft =>
      draft.acceptInvite(inviteId, userId),
    );
    return this.profiles.household(household, userId);
  }
}

export class DeclineInvite extends Command<void> {
  constructor(
    readonly userId: string,
    readonly inviteId: string,
  ) {
    super();
  }
}

/** Says no to an invite. */
@CommandHandler(DeclineInvite)
export class DeclineInviteHandler implements ICommandHandler<DeclineInvite> {
  constructor(
    private readonly answering: InviteAnswering,
    private readonly households: Households,
  ) {}

  async execute({ userId, inviteId }: DeclineInvite): Promise<void> {
    const { householdId } = await this.answering.addressed(userId, inviteId);
    await this.households.change(householdId, draft => draft.declineInvite(inviteId, userId));
  }
}
