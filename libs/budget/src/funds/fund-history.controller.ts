import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { answerInParts, jsonWithList } from '#http/answer-in-parts';
import { Answers, Fails } from '#http/answers';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import { ItemIdParam } from '../path-params.js';
import { FundHistoryQuery, FundHistoryResponse, GetFundHistory } from './get-fund-history.js';

@ApiTags('Funds')
@Controller('items/:itemId')
export class FundHistoryController {
  constructor(private readonly queries: QueryBus) {}

  @Get('fund-history')
  @ApiOperation({
    summary: 'Read a fund’s history',
    description:
      'Every change to the fund, computed from the events, oldest first. A balance carried forward has no entry ' +
      'of its own. The response is streamed.',
  })
  @Access.scope('budget:read', { household: true })
  @Answers(200, FundHistoryResponse, 'The history')
  @Fails('not_found', 'not_a_fund')
  async getFundHistory(
    @CurrentMembership() { householdId }: Membership,
    @ItemIdParam() itemId: string,
    @Query() query: FundHistoryQuery,
  ): Promise<StreamableFile> {
    const { entries, ...item } = await this.queries.execute(new GetFundHistory(householdId, itemId, query));
    return answerInParts(jsonWithList(item, 'entries', entries));
  }
}
