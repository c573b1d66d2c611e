import { ApiSchema } from '@nestjs/swagger';
import { At, Currency, Flag, Id, ListOf, Named, ResponseOf, Text, Whole } from '#http/response-fields';
import { ROLES, type HouseholdRecord } from './household-records.js';
import { requireMember } from './households.js';

/** A household in every answer that shows one: role, `personal` and `default` are the caller's. */
@ApiSchema({ name: 'Household', description: 'A household of the caller' })
export class HouseholdResponse extends ResponseOf({
  id: Id('The household'),
  name: Text('Its name', 'Maple Street'),
  currency: Currency(
    'What its amounts are in, by the code of ISO 4217: the minor unit is that of this currency',
  ),
  role: Named('Role', ROLES, 'The role of a member in a household'),
  personal: Flag('Whether it is the caller’s personal household', false),
  default: Flag('Whether it is used for calls that do not name a household', true),
  archived: Flag('Archived households can be read but not written', false),
  member_count: Whole('How many members it has', 2),
  joined_at: At('When the caller joined'),
}) {}

/** The answer of `GET /households`: all of the caller's, archived ones too. */
@ApiSchema({ name: 'HouseholdList' })
export class HouseholdListResponse extends ResponseOf({
  households: ListOf(HouseholdResponse, 'The personal one first, then in the order of joining'),
}) {}

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
    joined_at: new Date(member.joinedAt).toISOString(),
  };
}
