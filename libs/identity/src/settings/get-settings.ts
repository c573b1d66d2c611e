import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Flag } from '#http/response-fields';
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
export class SettingsResponse implements UserSettings {
  @ApiProperty({ enum: COLUMN_VIEWS, description: SETTING_DESCRIPTIONS.column_view, example: 'remaining' })
  readonly column_view!: UserSettings['column_view'];

  @Flag(SETTING_DESCRIPTIONS.location_opt_in, false)
  readonly location_opt_in!: boolean;

  @ApiProperty({ enum: THEMES, description: SETTING_DESCRIPTIONS.theme, example: 'system' })
  readonly theme!: UserSettings['theme'];
}

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
