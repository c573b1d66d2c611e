import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Accounts } from './accounts.js';
import { Profiles, type MeResponse } from './profiles.js';
import type { Caller } from '../access/caller.js';
import { QueryOf } from '../use-case.js';

export class GetMe extends QueryOf<Caller, MeResponse> {}

/** Who calls, and their households. @throws ApiError `unauthenticated` where the account is gone */
@QueryHandler(GetMe)
export class GetMeHandler implements IQueryHandler<GetMe> {
  constructor(
    private readonly accounts: Accounts,
    private readonly profiles: Profiles,
  ) {}

  async execute({ asked: { userId } }: GetMe): Promise<MeResponse> {
    const account = await this.accounts.require(userId);
    return this.profiles.me(account);
  }
}
