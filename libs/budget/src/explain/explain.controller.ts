import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { Answers, Fails } from '#http/answers';
import { MonthParam } from '#http/path-params';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import { ItemIdParam } from '../path-params.js';
import { Explain, ExplanationResponse } from './explain.js';

@ApiTags('Months')
@Controller('months/:month')
export class ExplainController {
  constructor(private readonly queries: QueryBus) {}

  @Get('explain')
  @ApiOperation({
    summary: 'Explain what is left to budget',
    description: 'Every planned amount that it is computed from, with the event that set it.',
  })
  @Access.scope('budget:read', { household: true })
  @Answers(200, ExplanationResponse, 'The amount left to budget, explained')
  @Fails('not_found', 'figure_out_of_range')
  explainMonth(
    @CurrentMembership() { householdId }: Membership,
    @MonthParam() month: string,
  ): Promise<ExplanationResponse> {
    return this.queries.execute(new Explain(householdId, month, null));
  }

  @Get('items/:itemId/explain')
  @ApiOperation({
    summary: 'Explain the figures of an item',
    description:
      'Every figure with the transactions, events and months that it is computed from. They add up exactly.',
  })
  @Access.scope('budget:read', { household: true })
  @Answers(200, ExplanationResponse, 'The figures of the item, explained')
  @Fails('not_found', 'figure_out_of_range')
  explainItem(
    @CurrentMembership() { householdId }: Membership,
    @MonthParam() month: string,
    @ItemIdParam() itemId: string,
  ): Promise<ExplanationResponse> {
    return this.queries.execute(new Explain(householdId, month, itemId));
  }
}
