import { ApiProperty } from '@nestjs/swagger';
import { COLUMN_VIEWS, THEMES } from '../accounts/account-records.js';
import type { UserSettings } from '../accounts/account-records.js';

export class SettingsAnswer implements UserSettings {
  @ApiProperty({ enum: COLUMN_VIEWS })
  column_view!: UserSettings['column_view'];

  @ApiProperty({ type: 'boolean' })
  location_opt_in!: boolean;

  @ApiProperty({ enum: THEMES })
  theme!: UserSettings['theme'];
}
