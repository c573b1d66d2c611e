import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '#concurrency/clock';
import { Households } from '../households/households.js';
import { Invites, type InviteListResponse } from './invites.js';

export class ListHouseholdInvites extends Query<InviteListResponse> {
  constructor(readonly householdId: string) {
    super();
  }
}

/** The pending invites of a household with their links, for its members, oldest first. */
@QueryHandler(ListHouseholdInvites)
export class ListHouseholdInvitesHandler implements IQueryHandler<ListHouseholdInvites> {
  constructor(
    private readonly households: Households,
    private readonly invites: Invites,
    private readonly clock: Clock,
  ) {}

  async execute({ householdId }: ListHouseholdInvites): Promise<InviteListResponse> {
    const household = await this.households.require(householdId);
    const now = this.clock.now();
    const pending = household.invites.filter(invite => invite.endsAt > now);
    return { invites: await this.invites.present(pending.map(invite => ({ household, invite }))) };
  }
}
