import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import { Households } from '../households/households.js';
import { keyedCommand, type KeyedCall } from '../repeatable-changes.js';
import { Invites } from './invites.js';
import { CommandOf } from '../use-case.js';

export class DeclineInvite extends CommandOf<{ call: KeyedCall; inviteId: string }, Answer<undefined>> {}

/** Declines an invite. */
@CommandHandler(DeclineInvite)
export class DeclineInviteHandler implements ICommandHandler<DeclineInvite> {
  constructor(
    private readonly invites: Invites,
    private readonly households: Households,
  ) {}

  async execute({ asked: { call, inviteId } }: DeclineInvite): Promise<Answer<undefined>> {
    const householdId = await this.invites.householdIdFor(call.userId, inviteId);
    const command = keyedCommand(call, { command: 'decline-invite', inviteId });
    const { replayed } = await this.households.change(householdId, command, draft =>
      draft.declineInvite(inviteId, call.userId),
    );
    return { body: undefined, replayed };
  }
}
