import { ApiSchema } from '@nestjs/swagger';
import { Flag, ListOf, ResponseOf, Text, TextList, Whole } from '#http/response-fields';
import { MonthResponse } from '../months/month.response.js';
import { TransactionResponse } from '../transactions/transaction.response.js';

const nullable = true;

/** A page of `GET /sync`. */
@ApiSchema({ name: 'SyncPage', description: 'What changed, as it is now' })
export class SyncPageResponse extends ResponseOf({
  revision: Whole(
    'The next `since`: the revision up to which the client now has everything; null until then',
    17,
    { nullable },
  ),
  complete: Flag('Whether this is the last page', true),
  cursor: Text('The cursor of the next page; null on the last page', null, { nullable }),
  months: ListOf(MonthResponse, 'Months that changed, oldest first'),
  removed_months: TextList('Months that no longer exist, oldest first: their creation was undone', []),
  transactions: ListOf(TransactionResponse, 'Transactions that changed, deleted ones included'),
  untracked_count: Whole('Untracked transactions of the household', 0),
}) {}
