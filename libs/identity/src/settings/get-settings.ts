import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiSchema } from '@nestjs/swagger';
import { Flag, OneOf, ResponseOf } from '#http/response-fields';
import { Accounts } from '../accounts/accounts.js';
import { type UserSettings, COLUMN_VIEWS, THEMES } from '../accounts/account-records.js';
import type { Caller } from '../access/caller.js';
import { QueryOf } from '../use-case.js';

/** What each setting means. */
export const SETTING_DESCRIPTIONS = {
  column_view: 'Which figure of each item is shown',
  location_opt_in: 'Whether apps may record the location of transactions',
  theme: 'Light or dark colours; `system` follows the device',
} as const satisfies Record<keyof UserSettings, string>;

/** The answer of `GET /settings` and `PATCH /settings`. */
@ApiSchema({ name: 'Settings', description: 'The user’s display preferences' })
export class SettingsResponse
  extends ResponseOf({
    column_view: OneOf(COLUMN_VIEWS, SETTING_DESCRIPTIONS.column_view, 'remaining'),
    location_opt_in: Flag(SETTING_DESCRIPTIONS.location_opt_in, false),
    theme: OneOf(THEMES, SETTING_DESCRIPTIONS.theme, 'system'),
  })
  implements UserSettings {}

export class GetSettings extends QueryOf<Caller, UserSettings> {}

/** The caller's settings. @throws ApiError `unauthenticated` where the account is gone */
@QueryHandler(GetSettings)
export class GetSettingsHandler implements IQueryHandler<GetSettings> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ asked: { userId } }: GetSettings): Promise<UserSettings> {
    const account = await this.accounts.require(userId);
    return account.settings;
  }
}
