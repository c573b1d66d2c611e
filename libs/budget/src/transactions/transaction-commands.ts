import { Injectable } from '@nestjs/common';
import { notFound } from '#http/api-error';
import { UserNames } from '#identity/accounts/account-records';
import type { CommandOf } from '#ledger/commands';
import { transactionView, usersOf, type Names } from '#projections/transaction-view';
import type { Executed } from '#streams/household-streams';
import type { Answer, HouseholdCall } from '../household-call.js';
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

  /** @throws as `HouseholdCommands.execute`; ApiError `not_found` */
  async execute(
    call: HouseholdCall,
    command: TransactionCommand,
  ): Promise<Answer<TransactionChangeResponse>> {
    const { userId } = call.actor;
    const [executed, callerName] = await Promise.all([
      this.commands.execute(call, command),
      this.userNames.namesOf([userId]),
    ]);
    const { transaction, household, replayed } = executed;
    if (!transaction) throw notFound('transaction');
    const users = usersOf([transaction]);
    // Mostly one's own transaction, whose names were read while the command ran.
    const names = users.every(id => id === userId) ? callerName : await this.userNames.namesOf(users);
    const body = {
      transaction: transactionView(transaction, itemNamesIn(executed), names),
      months: monthsAfter(call.householdId, executed),
      untracked_count: household.untracked.count,
    };
    return { body, replayed };
  }
}

function itemNamesIn({ household: { items } }: Executed): Names {
  return { get: id => items.get(id)?.name };
}
