import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { Answers, Fails } from '#http/answers';
import { UlidParam } from '#http/path-params';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import { ActivityListResponse, TransactionHistoryResponse } from './activity.response.js';
import { ListActivity, ListActivityQuery } from './list-activity.js';
import { GetTransactionHistory } from './transaction-history.js';

@ApiTags('Activity')
@Controller()
export class ActivityController {
  constructor(private readonly queries: QueryBus) {}

  @Get('activity')
  @ApiOperation({
    summary: 'List the activity',
    description: 'Who did what and when, newest first: one entry for each command that recorded something.',
  })
  @Access.scope(['budget:read', 'transactions:read'], { household: true })
  @Answers(200, ActivityListResponse)
  @Fails('invalid_cursor')
  list(
    @CurrentMembership() { householdId }: Membership,
    @Query() query: ListActivityQuery,
  ): Promise<ActivityListResponse> {
    return this.queries.execute(new ListActivity(householdId, query));
  }

  @Get('transactions/:transactionId/history')
  @ApiOperation({
    summary: 'Read a transaction’s history',
    description: 'Every command that touched it, oldest first; also of a deleted one.',
  })
  @Access.scope('transactions:read', { household: true })
  @Answers(200, TransactionHistoryResponse)
  @Fails('not_found')
  history(
    @CurrentMembership() { householdId }: Membership,
    @UlidParam('transactionId') id: string,
  ): Promise<TransactionHistoryResponse> {
    return this.queries.execute(new GetTransactionHistory(householdId, id));
  }
}
