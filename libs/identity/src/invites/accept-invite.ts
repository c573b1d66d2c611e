import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import { Profiles } from '../accounts/profiles.js';
import type { HouseholdResponse } from '../households/household.response.js';
import { Households, HOUSEHOLDS_PER_USER_MAX, tooManyHouseholds } from '../households/households.js';
import { keyedCommand } from '../repeatable-changes.js';
import { AddressedInvites } from './addressed-invites.js';

export class AcceptInvite extends Command<Answer<HouseholdResponse>> {
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
    private readonly addressed: AddressedInvites,
    private readonly households: Households,
    private readonly profiles: Profiles,
  ) {}

  async execute({ userId, inviteId, key }: AcceptInvite): Promise<Answer<HouseholdResponse>> {
    const householdId = await this.addressed.householdIdFor(userId, inviteId);
    const own = await this.households.ofMember(userId);
    const command = keyedCommand(userId, key, { command: 'accept-invite', inviteId });
    const { record, replayed } = await this.households.change(householdId, command, draft => {
      if (own.length >= HOUSEHOLDS_PER_USER_MAX) throw tooManyHouseholds();
      draft.acceptInvite(inviteId, userId);
    });
    return { body: await this.profiles.household(record, userId), replayed };
  }
}
