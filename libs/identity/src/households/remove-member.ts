import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import { Households } from './households.js';
import { keyedCommand } from '../repeatable-changes.js';

export class RemoveMember extends Command<Answer<undefined>> {
  constructor(
    readonly callerId: string,
    readonly householdId: string,
    readonly memberId: string,
    readonly key?: string,
  ) {
    super();
  }
}

/** An owner removes a member, or a member leaves. It holds from the next request on, wherever that arrives. */
@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(private readonly households: Households) {}

  async execute({ callerId, householdId, memberId, key }: RemoveMember): Promise<Answer<undefined>> {
    const command = keyedCommand(callerId, key, { command: 'remove-member', memberId });
    const { replayed } = await this.households.change(householdId, command, draft => {
      draft.memberOrRefuse(callerId);
      if (callerId !== memberId) draft.requireOwner(callerId);
      draft.removeMember(memberId, callerId);
    });
    return { body: undefined, replayed };
  }
}
