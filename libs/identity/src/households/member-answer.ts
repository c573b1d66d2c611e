import { ApiProperty } from '@nestjs/swagger';
import { ULID_EXAMPLE } from '#http/fields';
import type { Account } from '../accounts/account-records.js';
import { timestamp } from '../timestamp.js';
import { ROLES } from './household-records.js';
import type { Member, Role } from './household-records.js';

export class MemberAnswer {
  @ApiProperty({ type: 'string', example: ULID_EXAMPLE })
  user_id!: string;

  @ApiProperty({ type: 'string', example: 'Ada' })
  name!: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'ada@example.org' })
  email!: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role' })
  role!: Role;

  @ApiProperty({ type: 'string', format: 'date-time' })
  joined_at!: string;
}

export function memberAnswer({ userId, role, joinedAt }: Member, account: Account): MemberAnswer {
  return {
    user_id: userId,
    name: account.name,
    email: account.email,
    role,
    joined_at: timestamp(joinedAt),
  };
}
