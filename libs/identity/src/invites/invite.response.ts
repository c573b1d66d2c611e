import { ApiProperty } from '@nestjs/swagger';
import { ULID_EXAMPLE } from '#http/fields';
import type { InviteStatus } from '../households/household-records.js';

export const INVITE_STATUSES = ['pending', 'accepted', 'declined', 'revoked', 'replaced', 'expired'] as const;

export class InviteAnswer {
  @ApiProperty({ type: 'string', example: ULID_EXAMPLE })
  id!: string;

  @ApiProperty({ type: 'string', example: ULID_EXAMPLE })
  household_id!: string;

  @ApiProperty({ type: 'string', example: 'Maple Street' })
  household_name!: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'ben@example.org' })
  email!: string;

  @ApiProperty({ type: 'string', example: ULID_EXAMPLE })
  inviter_id!: string;

  @ApiProperty({ type: 'string', example: 'Ada' })
  inviter_name!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at!: string;

  @ApiProperty({ enum: INVITE_STATUSES, enumName: 'InviteStatus' })
  status!: InviteStatus;

  @ApiProperty({ type: 'string', description: 'The secret of the link' })
  token!: string;

  @ApiProperty({ type: 'string', description: 'Where the link leads, below `APP_URL`' })
  path!: string;

  @ApiProperty({ type: [String], description: 'Who is in the household', example: ['Ada'] })
  member_names!: string[];
}

export class InvitesAnswer {
  @ApiProperty({ type: [InviteAnswer] })
  invites!: InviteAnswer[];
}
