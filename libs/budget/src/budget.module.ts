import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { FundsController } from './funds/funds.controller.js';
import { OpenFundHandler } from './funds/open-fund.js';
import { UpdateFundBalanceHandler } from './funds/update-fund-balance.js';
import { AddGroupHandler } from './groups/add-group.js';
import { ChangeGroupHandler } from './groups/change-group.js';
import { GroupsController } from './groups/groups.controller.js';
import { OrderGroupsHandler } from './groups/order-groups.js';
import { RemoveGroupHandler } from './groups/remove-group.js';
import { HouseholdCommands } from './household-commands.js';
import { HouseholdReads } from './household-reads.js';
import { AddItemHandler } from './items/add-item.js';
import { ChangeItemHandler } from './items/change-item.js';
import { HarvestItemHandler } from './items/harvest-item.js';
import { ItemsController } from './items/items.controller.js';
import { OrderItemsHandler } from './items/order-items.js';
import { PlanItemHandler } from './items/plan-item.js';
import { RemoveItemHandler } from './items/remove-item.js';
import { CreateMonthHandler } from './months/create-month.js';
import { GetMonthHandler } from './months/get-month.js';
import { ListMonthsHandler } from './months/list-months.js';
import { MonthsController } from './months/months.controller.js';
import { ResetMonthHandler } from './months/reset-month.js';

const HANDLERS = [
  CreateMonthHandler,
  ResetMonthHandler,
  GetMonthHandler,
  ListMonthsHandler,
  AddGroupHandler,
  ChangeGroupHandler,
  RemoveGroupHandler,
  OrderGroupsHandler,
  AddItemHandler,
  ChangeItemHandler,
  PlanItemHandler,
  RemoveItemHandler,
  OrderItemsHandler,
  HarvestItemHandler,
  OpenFundHandler,
  UpdateFundBalanceHandler,
];

/**
 * The household's budget: months, groups, items, funds.
 *
 * Needs, provided by a global module: `EventStore`, `Documents`, `HouseholdStreams`, `ReadGate`, `Clock`.
 */
@Module({
  imports: [CqrsModule],
  controllers: [MonthsController, GroupsController, ItemsController, FundsController],
  providers: [HouseholdCommands, HouseholdReads, ...HANDLERS],
})
export class BudgetModule {}
