import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Fails } from '#http/answers';
import { MonthParam } from '#http/path-params';
import type { Answer } from '#http/repeatable-write';
import type { MonthView } from '#projections/month-document';
import { CurrentCall, type HouseholdCall, ChangesMonth } from '../household-call.js';
import { ItemIdParam } from '../path-params.js';
import { OpenFund, OpenFundBody } from './open-fund.js';
import { UpdateFundBalance, UpdateFundBalanceBody } from './update-fund-balance.js';

@ApiTags('Funds')
@Controller('months/:month/items/:itemId')
export class FundsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('fund')
  @ApiOperation({
    summary: 'Make an item a fund',
    description:
      'From this month on, the item carries its balance forward. In earlier months it stays a regular item.',
  })
  @ChangesMonth('The month with the fund')
  @Fails('not_found', 'income_item', 'already_a_fund')
  openFund(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @ItemIdParam() itemId: string,
    @Body() body: OpenFundBody,
  ): Promise<Answer<MonthView>> {
    return this.commands.execute(new OpenFund(call, month, itemId, body));
  }

  @Post('fund-balance')
  @ApiOperation({
    summary: 'Set a fund’s balance',
    description:
      'Records the difference from the fund’s current ending balance as an adjustment, which does not count as ' +
      'spending. If there is no difference, nothing is recorded.',
  })
  @ChangesMonth('The month with the new balance')
  @Fails('not_found', 'not_a_fund', 'month_full')
  setFundBalance(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @ItemIdParam() itemId: string,
    @Body() body: UpdateFundBalanceBody,
  ): Promise<Answer<MonthView>> {
    return this.commands.execute(new UpdateFundBalance(call, month, itemId, body));
  }
}
