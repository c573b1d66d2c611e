import { ApiProperty } from '@nestjs/swagger';
import { ApiError } from '#http/api-error';
import { ULID_EXAMPLE } from '#http/fields';
import { timestamp } from '../timestamp.js';
import { ROLES } from './household-records.js';
import type { HouseholdRecord, Role } from './household-records.js';
import { memberOf } from './households.js';

/** A household as one of its members sees it. */
export class HouseholdAnswer {
  @ApiProperty({ type: 'string', example: ULID_EXAMPLE })
  id!: string;

  @ApiProperty({ type: 'string', example: 'Maple Street' })
  name!: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role', description: 'The caller’s own' })
  role!: Role;

  @ApiProperty({ type: 'boolean', description: 'Whether it is the caller’s personal household' })
  personal!: boolean;

  @ApiProperty({ type: 'boolean', description: 'Whether calls act on it that name none' })
  default!: boolean;

  @ApiProperty({ type: 'boolean', description: 'Archived households can be read but not written' })
  archived!: boolean;

  @ApiProperty({ type: 'integer', example: 2 })
  member_count!: number;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When the caller joined' })
  joined_at!: string;
}

/** @throws ApiError `not_a_member` */
export function householdAnswer(
  household: HouseholdRecord,
  userId: string,
  defaultHouseholdId: string,
): HouseholdAnswer {
  const member = memberOf(household, userId);
  if (member === undefined) throw new ApiError('not_a_member');
  return {
    id: household.key,
    name: household.name,
    role: member.role,
    personal: household.personalOf === userId,
    default: household.key === defaultHouseholdId,
    archived: household.archived,
    member_count: household.members.length,
    joined_at: timestamp(member.joinedAt),
  };
}
