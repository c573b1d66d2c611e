import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { Documents } from '#storage/documents/documents';
import { At, Email, Id, ListOf, Named, ResponseOf, Text } from '#http/response-fields';
import { ACCOUNTS, type Account } from '../accounts/account-records.js';
import { Households } from './households.js';
import { ROLES, type Member } from './household-records.js';
import { QueryOf } from '../use-case.js';

/** A member in the list of members, and the answer of changing one's role. */
@ApiSchema({ name: 'Member', description: 'A user who is in a household' })
export class MemberResponse extends ResponseOf({
  user_id: Id('The user'),
  name: Text('The user’s present name', 'Ada'),
  email: Email('The user’s address'),
  role: Named('Role', ROLES, 'The user’s role in the household'),
  joined_at: At('When the user joined'),
}) {}

/** The answer of `GET /households/{householdId}/members`: all of them. */
@ApiSchema({ name: 'MemberList' })
export class MemberListResponse extends ResponseOf({
  members: ListOf(MemberResponse, 'In the order in which they joined'),
}) {}

export function memberResponse({ userId, role, joinedAt }: Member, account: Account): MemberResponse {
  return {
    user_id: userId,
    name: account.name,
    email: account.email,
    role,
    joined_at: new Date(joinedAt).toISOString(),
  };
}

export class ListMembers extends QueryOf<{ householdId: string }, MemberListResponse> {}

/** The members of a household in the order in which they joined. */
@QueryHandler(ListMembers)
export class ListMembersHandler implements IQueryHandler<ListMembers> {
  constructor(
    private readonly households: Households,
    private readonly documents: Documents,
  ) {}

  async execute({ asked: { householdId } }: ListMembers): Promise<MemberListResponse> {
    const household = await this.households.require(householdId);
    const accounts = await this.documents.getMany(ACCOUNTS, household.memberIds);
    const members = household.members.flatMap(member =>
      accounts.filter(({ key }) => key === member.userId).map(account => memberResponse(member, account)),
    );
    return { members };
  }
}
