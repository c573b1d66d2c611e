import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#http/api-error';
import type { Answer } from '#http/repeatable-write';
import { Households } from '../households/households.js';
import { keyedCommand } from '../repeatable-changes.js';

export class RevokeInvite extends Command<Answer<undefined>> {
  constructor(
    readonly callerId: string,
    readonly householdId: string,
    readonly inviteId: string,
    readonly key?: string,
  ) {
    super();
  }
}

/** Revokes a pending invite of the household; any member may. */
@CommandHandler(RevokeInvite)
export class RevokeInviteHandler implements ICommandHandler<RevokeInvite> {
  constructor(private readonly households: Households) {}

  async execute({ callerId, householdId, inviteId, key }: RevokeInvite): Promise<Answer<undefined>> {
    const found = await this.households.findInvite('id', inviteId);
    if (found?.householdId !== householdId) throw notFound('invite');
    const command = keyedCommand(callerId, key, { command: 'revoke-invite', inviteId });
    const { replayed } = await this.households.change(householdId, command, draft => {
      draft.memberOrRefuse(callerId);
      draft.revokeInvite(inviteId, callerId);
    });
    return { body: undefined, replayed };
  }
}
