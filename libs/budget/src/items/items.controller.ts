import { Body, Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { Answers, Fails, Describes } from '#http/answers';
import { HonoursIfMatch } from '#http/representation';
import { MonthParam } from '#http/path-params';
import { type Answer, Changes } from '#http/repeatable-write';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import type { MonthView } from '#projections/month-document';
import {
  CurrentCall,
  HouseholdWrite,
  type HouseholdCall,
  ChangesMonth,
  CreatesInMonth,
} from '../household-call.js';
import { ItemIdentityResponse } from '../months/month.response.js';
import { GroupIdParam, ItemIdParam } from '../path-params.js';
import { AddItem, AddItemBody } from './add-item.js';
import { ChangeItem, ChangeItemBody } from './change-item.js';
import { HarvestItem, HarvestResponse } from './harvest-item.js';
import { ItemMonthsResponse, ListItemMonths } from './list-item-months.js';
import { OrderItems, OrderItemsBody } from './order-items.js';
import { PlanItem, PlanItemBody } from './plan-item.js';
import { RemoveItem } from './remove-item.js';

@ApiTags('Items')
@Controller()
export class ItemsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('items/:itemId/months')
  @ApiOperation({
    summary: 'List the months of an item',
    description: 'The figures of an item in every month that has it, oldest first.',
  })
  @Access.scope('budget:read', { household: true })
  @Answers(200, ItemMonthsResponse, 'The item and its months')
  @Fails('not_found')
  listItemMonths(
    @CurrentMembership() { householdId }: Membership,
    @ItemIdParam() itemId: string,
  ): Promise<ItemMonthsResponse> {
    return this.queries.execute(new ListItemMonths(householdId, itemId));
  }

  @Post('months/:month/groups/:groupId/items')
  @ApiOperation({
    summary: 'Add an item to a group in a month',
    description:
      'Creates an item, or adds an existing one of the household, such as a deleted item or a fund from a later ' +
      'month. It comes last and has the kind of its group.',
  })
  @CreatesInMonth('The month with the item')
  @Describes({ bodyExample: { name: 'Vet', planned: 6000, note: null }, either: ['name', 'item_id'] })
  @Fails('not_found', 'already_in_month', 'kind_mismatch', 'month_full', 'household_full')
  addItem(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @GroupIdParam() groupId: string,
    @Body() body: AddItemBody,
  ): Promise<Answer<MonthView>> {
    return this.commands.execute(new AddItem(call, month, groupId, body));
  }

  @Patch('items/:itemId')
  @ApiOperation({
    summary: 'Change an item',
    description:
      'Changes its name, favourite flag or fund target in every month, or turns a fund back into a regular item.',
  })
  @HouseholdWrite('budget:write')
  @Changes(ItemIdentityResponse, 'The item after the change')
  @Describes({ bodyExample: { name: 'Groceries', favorite: true } })
  @Fails('not_found', 'not_a_fund')
  changeItem(
    @CurrentCall() call: HouseholdCall,
    @ItemIdParam() itemId: string,
    @Body() body: ChangeItemBody,
  ): Promise<Answer<ItemIdentityResponse>> {
    return this.commands.execute(new ChangeItem(call, itemId, body));
  }

  @Patch('months/:month/items/:itemId')
  @ApiOperation({
    summary: 'Plan an item',
    description: 'Sets its planned amount and its note in this month.',
  })
  @ChangesMonth('The month with the new plan')
  @Fails('not_found', 'month_full')
  planItem(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @ItemIdParam() itemId: string,
    @Body() body: PlanItemBody,
  ): Promise<Answer<MonthView>> {
    return this.commands.execute(new PlanItem(call, month, itemId, body));
  }

  @Delete('months/:month/items/:itemId')
  @ApiOperation({
    summary: 'Delete an item from a month',
    description: 'Transactions of the month with a split on it become untracked. Other months keep the item.',
  })
  @ChangesMonth('The month without the item')
  @Fails('not_found')
  removeItem(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @ItemIdParam() itemId: string,
  ): Promise<Answer<MonthView>> {
    return this.commands.execute(new RemoveItem(call, month, itemId));
  }

  @Put('months/:month/groups/:groupId/item-order')
  @ApiOperation({
    summary: 'Order a group’s items',
    description:
      'The list may include items of other groups of the same kind, which then move to this group.',
  })
  @ChangesMonth('The month in the new order')
  @Fails('not_found', 'item_not_in_month', 'kind_mismatch', 'order_mismatch')
  orderItems(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @GroupIdParam() groupId: string,
    @Body() body: OrderItemsBody,
  ): Promise<Answer<MonthView>> {
    return this.commands.execute(new OrderItems(call, month, groupId, body));
  }

  @Post('months/:month/items/:itemId/harvest')
  @ApiOperation({
    summary: 'Harvest an item',
    description:
      'Lowers the plan of a regular expense item to the amount spent. The rest is left to budget again.',
  })
  @HouseholdWrite('budget:write')
  @Changes(HarvestResponse, 'The month after the harvest, and the harvested amount')
  @HonoursIfMatch()
  @Fails('not_found', 'not_harvestable')
  harvestItem(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @ItemIdParam() itemId: string,
  ): Promise<Answer<HarvestResponse>> {
    return this.commands.execute(new HarvestItem(call, month, itemId));
  }
}
