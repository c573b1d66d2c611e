import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import { Households } from '../households/households.js';
import { keyedCommand } from '../repeatable-changes.js';
import { Invites } from './invites.js';

export class DeclineInvite extends Command<Answer<undefined>> {
  constructor(
    readonly userId: string,
    readonly inviteId: string,
    readonly key?: string,
  ) {
    super();
  }
}

/** Declines an invite. */
@CommandHandler(DeclineInvite)
export class DeclineInviteHandler implements ICommandHandler<DeclineInvite> {
  constructor(
    private readonly invites: Invites,
    private readonly households: Households,
  ) {}

  async execute({ userId, inviteId, key }: DeclineInvite): Promise<Answer<undefined>> {
    const householdId = await this.invites.householdIdFor(userId, inviteId);
    const command = keyedCommand(userId, key, { command: 'decline-invite', inviteId });
    const { replayed } = await this.households.change(householdId, command, draft =>
      draft.declineInvite(inviteId, userId),
    );
    return { body: undefined, replayed };
  }
}
