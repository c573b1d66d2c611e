import { Body, Controller, Delete, Get, Header, Patch, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '#http/access';
import { Answers, Fails, Describes } from '#http/answers';
import { TakesBodyUpTo } from '#http/request-reader';
import { ETAG_HEADER, HonoursIfMatch, Revalidates } from '#http/representation';
import { type Answer, Changes, Creates } from '#http/repeatable-write';
import { CurrentMembership, type Membership } from '#identity/access/caller';
import type { TransactionView } from '#projections/transaction-document';
import { CurrentCall, HouseholdWrite, versioned, type HouseholdCall } from '../household-call.js';
import { TransactionIdParam } from '../path-params.js';
import {
  BATCH_BYTES_MAX,
  BATCH_EXAMPLES,
  BatchBody,
  BatchTransactions,
  OPERATION_CLASSES,
} from './batch-transactions.js';
import { ChangeTransaction, ChangeTransactionBody } from './change-transaction.js';
import { CREATE_EXAMPLES, CreateTransaction, CreateTransactionBody } from './create-transaction.js';
import { DeleteTransaction } from './delete-transaction.js';
import { GetTransaction } from './get-transaction.js';
import { ListTransactions, ListTransactionsQuery, TransactionListResponse } from './list-transactions.js';
import { RestoreTransaction } from './restore-transaction.js';
import { BatchResponse, TransactionChangeResponse, TransactionResponse } from './transaction.response.js';

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
      'The transactions of one view, by date and id, newest first. Adding or deleting transactions between two ' +
      'pages neither skips nor repeats the others.',
  })
  @Access.scope('transactions:read', { household: true })
  @Answers(200, TransactionListResponse, 'One page of transactions')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Fails('invalid_cursor')
  listTransactions(
    @CurrentMembership() membership: Membership,
    @Query() query: ListTransactionsQuery,
  ): Promise<string> {
    return this.queries.execute(new ListTransactions(membership, query));
  }

  @Get(':transactionId')
  @ApiOperation({ summary: 'Read a transaction', description: 'Returns deleted transactions, too.' })
  @Access.scope('transactions:read', { household: true })
  @Answers(200, TransactionResponse, 'The transaction', ETAG_HEADER)
  @Revalidates()
  @Fails('not_found')
  getTransaction(
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
      'The client generates the id. Sending the same id and content again records nothing and returns `200`. A ' +
      'transaction without splits is untracked, and its budget month need not exist.',
  })
  @HouseholdWrite('transactions:write')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Describes({ bodyExamples: CREATE_EXAMPLES })
  @Creates(TransactionChangeResponse, 'The new transaction')
  @Fails('not_found', 'transaction_id_conflict', 'item_not_in_month', 'splits_total_mismatch', 'month_full')
  createTransaction(
    @CurrentCall() call: HouseholdCall,
    @Body() body: CreateTransactionBody,
  ): Promise<Answer<string>> {
    return this.commands.execute(new CreateTransaction(call, body));
  }

  @Post('batch')
  @ApiOperation({
    summary: 'Create, change, delete and restore many transactions',
    description:
      'Carries out up to 500 operations in their order, each on what the earlier ones left, and records all of them ' +
      'as one command, or nothing. The activity has one entry for it, which is undone as a whole. A refusal names ' +
      'the first refused operation in `details.index`. Repeated creations are treated as in `POST /transactions`.',
  })
  @HouseholdWrite('transactions:write')
  @TakesBodyUpTo(BATCH_BYTES_MAX)
  @ApiExtraModels(...OPERATION_CLASSES)
  @Describes({ bodyExamples: BATCH_EXAMPLES })
  @Changes(BatchResponse, 'The transactions after the batch')
  @Fails(
    'not_found',
    'transaction_id_conflict',
    'transaction_deleted',
    'item_not_in_month',
    'splits_total_mismatch',
    'month_full',
    'batch_too_large',
  )
  changeTransactions(
    @CurrentCall() call: HouseholdCall,
    @Body() body: BatchBody,
  ): Promise<Answer<BatchResponse>> {
    return this.commands.execute(new BatchTransactions(call, body));
  }

  @Patch(':transactionId')
  @ApiOperation({
    summary: 'Change a transaction',
    description:
      'Changes only the fields that are sent. `splits: []` makes it untracked; `location: null` removes the location.',
  })
  @HouseholdWrite('transactions:write')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Changes(TransactionChangeResponse, 'The transaction after the change')
  @HonoursIfMatch()
  @Fails('not_found', 'transaction_deleted', 'item_not_in_month', 'splits_total_mismatch', 'month_full')
  changeTransaction(
    @CurrentCall() call: HouseholdCall,
    @TransactionIdParam() id: string,
    @Body() body: ChangeTransactionBody,
  ): Promise<Answer<string>> {
    return this.commands.execute(new ChangeTransaction(call, id, body));
  }

  @Delete(':transactionId')
  @ApiOperation({
    summary: 'Delete a transaction',
    description: 'A deleted transaction is kept and can be restored. Deleting it again changes nothing.',
  })
  @HouseholdWrite('transactions:write')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Changes(TransactionChangeResponse, 'The deleted transaction')
  @HonoursIfMatch()
  @Fails('not_found')
  deleteTransaction(
    @CurrentCall() call: HouseholdCall,
    @TransactionIdParam() id: string,
  ): Promise<Answer<string>> {
    return this.commands.execute(new DeleteTransaction(call, id));
  }

  @Post(':transactionId/restore')
  @ApiOperation({
    summary: 'Restore a deleted transaction',
    description:
      'Drops splits whose item is no longer in the month. If none is left, the transaction is untracked.',
  })
  @HouseholdWrite('transactions:write')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Changes(TransactionChangeResponse, 'The restored transaction')
  @HonoursIfMatch()
  @Fails('not_found', 'month_full')
  restoreTransaction(
    @CurrentCall() call: HouseholdCall,
    @TransactionIdParam() id: string,
  ): Promise<Answer<string>> {
    return this.commands.execute(new RestoreTransaction(call, id));
  }
}
