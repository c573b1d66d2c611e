import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#http/api-error';
import { EnumField } from '#http/fields';
import { Accounts } from '../accounts/account-records.js';
import { ROLES } from './household-records.js';
import type { Role } from './household-records.js';
import { Households, membershipIn } from './households.js';
import { memberAnswer } from './member-answer.js';
import type { MemberAnswer } from './member-answer.js';

export class ChangeMemberBody {
  @EnumField(ROLES)
  role!: Role;
}

export class ChangeMember extends Command<MemberAnswer> {
  constructor(
    readonly callerId: string,
    readonly householdId: string,
    readonly memberId: string,
    readonly body: ChangeMemberBody,
  ) {
    super();
  }
}

/** Makes a member an owner, or an owner a member; an owner's business. */
@CommandHandler(ChangeMember)
export class ChangeMemberHandler implements ICommandHandler<ChangeMember> {
  constructor(
    private readonly households: Households,
    private readonly accounts: Accounts,
  ) {}

  async execute({ callerId, householdId, memberId, body }: ChangeMember): Promise<MemberAnswer> {
    const household = await this.households.change(householdId, draft => {
      draft.requireOwner(callerId);
      draft.changeRole(memberId, body.role, callerId);
    });
    const member = membershipIn(household, memberId);
    const account = await this.accounts.find(memberId);
    if (member === undefined || account === null) throw notFound('member');
    return memberAnswer(member, account);
  }
}
