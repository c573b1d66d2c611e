import { Body, Controller, Get, Patch } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { Answers } from '#http/answers';
import { type Answer, Changes, RepeatableWrite } from '#http/repeatable-write';
import { CurrentCaller, CurrentKeyedCall, type Caller } from '../access/caller.js';
import type { KeyedCall } from '../repeatable-changes.js';
import { ChangeSettings, ChangeSettingsBody } from './change-settings.js';
import { GetSettings, SettingsResponse } from './get-settings.js';

@ApiTags('Settings')
@Controller('settings')
export class SettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read the settings', description: 'The caller’s display preferences.' })
  @Access.scope('account:read')
  @Answers(200, SettingsResponse, 'The settings')
  async getSettings(@CurrentCaller() caller: Caller): Promise<SettingsResponse> {
    return this.queries.execute(new GetSettings(caller));
  }

  @Patch()
  @ApiOperation({ summary: 'Change settings', description: 'Changes only the fields that are sent.' })
  @Access.scope('account:write')
  @Changes(SettingsResponse, 'All settings after the change')
  @RepeatableWrite()
  async changeSettings(
    @Body() body: ChangeSettingsBody,
    @CurrentKeyedCall() call: KeyedCall,
  ): Promise<Answer<SettingsResponse>> {
    return this.commands.execute(new ChangeSettings({ call, body }));
  }
}
