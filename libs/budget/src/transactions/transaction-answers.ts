import { Injectable } from '@nestjs/common';
import { notFound } from '#http/api-error';
import type { Answer } from '#http/repeatable-write';
import { UserNames } from '#identity/accounts/accounts';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import { monthText, textWithList } from '#projections/month-view';
import { transactionView, usersOf, type Names } from '#projections/transaction-document';
import type { Executed } from '#engine/commands/command-call';
import type { HouseholdCall } from '../household-call.js';
import { monthsAfter } from '../month-answer.js';
import type { TransactionChangeResponse } from './transaction.response.js';

/** Answers what a command about one transaction left. */
@Injectable()
export class TransactionAnswers {
  constructor(private readonly userNames: UserNames) {}

  /** JSON of a `TransactionChangeResponse`. @throws ApiError `not_found` */
  async of(call: HouseholdCall, executed: Executed): Promise<Answer<string>> {
    const { transactions, household, replayed } = executed;
    const [transaction] = transactions.values();
    if (!transaction) throw notFound('transaction');
    const body = transactionChangeText({
      transaction: transactionView(
        transaction,
        itemNamesIn(executed),
        await this.namesFor(call, transaction),
      ),
      months: monthsAfter(call.householdId, executed),
      untracked_count: household.untracked.count,
    });
    return { body, replayed };
  }

  /** Mostly it is one's own transaction, and one's own name is known. */
  private async namesFor(
    { actor, callerName }: HouseholdCall,
    transaction: TransactionRecord,
  ): Promise<Names> {
    const users = usersOf([transaction]);
    if (callerName === undefined || users.some(id => id !== actor.userId))
      return this.userNames.namesOf(users);
    return { get: () => callerName };
  }
}

/** The names of items as a command left them. */
export function itemNamesIn({ household: { items } }: Executed): Names {
  return { get: id => items.get(id)?.name };
}

/** As `JSON.stringify` makes it, with what the answers before it have in common taken over. */
export function transactionChangeText({
  transaction,
  months,
  untracked_count,
}: TransactionChangeResponse): string {
  return textWithList({ transaction }, 'months', months.map(monthText), { untracked_count });
}
