import { Body, Controller, Delete, Get, Header, Patch, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus, type Command } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '#http/access';
import { Answers, Fails } from '#http/answers';
import { Describes } from '#http/description-notes';
import { ETAG_HEADER, HonoursIfMatch, Revalidates } from '#http/entity-tag';
import { answered, Changes, Creates, type Answer } from '#http/repeatable-write';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import type { TransactionView } from '#projections/transaction-view';
import { CurrentCall, HouseholdWrite, versioned, type HouseholdCall } from '../household-call.js';
import { TransactionIdParam } from '../path-params.js';
import { ChangeTransaction, ChangeTransactionBody } from './change-transaction.js';
import { CREATE_EXAMPLES, CreateTransaction, CreateTransactionBody } from './create-transaction.js';
import { DeleteTransaction } from './delete-transaction.js';
import { GetTransaction } from './get-transaction.js';
import { ListTransactions, ListTransactionsQuery, TransactionListResponse } from './list-transactions.js';
import { RestoreTransaction } from './restore-transaction.js';
import {
  TransactionChangeResponse,
  transactionChangeText,
  TransactionResponse,
} from './transaction.response.js';

@ApiTags('Transactions')
@Controller('transactions')
export class TransactionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List transactions',
    description:
      'One view, newest first by date, then by id. Nothing that exists throughout is skipped or repeated ' +
      'while transactions are added or removed between two pages.',
  })
  @Access.scope('transactions:read', { household: true })
  @Answers(200, TransactionListResponse)
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Fails('invalid_cursor')
  list(
    @CurrentMembership() { householdId }: Membership,
    @Query() query: ListTransactionsQuery,
  ): Promise<Buffer> {
    return this.queries.execute(new ListTransactions(householdId, query));
  }

  @Get(':transactionId')
  @ApiOperation({ summary: 'Read a transaction', description: 'Also a deleted one.' })
  @Access.scope('transactions:read', { household: true })
  @Answers(200, TransactionResponse, { headers: ETAG_HEADER })
  @Revalidates()
  @Fails('not_found')
  get(
    @CurrentMembership() { householdId }: Membership,
    @TransactionIdParam() id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TransactionView> {
    return versioned(reply, this.queries.execute(new GetTransaction(householdId, id)));
  }

  @Post()
  @ApiOperation({
    summary: 'Create a transaction',
    description:
      'The id is made by the client: the same id with the same content again answers `200` with the ' +
      'transaction as it is now, and records nothing. Without splits the transaction is untracked, and its ' +
      'budget month need not exist yet.',
  })
  @HouseholdWrite('transactions:write')
  @Describes({ bodyExamples: CREATE_EXAMPLES })
  @Creates(TransactionChangeResponse, 'The new transaction')
  @Fails('not_found', 'transaction_id_conflict', 'item_not_in_month', 'splits_total_mismatch', 'month_full')
  create(
    @CurrentCall() call: HouseholdCall,
    @Body() body: CreateTransactionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.changed(reply, new CreateTransaction(call, body));
  }

  @Patch(':transactionId')
  @ApiOperation({
    summary: 'Change a transaction',
    description: 'Only the fields that are sent change. `splits: []` untracks, `location: null` removes it.',
  })
  @HouseholdWrite('transactions:write')
  @Changes(TransactionChangeResponse, 'The transaction as it is now')
  @HonoursIfMatch()
  @Fails('not_found', 'transaction_deleted', 'item_not_in_month', 'splits_total_mismatch', 'month_full')
  change(
    @CurrentCall() call: HouseholdCall,
    @TransactionIdParam() id: string,
    @Body() body: ChangeTransactionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.changed(reply, new ChangeTransaction(call, id, body));
  }

  @Delete(':transactionId')
  @ApiOperation({
    summary: 'Delete a transaction',
    description: 'It is kept and can be restored; deleting it once more changes nothing.',
  })
  @HouseholdWrite('transactions:write')
  @Changes(TransactionChangeResponse, 'The transaction, deleted')
  @HonoursIfMatch()
  @Fails('not_found')
  remove(
    @CurrentCall() call: HouseholdCall,
    @TransactionIdParam() id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.changed(reply, new DeleteTransaction(call, id));
  }

  @Post(':transactionId/restore')
  @ApiOperation({
    summary: 'Restore a deleted transaction',
    description: 'Splits whose item is no longer in its month are dropped; with none left it is untracked.',
  })
  @HouseholdWrite('transactions:write')
  @Changes(TransactionChangeResponse, 'The transaction as it is now')
  @HonoursIfMatch()
  @Fails('not_found', 'month_full')
  restore(
    @CurrentCall() call: HouseholdCall,
    @TransactionIdParam() id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.changed(reply, new RestoreTransaction(call, id));
  }

  private async changed(
    reply: FastifyReply,
    command: Command<Answer<TransactionChangeResponse>>,
  ): Promise<string> {
    const body = await answered(reply, this.commands.execute(command));
    void reply.type('application/json; charset=utf-8');
    return transactionChangeText(body);
  }
}
