import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '#concurrency/clock';
import { Accounts } from '../accounts/accounts.js';
import { foldEmail } from '../accounts/email-address.js';
import { Households } from '../households/households.js';
import { Invites, type InviteListResponse } from './invites.js';
import type { Caller } from '../access/caller.js';
import { QueryOf } from '../use-case.js';

export class ListOwnInvites extends QueryOf<Caller, InviteListResponse> {}

/** The pending invites addressed to the caller's e-mail, oldest first. */
@QueryHandler(ListOwnInvites)
export class ListOwnInvitesHandler implements IQueryHandler<ListOwnInvites> {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
    private readonly invites: Invites,
    private readonly clock: Clock,
  ) {}

  async execute({ asked: { userId } }: ListOwnInvites): Promise<InviteListResponse> {
    const account = await this.accounts.require(userId);
    const now = this.clock.now();
    const inviting = await this.households.inviting(foldEmail(account.email));
    const pending = inviting.flatMap(household =>
      household.invites.filter(({ endsAt }) => endsAt > now).map(invite => ({ household, invite })),
    );
    const isOwn = await Promise.all(
      pending.map(({ invite }) => this.accounts.hasEmail(account, invite.email)),
    );
    const own = pending.filter((_, at) => isOwn[at]);
    own.sort((one, other) => (one.invite.id < other.invite.id ? -1 : 1));
    return { invites: await this.invites.present(own) };
  }
}
