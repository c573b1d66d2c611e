import { isDeepStrictEqual } from 'node:util';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { BooleanField, EnumField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import { Accounts } from '../accounts/accounts.js';
import { COLUMN_VIEWS, THEMES, type UserSettings } from '../accounts/account-records.js';
import { keyedCommand, type KeyedCall } from '../repeatable-changes.js';
import { SETTING_DESCRIPTIONS } from './get-settings.js';
import { CommandOf } from '../use-case.js';

/** The body of `PATCH /settings`. Only the fields that are there change. */
export class ChangeSettingsBody {
  @EnumField(COLUMN_VIEWS, { optional: true, description: SETTING_DESCRIPTIONS.column_view })
  column_view?: UserSettings['column_view'];

  @BooleanField({ optional: true, description: SETTING_DESCRIPTIONS.location_opt_in })
  location_opt_in?: boolean;

  @EnumField(THEMES, { optional: true, description: SETTING_DESCRIPTIONS.theme })
  theme?: UserSettings['theme'];
}

export class ChangeSettings extends CommandOf<
  { call: KeyedCall; body: ChangeSettingsBody },
  Answer<UserSettings>
> {}

/** Changes the caller's settings; answers all of them. @throws ApiError as `Accounts.changeOnce` */
@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ asked: { call, body } }: ChangeSettings): Promise<Answer<UserSettings>> {
    const command = keyedCommand(call, { command: 'change-settings', body });
    const { record, replayed } = await this.accounts.changeOnce(call.userId, command, current => {
      const settings: UserSettings = Object.assign({}, current.settings, body);
      return isDeepStrictEqual(settings, current.settings) ? current : { ...current, settings };
    });
    return { body: record.settings, replayed };
  }
}
