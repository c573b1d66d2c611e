import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import { Accounts } from '../accounts/accounts.js';
import { Households } from '../households/households.js';
import { Clock } from '../surroundings.js';
import { InvitePresenter } from './invite-presenter.js';
import type { InviteListResponse } from './invite.response.js';

export class ListOwnInvites extends Query<InviteListResponse> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The pending invites addressed to the caller's e-mail, oldest first. */
@QueryHandler(ListOwnInvites)
export class ListOwnInvitesHandler implements IQueryHandler<ListOwnInvites> {
  constructor(
    private readonly accounts: Accounts,
    private readonly households: Households,
    private readonly presenter: InvitePresenter,
    private readonly clock: Clock,
  ) {}

  async execute({ userId }: ListOwnInvites): Promise<InviteListResponse> {
    const account = await this.accounts.find(userId);
    if (account === null) throw new ApiError('unauthenticated');
    const now = this.clock.now();
    const pending = (await this.households.inviting(account.emailFolded)).flatMap(household =>
      household.invites
        .filter(invite => invite.emailFolded === account.emailFolded && invite.endsAt > now)
        .map(invite => ({ household, invite })),
    );
    pending.sort((one, other) => (one.invite.id < other.invite.id ? -1 : 1));
    return { invites: await this.presenter.present(pending) };
  }
}
