import { ApiSchema } from '@nestjs/swagger';
import { At, Id, ListOf, NextCursor, Part, ResponseOf, Text, TextList, Whole } from '#http/response-fields';
import { MonthResponse } from '../months/month.response.js';
import { TransactionResponse } from '../transactions/transaction.response.js';

const nullable = true;

/** One entry of the activity and of a transaction's history; amounts stand in its sentence only. */
@ApiSchema({ name: 'ActivityEntry', description: 'One command in the activity' })
export class ActivityEntry extends ResponseOf({
  event_id: Id('The first event of the command'),
  revision: Whole('That event’s place in the household’s stream', 17),
  at: At('When it was recorded'),
  by: Id('The user who did it'),
  by_name: Text('That user’s present name', 'Ada Lovelace'),
  type: Text('The name of that event', 'ItemPlanned'),
  summary: Text(
    'One sentence for a person, with present names',
    'Ada Lovelace planned 600.00 for Groceries in 2026-01 instead of 0.00.',
  ),
  months: TextList('Every month with a figure that the command changed, oldest first', ['2026-01']),
  transaction_id: Id('The transaction that it concerns; null if none', { nullable }),
}) {}

/** A page of `GET /activity`. */
@ApiSchema({ name: 'ActivityList' })
export class ActivityListResponse extends ResponseOf({
  activity: ListOf(ActivityEntry, 'Newest first'),
  next_cursor: NextCursor(),
}) {}

/** The answer of `GET /transactions/{transactionId}/history`: every command that touched the transaction. */
@ApiSchema({ name: 'TransactionHistory' })
export class TransactionHistoryResponse extends ResponseOf({
  history: ListOf(ActivityEntry, 'Oldest first'),
}) {}

/** The answer of `POST /activity/{eventId}/undo`, computed from the state after it. */
@ApiSchema({ name: 'Undone', description: 'The result of an undo' })
export class UndoneResponse extends ResponseOf({
  event_id: Id('The event that undid the command, now or earlier'),
  months: ListOf(MonthResponse, 'Every month with a changed figure, oldest first'),
  transaction: Part(TransactionResponse, 'The transaction that the command concerns; null if none', {
    nullable,
  }),
  untracked_count: Whole('Untracked transactions of the household', 0),
}) {}
