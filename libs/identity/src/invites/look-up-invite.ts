import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { ApiError } from '#http/api-error';
import { LinkTokenField } from '#http/fields';
import { UserNames } from '../accounts/accounts.js';
import type { InviteStatus } from '../households/household-records.js';
import { householdIdOfInvite, Households } from '../households/households.js';
import { looksLikeLinkSecret } from '../link-secrets.js';
import { timestamp } from '../timestamp.js';
import { INVITE_STATUSES } from './invite.response.js';

export class LookUpInviteQuery {
  @LinkTokenField()
  token!: string;
}

/** What a link's landing page shows to somebody who may have no account. */
export class LookedUpInviteAnswer {
  @ApiProperty({ type: 'string', example: 'Maple Street' })
  household_name!: string;

  @ApiProperty({ type: 'string', example: 'Ada' })
  inviter_name!: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'ben@example.org' })
  email!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at!: string;

  @ApiProperty({ enum: INVITE_STATUSES, enumName: 'InviteStatus' })
  status!: InviteStatus;
}

export class LookUpInvite extends Query<LookedUpInviteAnswer> {
  constructor(readonly token: string) {
    super();
  }
}

@QueryHandler(LookUpInvite)
export class LookUpInviteHandler implements IQueryHandler<LookUpInvite> {
  constructor(
    private readonly households: Households,
    private readonly names: UserNames,
  ) {}

  async execute({ token }: LookUpInvite): Promise<LookedUpInviteAnswer> {
    const found = looksLikeLinkSecret(token) ? await this.households.findInvite({ token }) : null;
    if (found === null) throw new ApiError('invalid_link');
    const { invite, status } = found;
    const [household, names] = await Promise.all([
      this.households.find(householdIdOfInvite(found)),
      this.names.namesOf([invite.inviterId]),
    ]);
    return {
      household_name: household?.name ?? '',
      inviter_name: names.get(invite.inviterId) ?? '',
      email: invite.email,
      expires_at: timestamp(invite.endsAt),
      status,
    };
  }
}
