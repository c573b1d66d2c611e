import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { ApiError, notFound } from '#http/api-error';
import type { Answer } from '#http/repeatable-write';
import { Accounts } from '../accounts/accounts.js';
import type { Account } from '../accounts/account-records.js';
import { Profiles } from '../accounts/me.js';
import type { HouseholdAnswer } from '../households/household-answer.js';
import {
  householdIdOfInvite,
  Households,
  HOUSEHOLDS_PER_USER_MAX,
  tooManyHouseholds,
} from '../households/households.js';
import { keyedCommand } from '../repeatable-changes.js';

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
    return { account, householdId: householdIdOfInvite(found) };
  }
}

export class AcceptInvite extends Command<Answer<HouseholdAnswer>> {
  constructor(
    readonly userId: string,
    readonly inviteId: string,
    readonly key?: string,
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

  async execute({ userId, inviteId, key }: AcceptInvite): Promise<Answer<HouseholdAnswer>> {
    const { householdId } = await this.answering.addressed(userId, inviteId);
    const own = await this.households.ofMember(userId);
    const command = keyedCommand(userId, key, { command: 'accept-invite', inviteId });
    const { record, replayed } = await this.households.change(householdId, command, draft => {
      if (own.length >= HOUSEHOLDS_PER_USER_MAX) throw tooManyHouseholds();
      draft.acceptInvite(inviteId, userId);
    });
    return { body: await this.profiles.household(record, userId), replayed };
  }
}

export class DeclineInvite extends Command<Answer<undefined>> {
  constructor(
    readonly userId: string,
    readonly inviteId: string,
    readonly key?: string,
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

  async execute({ userId, inviteId, key }: DeclineInvite): Promise<Answer<undefined>> {
    const { householdId } = await this.answering.addressed(userId, inviteId);
    const command = keyedCommand(userId, key, { command: 'decline-invite', inviteId });
    const { replayed } = await this.households.change(householdId, command, draft =>
      draft.declineInvite(inviteId, userId),
    );
    return { body: undefined, replayed };
  }
}
