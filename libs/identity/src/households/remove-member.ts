import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '#http/repeatable-write';
import { Households } from './households.js';
import { keyedCommand, type KeyedCall } from '../repeatable-changes.js';
import { CommandOf } from '../use-case.js';

export class RemoveMember extends CommandOf<
  { call: KeyedCall; householdId: string; memberId: string },
  Answer<undefined>
> {}

/** An owner removes a member, or a member leaves. It holds from the next request on, wherever that arrives. */
@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(private readonly households: Households) {}

  async execute({ asked: { call, householdId, memberId } }: RemoveMember): Promise<Answer<undefined>> {
    const command = keyedCommand(call, { command: 'remove-member', memberId });
    const { replayed } = await this.households.change(householdId, command, draft => {
      draft.memberOrRefuse(call.userId);
      if (call.userId !== memberId) draft.requireOwner(call.userId);
      draft.removeMember(memberId, call.userId);
    });
    return { body: undefined, replayed };
  }
}
