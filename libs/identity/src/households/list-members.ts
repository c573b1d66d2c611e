import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { ApiError } from '#http/api-error';
import { Accounts } from '../accounts/accounts.js';
import { Households } from './households.js';
import { MemberAnswer, memberAnswer } from './member-answer.js';

export class MembersAnswer {
  @ApiProperty({ type: [MemberAnswer] })
  members!: MemberAnswer[];
}

export class ListMembers extends Query<MembersAnswer> {
  constructor(readonly householdId: string) {
    super();
  }
}

/** The members of a household in the order in which they joined. */
@QueryHandler(ListMembers)
export class ListMembersHandler implements IQueryHandler<ListMembers> {
  constructor(
    private readonly households: Households,
    private readonly accounts: Accounts,
  ) {}

  async execute({ householdId }: ListMembers): Promise<MembersAnswer> {
    const household = await this.households.find(householdId);
    if (household === null) throw new ApiError('not_a_member');
    const accounts = await this.accounts.findAll(household.memberIds);
    return {
      members: household.members.flatMap(member => {
        const account = accounts.get(member.userId);
        return account === undefined ? [] : [memberAnswer(member, account)];
      }),
    };
  }
}
