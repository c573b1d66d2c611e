import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Injectable } from '@nestjs/common';
import { timestamp } from '#concurrency/clock';
import { At, Email, Id, Text } from '#http/response-fields';
import { notFound } from '#http/api-error';
import {
  INVITE_STATUSES,
  type HouseholdRecord,
  type InviteStatus,
  type PendingInvite,
} from '../households/household-records.js';
import { Accounts, UserNames } from '../accounts/accounts.js';
import { Households } from '../households/households.js';

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

/** An invite with its household and its state. */
interface HouseholdInvite {
  readonly household: HouseholdRecord;
  readonly invite: PendingInvite & { readonly status?: InviteStatus };
}

/** Invites for the people who see and answer them. */
@Injectable()
export class Invites {
  constructor(
    private readonly accounts: Accounts,
    private readonly names: UserNames,
    private readonly households: Households,
  ) {}

  /**
   * The id of the household that a user is invited to. An invite for another address counts as unknown.
   * @throws ApiError `not_found`
   */
  async householdIdFor(userId: string, inviteId: string): Promise<string> {
    const [account, found] = await Promise.all([
      this.accounts.require(userId),
      this.households.findInvite('id', inviteId),
    ]);
    if (found === null || !(await this.accounts.hasEmail(account, found.invite.email))) {
      throw notFound('invite');
    }
    return found.householdId;
  }

  /** Invites as the API shows them, with present names, in the order given. */
  async present(pending: readonly HouseholdInvite[]): Promise<InviteResponse[]> {
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
