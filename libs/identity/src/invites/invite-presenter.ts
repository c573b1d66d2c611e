import { Injectable } from '@nestjs/common';
import { UserNames } from '../accounts/accounts.js';
import type { HouseholdRecord, InviteStatus, PendingInvite } from '../households/household-records.js';
import { timestamp } from '#concurrency/clock';
import type { InviteResponse } from './invite.response.js';

/** An invite with its household, and how it stands. */
interface HouseholdInvite {
  readonly household: HouseholdRecord;
  readonly invite: PendingInvite & { readonly status?: InviteStatus };
}

/** Invites as the API shows them, with the names that people have now. */
@Injectable()
export class InvitePresenter {
  constructor(private readonly names: UserNames) {}

  /** In the order given. */
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
