import { ApiSchema } from '@nestjs/swagger';
import { Injectable } from '@nestjs/common';
import { At, Email, Id, ListOf, Named, ResponseOf, Text, TextList } from '#http/response-fields';
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
export class InviteResponse extends ResponseOf({
  id: Id('The invite'),
  household_id: Id('The household that it leads to'),
  household_name: Text('That household’s present name', 'Maple Street'),
  email: Email('The address that is invited', 'ben@example.org'),
  inviter_id: Id('The user who invites'),
  inviter_name: Text('That user’s present name', 'Ada'),
  created_at: At('When it was sent'),
  expires_at: At('When it expires'),
  status: Named('InviteStatus', INVITE_STATUSES, 'The state of the invite'),
  token: Text('The secret of the link', 'xYz…'),
  path: Text('Where the link leads, below `APP_URL`', '/invites/xYz…'),
  member_names: TextList('The present names of the household’s members', ['Ada']),
}) {}

/** The answer of `GET /invites`, and of `GET /households/{householdId}/invites`: pending ones only. */
@ApiSchema({ name: 'InviteList' })
export class InviteListResponse extends ResponseOf({
  invites: ListOf(InviteResponse, 'Oldest first'),
}) {}

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
      created_at: new Date(invite.createdAt).toISOString(),
      expires_at: new Date(invite.endsAt).toISOString(),
      status: invite.status ?? 'pending',
      token: invite.token,
      path: `/invites/${invite.token}`,
      member_names: household.memberIds.flatMap(userId => names.get(userId) ?? []),
    }));
  }
}
