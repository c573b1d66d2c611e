import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { ApiError } from '#http/api-error';
import { LinkTokenField } from '#http/fields';
import { At, Email, Id, Named, ResponseOf, Text } from '#http/response-fields';
import { UserNames } from '../accounts/accounts.js';
import { Households } from '../households/households.js';
import { looksLikeLinkSecret } from '../secrets.js';
import { INVITE_STATUSES } from '../households/household-records.js';
import { QueryOf } from '../use-case.js';

/** The answer of `GET /invites/lookup`. */
@ApiSchema({
  name: 'LookedUpInvite',
  description: 'An invite as shown to a person who may not have an account',
})
export class LookedUpInviteResponse extends ResponseOf({
  invite_id: Id('The invite, as accepting and declining name it'),
  household_name: Text('The present name of the household that it leads to', 'Maple Street'),
  inviter_name: Text('The present name of the user who invites', 'Ada'),
  email: Email('The address that is invited', 'ben@example.org'),
  expires_at: At('When it expires'),
  status: Named('InviteStatus', INVITE_STATUSES, 'The state of the invite'),
}) {}

/** The query of `GET /invites/lookup`: the token of an invite's link. */
export class LookUpInviteQuery {
  @LinkTokenField()
  token!: string;
}

export class LookUpInvite extends QueryOf<LookUpInviteQuery, LookedUpInviteResponse> {}

/** What the landing page of a link shows. @throws ApiError `invalid_link` for an unknown token */
@QueryHandler(LookUpInvite)
export class LookUpInviteHandler implements IQueryHandler<LookUpInvite> {
  constructor(
    private readonly households: Households,
    private readonly names: UserNames,
  ) {}

  async execute({ asked: { token } }: LookUpInvite): Promise<LookedUpInviteResponse> {
    const found = looksLikeLinkSecret(token) ? await this.households.findInvite('token', token) : null;
    if (found === null) throw new ApiError('invalid_link');
    const { invite, status } = found;
    const [household, names] = await Promise.all([
      this.households.find(found.householdId),
      this.names.namesOf([invite.inviterId]),
    ]);
    return {
      invite_id: invite.id,
      household_name: household?.name ?? '',
      inviter_name: names.get(invite.inviterId) ?? '',
      email: invite.email,
      expires_at: new Date(invite.endsAt).toISOString(),
      status,
    };
  }
}
