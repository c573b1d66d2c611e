import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Accounts } from '../accounts/accounts.js';
import { Profiles } from '../accounts/profiles.js';
import type { HouseholdListResponse } from './household.response.js';
import type { Caller } from '../access/caller.js';
import { QueryOf } from '../use-case.js';

export class ListHouseholds extends QueryOf<Caller, HouseholdListResponse> {}

/** The caller's households, archived ones included, the personal one first. */
@QueryHandler(ListHouseholds)
export class ListHouseholdsHandler implements IQueryHandler<ListHouseholds> {
  constructor(
    private readonly accounts: Accounts,
    private readonly profiles: Profiles,
  ) {}

  async execute({ asked: { userId } }: ListHouseholds): Promise<HouseholdListResponse> {
    const account = await this.accounts.require(userId);
    const { households } = await this.profiles.me(account);
    return { households };
  }
}
