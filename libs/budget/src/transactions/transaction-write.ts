import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#http/api-error';
import type { Answer } from '#http/repeatable-write';
import { UserNames } from '#identity/accounts/accounts';
import type { TransactionCommand } from '#ledger/transactions/transaction-commands';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import { changedMonthViews, monthText, textWithList } from '#projections/month-document';
import { transactionView, usersOf, type Names } from '#projections/transaction-document';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { Executed } from '#engine/commands/command-call';
import type { HouseholdCall } from '../household-call.js';
import type { TransactionChangeResponse } from './transaction.response.js';

/** A use case about one transaction. Its answer has it and the months that changed: a `TransactionChangeResponse` as JSON. */
export abstract class TransactionWrite extends Command<Answer<string>> {
  constructor(
    readonly call: HouseholdCall,
    readonly command: TransactionCommand,
  ) {
    super();
  }
}

/** Carries every `TransactionWrite` out: the bus finds the handler of a class by the one that it extends. */
@CommandHandler(TransactionWrite)
export class TransactionWriteHandler implements ICommandHandler<TransactionWrite> {
  constructor(
    private readonly commands: HouseholdCommands,
    private readonly userNames: UserNames,
  ) {}

  async execute({ call, command }: TransactionWrite): Promise<Answer<string>> {
    const executed = await this.commands.handle(call, command);
    const [transaction] = executed.transactions.values();
    if (!transaction) throw notFound('transaction');
    const names = await this.namesFor(call, transaction);
    const body = transactionChangeText({
      transaction: transactionView(transaction, itemNamesIn(executed), names),
      months: changedMonthViews(call.householdId, executed),
      untracked_count: executed.household.untracked.count,
    });
    return { body, replayed: executed.replayed };
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

/** As `JSON.stringify` makes it, reusing the text of unchanged groups. */
export function transactionChangeText({
  transaction,
  months,
  untracked_count,
}: TransactionChangeResponse): string {
  return textWithList({ transaction }, 'months', months.map(monthText), { untracked_count });
}
