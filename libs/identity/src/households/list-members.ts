import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { Accounts } from '../accounts/accounts.js';
import { Households } from './households.js';
import { memberResponse, type MemberListResponse } from './member.response.js';

export class ListMembers extends Query<MemberListResponse> {
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

  async execute({ householdId }: ListMembers): Promise<MemberListResponse> {
    const household = await this.households.find(householdId);
    if (household === null) throw new ApiError('not_a_member');
    const accounts = await this.accounts.findAll(household.memberIds);
    return {
      members: household.members.flatMap(member => {
        const account = accounts.get(member.userId);
        return account === undefined ? [] : [memberResponse(member, account)];
      }),
    };
  }
}
