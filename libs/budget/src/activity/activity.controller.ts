import { Controller, Get, Post, Query, type StreamableFile } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '#http/access';
import { answerInParts, jsonWithList } from '#http/answer-in-parts';
import { Answers, Fails } from '#http/answers';
import { EventIdParam } from '#http/path-params';
import { type Answer, Changes } from '#http/repeatable-write';
import { CurrentCaller, CurrentMembership, type Caller, type Membership } from '#identity/access/caller';
import { CurrentCall, HouseholdWriteOfAnyScope, type HouseholdCall } from '../household-call.js';
import { TransactionIdParam } from '../path-params.js';
import { ActivityListResponse, TransactionHistoryResponse, UndoneResponse } from './activity.response.js';
import { ListActivity, ListActivityQuery } from './list-activity.js';
import { GetTransactionHistory } from './get-transaction-history.js';
import { UndoCommand } from './undo-command.js';

@ApiTags('Activity')
@Controller()
export class ActivityController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
  ) {}

  @Get('activity')
  @ApiOperation({
    summary: 'List the activity',
    description: 'Who did what and when, newest first, with one entry for each command that recorded events.',
  })
  @Access.scope(['budget:read', 'transactions:read'], { household: true })
  @Answers(200, ActivityListResponse, 'One page of the activity')
  @Fails('invalid_cursor')
  listActivity(
    @CurrentMembership() membership: Membership,
    @Query() query: ListActivityQuery,
  ): Promise<ActivityListResponse> {
    return this.queries.execute(new ListActivity(membership, query));
  }

  @Get('transactions/:transactionId/history')
  @ApiOperation({
    summary: 'Read a transaction’s history',
    description:
      'Every command that changed the transaction, oldest first, even if it is deleted. The response is streamed.',
  })
  @Access.scope('transactions:read', { household: true })
  @Answers(200, TransactionHistoryResponse, 'The history')
  @Fails('not_found')
  async getTransactionHistory(
    @CurrentMembership() membership: Membership,
    @TransactionIdParam() id: string,
  ): Promise<StreamableFile> {
    const history = await this.queries.execute(new GetTransactionHistory(membership, id));
    return answerInParts(jsonWithList({}, 'history', history));
  }

  @Post('activity/:eventId/undo')
  @ApiOperation({
    summary: 'Undo a command',
    description:
      'Reverses the whole command that recorded the event. Refused if a later command changed the same things and ' +
      'has not been undone. Undoing an undo redoes the command; undoing twice records nothing. Needs the scope of ' +
      'the command, `budget:write` or `transactions:write`.',
  })
  @HouseholdWriteOfAnyScope(['budget:write', 'transactions:write'])
  @Changes(UndoneResponse, 'The event that undid the command, and what changed')
  @Fails('not_found', 'undo_blocked', 'month_full', 'household_full', 'batch_too_large', 'insufficient_scope')
  undoCommand(
    @CurrentCall() call: HouseholdCall,
    @CurrentCaller() caller: Caller,
    @EventIdParam() eventId: string,
  ): Promise<Answer<UndoneResponse>> {
    return this.commands.execute(new UndoCommand(call, caller, eventId));
  }
}
