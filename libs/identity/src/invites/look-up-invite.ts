import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { LinkTokenField } from '#http/fields';
import { UserNames } from '../accounts/accounts.js';
import { householdIdOfInvite, Households } from '../households/households.js';
import { looksLikeLinkSecret } from '../link-secrets.js';
import { timestamp } from '#concurrency/clock';
import type { LookedUpInviteResponse } from './looked-up-invite.response.js';

/** The query of `GET /invites/lookup`: the token of an invite's link. */
export class LookUpInviteQuery {
  @LinkTokenField()
  token!: string;
}

export class LookUpInvite extends Query<LookedUpInviteResponse> {
  constructor(readonly token: string) {
    super();
  }
}

/** What a link's landing page shows. @throws ApiError `invalid_link` for a token that belongs to no invite */
@QueryHandler(LookUpInvite)
export class LookUpInviteHandler implements IQueryHandler<LookUpInvite> {
  constructor(
    private readonly households: Households,
    private readonly names: UserNames,
  ) {}

  async execute({ token }: LookUpInvite): Promise<LookedUpInviteResponse> {
    const found = looksLikeLinkSecret(token) ? await this.households.findInvite({ token }) : null;
    if (found === null) throw new ApiError('invalid_link');
    const { invite, status } = found;
    const [household, names] = await Promise.all([
      this.households.find(householdIdOfInvite(found)),
      this.names.namesOf([invite.inviterId]),
    ]);
    return {
      invite_id: invite.id,
      household_name: household?.name ?? '',
      inviter_name: names.get(invite.inviterId) ?? '',
      email: invite.email,
      expires_at: timestamp(invite.endsAt),
      status,
    };
  }
}
