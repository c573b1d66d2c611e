import { Injectable } from '@nestjs/common';
import { ApiError, notFound } from '#http/api-error';
import { Accounts } from '../accounts/accounts.js';
import { householdIdOfInvite, Households } from '../households/households.js';

/** The invites that their addressees answer. */
@Injectable()
export class AddressedInvites {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
  ) {}

  /**
   * The id of the household that a user is invited to. An invite for somebody else's address is as good as none.
   * @throws ApiError `not_found`
   */
  async householdIdFor(userId: string, inviteId: string): Promise<string> {
    const [account, found] = await Promise.all([
      this.accounts.find(userId),
      this.households.findInvite({ id: inviteId }),
    ]);
    if (account === null) throw new ApiError('unauthenticated');
    if (found === null || !(await this.accounts.hasEmail(account, found.invite.email))) {
      throw notFound('invite');
    }
    return householdIdOfInvite(found);
  }
}
