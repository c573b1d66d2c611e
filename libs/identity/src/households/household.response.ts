import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { timestamp } from '#concurrency/clock';
import { At, Currency, Flag, Id, Text } from '#http/response-fields';
import { ROLES, type HouseholdRecord, type Role } from './household-records.js';
import { requireMember } from './households.js';

/** A household in every answer that shows one: role, `personal` and `default` are the caller's. */
@ApiSchema({ name: 'Household', description: 'A household of the caller' })
export class HouseholdResponse {
  @Id('The household')
  readonly id!: string;

  @Text('Its name', 'Maple Street')
  readonly name!: string;

  @Currency('What its amounts are in, by the code of ISO 4217: the minor unit is that of this currency')
  readonly currency!: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role', description: 'The role of a member in a household' })
  readonly role!: Role;

  @Flag('Whether it is the caller’s personal household', false)
  readonly personal!: boolean;

  @Flag('Whether it is used for calls that do not name a household', true)
  readonly default!: boolean;

  @Flag('Archived households can be read but not written', false)
  readonly archived!: boolean;

  @ApiProperty({ type: 'integer', description: 'How many members it has', example: 2 })
  readonly member_count!: number;

  @At('When the caller joined')
  readonly joined_at!: string;
}

/** The answer of `GET /households`: all of the caller's, archived ones too. */
@ApiSchema({ name: 'HouseholdList' })
export class HouseholdListResponse {
  @ApiProperty({
    type: [HouseholdResponse],
    description: 'The personal one first, then in the order of joining',
  })
  readonly households!: readonly HouseholdResponse[];
}

/** @throws ApiError `not_a_member` */
export function householdResponse(
  household: HouseholdRecord,
  userId: string,
  defaultHouseholdId: string,
): HouseholdResponse {
  const member = requireMember(household, userId);
  return {
    id: household.key,
    name: household.name,
    currency: household.currency,
    role: member.role,
    personal: household.personalOf === userId,
    default: household.key === defaultHouseholdId,
    archived: household.archived,
    member_count: household.members.length,
    joined_at: timestamp(member.joinedAt),
  };
}
