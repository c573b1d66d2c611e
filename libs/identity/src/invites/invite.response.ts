import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { At, Email, Id, Text } from '#http/response-fields';
import type { InviteStatus } from '../households/household-records.js';

export const INVITE_STATUSES = ['pending', 'accepted', 'declined', 'revoked', 'replaced', 'expired'] as const;

/** An invite in every answer that shows one whole, its link included. */
@ApiSchema({ name: 'Invite' })
export class InviteResponse {
  @Id('The invite')
  readonly id!: string;

  @Id('The household that it leads to')
  readonly household_id!: string;

  @Text('That household’s present name', 'Maple Street')
  readonly household_name!: string;

  @Email('The address that is invited', 'ben@example.org')
  readonly email!: string;

  @Id('The user who invites')
  readonly inviter_id!: string;

  @Text('That user’s present name', 'Ada')
  readonly inviter_name!: string;

  @At('When it was sent')
  readonly created_at!: string;

  @At('When it expires')
  readonly expires_at!: string;

  @ApiProperty({ enum: INVITE_STATUSES, enumName: 'InviteStatus', description: 'The state of the invite' })
  readonly status!: InviteStatus;

  @Text('The secret of the link', 'xYz…')
  readonly token!: string;

  @Text('Where the link leads, below `APP_URL`', '/invites/xYz…')
  readonly path!: string;

  @ApiProperty({
    type: [String],
    description: 'The present names of the household’s members',
    example: ['Ada'],
  })
  readonly member_names!: readonly string[];
}

/** The answer of `GET /invites`, and of `GET /households/{householdId}/invites`: pending ones only. */
@ApiSchema({ name: 'InviteList' })
export class InviteListResponse {
  @ApiProperty({ type: [InviteResponse], description: 'Oldest first' })
  readonly invites!: readonly InviteResponse[];
}
