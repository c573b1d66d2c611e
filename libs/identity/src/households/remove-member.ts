import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Households } from './households.js';

export class RemoveMember extends Command<void> {
  constructor(
    readonly callerId: string,
    readonly householdId: string,
    readonly memberId: string,
  ) {
    super();
  }
}

/** An owner removes a member, or a member leaves. It holds from the next request on, wherever that arrives. */
@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(private readonly households: Households) {}

  async execute({ callerId, householdId, memberId }: RemoveMember): Promise<void> {
    await this.households.change(householdId, draft => {
      draft.memberOrRefuse(callerId);
      if (callerId !== memberId) draft.requireOwner(callerId);
      draft.removeMember(memberId, callerId);
    });
  }
}
