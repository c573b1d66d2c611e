import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#http/api-error';
import { EnumField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import { Accounts } from '../accounts/accounts.js';
import { keyedCommand, type KeyedCall } from '../repeatable-changes.js';
import { ROLES, type Role } from './household-records.js';
import { Households, memberOf } from './households.js';
import { memberResponse, type MemberResponse } from './list-members.js';
import { CommandOf } from '../use-case.js';

/** The body of `PATCH /households/{householdId}/members/{userId}`. */
export class ChangeMemberBody {
  @EnumField(ROLES, { description: 'The new role' })
  role!: Role;
}

export class ChangeMember extends CommandOf<
  { call: KeyedCall; householdId: string; memberId: string; body: ChangeMemberBody },
  Answer<MemberResponse>
> {}

/** Changes the role of a member; only an owner may. */
@CommandHandler(ChangeMember)
export class ChangeMemberHandler implements ICommandHandler<ChangeMember> {
  constructor(
    private readonly households: Households,
    private readonly accounts: Accounts,
  ) {}

  async execute({ asked }: ChangeMember): Promise<Answer<MemberResponse>> {
    const { call, householdId, memberId, body } = asked;
    const command = keyedCommand(call, { command: 'change-member', memberId, body });
    const { record, replayed } = await this.households.change(householdId, command, draft => {
      draft.requireOwner(call.userId);
      draft.changeRole(memberId, body.role, call.userId);
    });
    const member = memberOf(record, memberId);
    const account = await this.accounts.find(memberId);
    if (member === undefined || account === null) throw notFound('member');
    return { body: memberResponse(member, account), replayed };
  }
}
