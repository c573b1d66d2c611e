import { Body, Controller, Delete, Patch, Post, Put, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Fails } from '#http/answers';
import { Describes } from '#http/description-notes';
import { HonoursIfMatch } from '#http/entity-tag';
import { MonthParam } from '#http/path-params';
import { answered, Changes } from '#http/repeatable-write';
import type { MonthView } from '#projections/month-view';
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
import { OrderItems, OrderItemsBody } from './order-items.js';
import { PlanItem, PlanItemBody } from './plan-item.js';
import { RemoveItem } from './remove-item.js';

@ApiTags('Items')
@Controller()
export class ItemsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('months/:month/groups/:groupId/items')
  @ApiOperation({
    summary: 'Add an item to a group in a month',
    description:
      'A new item, or one that the household already has: a fund can so enter an earlier month, and a deleted ' +
      'item can come back. The item comes last; its kind follows the group.',
  })
  @HouseholdWrite('budget:write')
  @CreatesInMonth('The month with the item')
  @Describes({ bodyExample: { name: 'Vet', planned: 6000, note: null }, either: ['name', 'item_id'] })
  @Fails('not_found', 'already_in_month', 'kind_mismatch', 'month_full', 'household_full')
  add(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @GroupIdParam() groupId: string,
    @Body() body: AddItemBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MonthView> {
    return answered(reply, this.commands.execute(new AddItem(call, month, groupId, body)));
  }

  @Patch('items/:itemId')
  @ApiOperation({
    summary: 'Change an item',
    description:
      'Its name, whether it is a favourite, and its target as a fund, in every month. Ends a fund.',
  })
  @HouseholdWrite('budget:write')
  @Changes(ItemIdentityResponse, 'The item as it is now')
  @Describes({ bodyExample: { name: 'Groceries', favorite: true } })
  @Fails('not_found', 'not_a_fund')
  change(
    @CurrentCall() call: HouseholdCall,
    @ItemIdParam() itemId: string,
    @Body() body: ChangeItemBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ItemIdentityResponse> {
    return answered(reply, this.commands.execute(new ChangeItem(call, itemId, body)));
  }

  @Patch('months/:month/items/:itemId')
  @ApiOperation({ summary: 'Plan an item', description: 'Its planned amount and its note in this month.' })
  @HouseholdWrite('budget:write')
  @ChangesMonth('The month as it is now')
  @Fails('not_found', 'month_full')
  plan(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @ItemIdParam() itemId: string,
    @Body() body: PlanItemBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MonthView> {
    return answered(reply, this.commands.execute(new PlanItem(call, month, itemId, body)));
  }

  @Delete('months/:month/items/:itemId')
  @ApiOperation({
    summary: 'Delete an item from a month',
    description:
      'Transactions of the month that have a split on it become untracked. Other months keep the item.',
  })
  @HouseholdWrite('budget:write')
  @ChangesMonth('The month without the item')
  @Fails('not_found')
  remove(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @ItemIdParam() itemId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MonthView> {
    return answered(reply, this.commands.execute(new RemoveItem(call, month, itemId)));
  }

  @Put('months/:month/groups/:groupId/item-order')
  @ApiOperation({
    summary: 'Order a group’s items',
    description: 'Items of another group of the same kind may move in.',
  })
  @HouseholdWrite('budget:write')
  @ChangesMonth('The month in the new order')
  @Fails('not_found', 'item_not_in_month', 'kind_mismatch', 'order_mismatch')
  order(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @GroupIdParam() groupId: string,
    @Body() body: OrderItemsBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MonthView> {
    return answered(reply, this.commands.execute(new OrderItems(call, month, groupId, body)));
  }

  @Post('months/:month/items/:itemId/harvest')
  @ApiOperation({
    summary: 'Harvest an item',
    description: 'Plans just what was spent on a regular expense item; the rest is left to budget again.',
  })
  @HouseholdWrite('budget:write')
  @Changes(HarvestResponse, 'The month as it is now, and what was harvested')
  @HonoursIfMatch()
  @Fails('not_found', 'not_harvestable')
  harvest(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @ItemIdParam() itemId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HarvestResponse> {
    return answered(reply, this.commands.execute(new HarvestItem(call, month, itemId)));
  }
}
