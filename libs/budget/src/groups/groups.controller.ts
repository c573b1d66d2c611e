import { Body, Controller, Delete, Patch, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Fails, Describes } from '#http/answers';
import { MonthParam } from '#http/path-params';
import { type Answer, Changes } from '#http/repeatable-write';
import type { MonthView } from '#projections/month-document';
import {
  CurrentCall,
  HouseholdWrite,
  type HouseholdCall,
  ChangesMonth,
  CreatesInMonth,
} from '../household-call.js';
import { GroupIdentityResponse } from '../months/month.response.js';
import { GroupIdParam } from '../path-params.js';
import { AddGroup, AddGroupBody } from './add-group.js';
import { ChangeGroup, ChangeGroupBody } from './change-group.js';
import { OrderGroups, OrderGroupsBody } from './order-groups.js';
import { RemoveGroup } from './remove-group.js';

@ApiTags('Groups')
@Controller()
export class GroupsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('months/:month/groups')
  @ApiOperation({
    summary: 'Add a group to a month',
    description: 'Creates a group, or adds an existing one of the household. It comes last and has no items.',
  })
  @CreatesInMonth('The month with the group')
  @Describes({ bodyExample: { name: 'Pets', color: '#3f7cac' }, either: ['name', 'group_id'] })
  @Fails('not_found', 'already_in_month', 'month_full', 'household_full')
  addGroup(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @Body() body: AddGroupBody,
  ): Promise<Answer<MonthView>> {
    return this.commands.execute(new AddGroup(call, month, body));
  }

  @Patch('groups/:groupId')
  @ApiOperation({ summary: 'Rename or recolour a group', description: 'The change applies to every month.' })
  @HouseholdWrite('budget:write')
  @Changes(GroupIdentityResponse, 'The group after the change')
  @Fails('not_found')
  changeGroup(
    @CurrentCall() call: HouseholdCall,
    @GroupIdParam() groupId: string,
    @Body() body: ChangeGroupBody,
  ): Promise<Answer<GroupIdentityResponse>> {
    return this.commands.execute(new ChangeGroup(call, groupId, body));
  }

  @Delete('months/:month/groups/:groupId')
  @ApiOperation({
    summary: 'Delete a group from a month',
    description:
      'Deletes its items from the month, too. Transactions of the month with a split on one of them become ' +
      'untracked. Other months keep the group.',
  })
  @ChangesMonth('The month without the group')
  @Fails('not_found', 'income_group')
  removeGroup(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @GroupIdParam() groupId: string,
  ): Promise<Answer<MonthView>> {
    return this.commands.execute(new RemoveGroup(call, month, groupId));
  }

  @Put('months/:month/group-order')
  @ApiOperation({ summary: 'Order a month’s groups', description: 'The income group always comes first.' })
  @ChangesMonth('The month in the new order')
  @Fails('not_found', 'income_group', 'order_mismatch')
  orderGroups(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @Body() body: OrderGroupsBody,
  ): Promise<Answer<MonthView>> {
    return this.commands.execute(new OrderGroups(call, month, body));
  }
}
