import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiError } from '#http/api-error';
import type { UserSettings } from '../accounts/account-records.js';
import { Accounts } from '../accounts/accounts.js';

export class GetSettings extends Query<UserSettings> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The caller's settings. @throws ApiError `unauthenticated` where the account is gone */
@QueryHandler(GetSettings)
export class GetSettingsHandler implements IQueryHandler<GetSettings> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ userId }: GetSettings): Promise<UserSettings> {
    const account = await this.accounts.find(userId);
    if (account === null) throw new ApiError('unauthenticated');
    return account.settings;
  }
}
