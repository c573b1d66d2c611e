import { Body, Controller, Get, Header, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '#http/access';
import { Answers, Fails } from '#http/answers';
import { ETAG_HEADER, Revalidates } from '#http/representation';
import { MonthParam } from '#http/path-params';
import type { Answer } from '#http/repeatable-write';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import type { MonthView } from '#projections/month-document';
import {
  versioned,
  CurrentCall,
  type HouseholdCall,
  ChangesMonth,
  CreatesInMonth,
} from '../household-call.js';
import { CreateMonth } from './create-month.js';
import { GetMonth, GetMonthQuery } from './get-month.js';
import { ListMonths, MonthListResponse } from './list-months.js';
import { MonthResponse } from './month.response.js';
import { ResetMonth, ResetMonthBody } from './reset-month.js';

@ApiTags('Months')
@Controller('months')
export class MonthsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the months', description: 'All months of the household, oldest first.' })
  @Access.scope('budget:read', { household: true })
  @Answers(200, MonthListResponse, 'The months')
  listMonths(@CurrentMembership() { householdId }: Membership): Promise<MonthListResponse> {
    return this.queries.execute(new ListMonths(householdId));
  }

  @Get(':month')
  @ApiOperation({
    summary: 'Read a month',
    description: 'The budget of a month with all figures, current or as of a given time.',
  })
  @Access.scope('budget:read', { household: true })
  @Answers(200, MonthResponse, 'The month', ETAG_HEADER)
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Revalidates()
  @Fails('not_found')
  getMonth(
    @CurrentMembership() { householdId }: Membership,
    @MonthParam() month: string,
    @Query() { as_of }: GetMonthQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return versioned(reply, this.queries.execute(new GetMonth(householdId, month, as_of)));
  }

  @Post(':month')
  @ApiOperation({
    summary: 'Create a month',
    description:
      'Copies groups, items, their order and planned amounts from the latest earlier month, but no notes or ' +
      'adjustments. If there is no earlier month, the default template is used.',
  })
  @CreatesInMonth('The new month')
  @Fails('month_exists', 'household_full', 'not_found')
  createMonth(@CurrentCall() call: HouseholdCall, @MonthParam() month: string): Promise<Answer<MonthView>> {
    return this.commands.execute(new CreateMonth(call, month));
  }

  @Post(':month/reset')
  @ApiOperation({
    summary: 'Reset a month',
    description: 'Sets every planned amount to zero, or creates the month’s layout again.',
  })
  @ChangesMonth('The month after the reset')
  @Fails('not_found', 'household_full')
  resetMonth(
    @CurrentCall() call: HouseholdCall,
    @MonthParam() month: string,
    @Body() body: ResetMonthBody,
  ): Promise<Answer<MonthView>> {
    return this.commands.execute(new ResetMonth(call, month, body));
  }
}
