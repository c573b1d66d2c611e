import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ULID_EXAMPLE } from '#http/fields';
import { UserNames } from '../accounts/accounts.js';
import type { HouseholdRecord, InviteStatus, PendingInvite } from '../households/household-records.js';
import { timestamp } from '../timestamp.js';

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

/** An invite with its household, and how it stands. */
export interface HouseholdInvite {
  readonly household: HouseholdRecord;
  readonly invite: PendingInvite & { readonly status?: InviteStatus };
}

/** Invites as the API shows them, with the names that people have now. */
@Injectable()
export class InvitePresenter {
  constructor(private readonly names: UserNames) {}

  /** In the order given. */
  async present(pending: readonly HouseholdInvite[]): Promise<InviteAnswer[]> {
    const names = await this.names.namesOf(
      pending.flatMap(({ household, invite }) => [invite.inviterId, ...household.memberIds]),
    );
    return pending.map(({ household, invite }) => ({
      id: invite.id,
      household_id: household.key,
      household_name: household.name,
      email: invite.email,
      inviter_id: invite.inviterId,
      inviter_name: names.get(invite.inviterId) ?? '',
      created_at: timestamp(invite.createdAt),
      expires_at: timestamp(invite.endsAt),
      status: invite.status ?? 'pending',
      token: invite.token,
      path: `/invites/${invite.token}`,
      member_names: household.memberIds.flatMap(userId => names.get(userId) ?? []),
    }));
  }
}
