import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Accounts } from './accounts.js';
import { Profiles, type MeResponse } from './profiles.js';

export class GetMe extends Query<MeResponse> {
  constructor(readonly userId: string) {
    super();
  }
}

/** Who calls, and their households. @throws ApiError `unauthenticated` where the account is gone */
@QueryHandler(GetMe)
export class GetMeHandler implements IQueryHandler<GetMe> {
  constructor(
    private readonly accounts: Accounts,
    private readonly profiles: Profiles,
  ) {}

  async execute({ userId }: GetMe): Promise<MeResponse> {
    const account = await this.accounts.require(userId);
    return this.profiles.me(account);
  }
}
