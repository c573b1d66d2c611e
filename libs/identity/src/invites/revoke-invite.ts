import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#http/api-error';
import { Households, householdOf } from '../households/households.js';

export class RevokeInvite extends Command<void> {
  constructor(
    readonly callerId: string,
    readonly householdId: string,
    readonly inviteId: string,
  ) {
    super();
  }
}

/** Any member takes back a pending invite of the household. */
@CommandHandler(RevokeInvite)
export class RevokeInviteHandler implements ICommandHandler<RevokeInvite> {
  constructor(private readonly households: Households) {}

  async execute({ callerId, householdId, inviteId }: RevokeInvite): Promise<void> {
    const found = await this.households.findInvite({ id: inviteId });
    if (found === null || householdOf(found) !== householdId) throw notFound('invite');
    await this.households.change(householdId, draft => {
      draft.memberOrRefuse(callerId);
      draft.revokeInvite(inviteId, callerId);
    });
  }
}
