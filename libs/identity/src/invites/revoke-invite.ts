import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#http/api-error';
import type { Answer } from '#http/repeatable-write';
import { Households } from '../households/households.js';
import { keyedCommand, type KeyedCall } from '../repeatable-changes.js';
import { CommandOf } from '../use-case.js';

export class RevokeInvite extends CommandOf<
  { call: KeyedCall; householdId: string; inviteId: string },
  Answer<undefined>
> {}

/** Revokes a pending invite of the household; any member may. */
@CommandHandler(RevokeInvite)
export class RevokeInviteHandler implements ICommandHandler<RevokeInvite> {
  constructor(private readonly households: Households) {}

  async execute({ asked: { call, householdId, inviteId } }: RevokeInvite): Promise<Answer<undefined>> {
    const found = await this.households.findInvite('id', inviteId);
    if (found?.householdId !== householdId) throw notFound('invite');
    const command = keyedCommand(call, { command: 'revoke-invite', inviteId });
    const { replayed } = await this.households.change(householdId, command, draft => {
      draft.memberOrRefuse(call.userId);
      draft.revokeInvite(inviteId, call.userId);
    });
    return { body: undefined, replayed };
  }
}
