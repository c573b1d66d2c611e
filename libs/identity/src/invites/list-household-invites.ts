import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '#concurrency/clock';
import { Households } from '../households/households.js';
import { Invites, type InviteListResponse } from './invites.js';
import { QueryOf } from '../use-case.js';

export class ListHouseholdInvites extends QueryOf<{ householdId: string }, InviteListResponse> {}

/** The pending invites of a household with their links, for its members, oldest first. */
@QueryHandler(ListHouseholdInvites)
export class ListHouseholdInvitesHandler implements IQueryHandler<ListHouseholdInvites> {
  constructor(
    private readonly households: Households,
    private readonly invites: Invites,
    private readonly clock: Clock,
  ) {}

  async execute({ asked: { householdId } }: ListHouseholdInvites): Promise<InviteListResponse> {
    const household = await this.households.require(householdId);
    const now = this.clock.now();
    const pending = household.invites.filter(invite => invite.endsAt > now);
    return { invites: await this.invites.present(pending.map(invite => ({ household, invite }))) };
  }
}
