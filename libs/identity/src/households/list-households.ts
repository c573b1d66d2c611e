import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { ApiError } from '#http/api-error';
import { Accounts } from '../accounts/accounts.js';
import { Profiles } from '../accounts/me.js';
import { HouseholdAnswer } from './household-answer.js';

export class HouseholdsAnswer {
  @ApiProperty({ type: [HouseholdAnswer] })
  households!: HouseholdAnswer[];
}

export class ListHouseholds extends Query<HouseholdsAnswer> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The caller's households, archived ones included, the personal one first. */
@QueryHandler(ListHouseholds)
export class ListHouseholdsHandler implements IQueryHandler<ListHouseholds> {
  constructor(
    private readonly accounts: Accounts,
    private readonly profiles: Profiles,
  ) {}

  async execute({ userId }: ListHouseholds): Promise<HouseholdsAnswer> {
    const account = await this.accounts.find(userId);
    if (account === null) throw new ApiError('unauthenticated');
    const { households } = await this.profiles.me(account);
    return { households };
  }
}
