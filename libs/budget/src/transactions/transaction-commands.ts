import { Injectable } from '@nestjs/common';
import { notFound } from '#http/api-error';
import type { Answer } from '#http/repeatable-write';
import { UserNames } from '#identity/accounts/accounts';
import type { CommandOf } from '#ledger/commands';
import type { TransactionRecord } from '#ledger/transaction-record';
import { transactionView, usersOf, type Names } from '#projections/transaction-view';
import type { Executed } from '#streams/executed';
import type { HouseholdCall } from '../household-call.js';
import { HouseholdCommands } from '../household-commands.js';
import { monthsAfter } from '../month-answer.js';
import type { TransactionChangeResponse } from './transaction.response.js';

type TransactionCommand = CommandOf<
  'CreateTransaction' | 'ChangeTransaction' | 'DeleteTransaction' | 'RestoreTransaction'
>;

/** Sends commands about one transaction and answers what they left. */
@Injectable()
export class TransactionCommands {
  constructor(
    private readonly commands: HouseholdCommands,
    private readonly userNames: UserNames,
  ) {}

  /** @throws as `HouseholdCommands.send`; ApiError `not_found` */
  async execute(
    call: HouseholdCall,
    command: TransactionCommand,
  ): Promise<Answer<TransactionChangeResponse>> {
    const executed = await this.commands.send(call, command);
    const { transaction, household, replayed } = executed;
    if (!transaction) throw notFound('transaction');
    const body = {
      transaction: transactionView(
        transaction,
        itemNamesIn(executed),
        await this.namesFor(call, transaction),
      ),
      months: monthsAfter(call.householdId, executed),
      untracked_count: household.untracked.count,
    };
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

function itemNamesIn({ household: { items } }: Executed): Names {
  return { get: id => items.get(id)?.name };
}
