import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { timestamp } from '#concurrency/clock';
import { Documents } from '#storage/documents/documents';
import { At, Email, Id, Text } from '#http/response-fields';
import { ACCOUNTS, type Account } from '../accounts/account-records.js';
import { Households } from './households.js';
import { ROLES, type Member, type Role } from './household-records.js';
import { QueryOf } from '../use-case.js';

/** A member in the list of members, and the answer of changing one's role. */
@ApiSchema({ name: 'Member', description: 'A user who is in a household' })
export class MemberResponse {
  @Id('The user')
  readonly user_id!: string;

  @Text('The user’s present name', 'Ada')
  readonly name!: string;

  @Email('The user’s address')
  readonly email!: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role', description: 'The user’s role in the household' })
  readonly role!: Role;

  @At('When the user joined')
  readonly joined_at!: string;
}

/** The answer of `GET /households/{householdId}/members`: all of them. */
@ApiSchema({ name: 'MemberList' })
export class MemberListResponse {
  @ApiProperty({ type: [MemberResponse], description: 'In the order in which they joined' })
  readonly members!: readonly MemberResponse[];
}

export function memberResponse({ userId, role, joinedAt }: Member, account: Account): MemberResponse {
  return {
    user_id: userId,
    name: account.name,
    email: account.email,
    role,
    joined_at: timestamp(joinedAt),
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
