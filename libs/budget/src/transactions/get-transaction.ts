import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Documents } from '#storage/documents/documents';
import { notFound } from '#ledger/refusal';
import { UserNames } from '#identity/accounts/accounts';
import {
  recordOf,
  transactionKey,
  transactionView,
  usersOf,
  type TransactionView,
} from '#projections/transaction-document';
import type { Versioned } from '../household-call.js';
import { HouseholdReads, itemNamesOf } from '../household-reads.js';

/** One transaction, also a deleted one. */
export class GetTransaction extends Query<Versioned<TransactionView>> {
  constructor(
    readonly householdId: string,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(GetTransaction)
export class GetTransactionHandler implements IQueryHandler<GetTransaction> {
  constructor(
    private readonly documents: Documents,
    private readonly reads: HouseholdReads,
    private readonly userNames: UserNames,
  ) {}

  /** @throws Refusal `not_found` */
  execute({ householdId, id }: GetTransaction): Promise<Versioned<TransactionView>> {
    return this.reads.joined(householdId, () => this.read(householdId, id));
  }

  private async read(householdId: string, id: string): Promise<Versioned<TransactionView>> {
    const [document, identities] = await Promise.all([
      this.documents.get(this.reads.models.transactions, transactionKey(householdId, id)),
      this.reads.identities(householdId),
    ]);
    if (!document) throw notFound('transaction', id);
    const record = recordOf(document);
    const userNames = await this.userNames.namesOf(usersOf([record]));
    return {
      body: transactionView(record, itemNamesOf(identities), userNames),
      revision: record.revision,
    };
  }
}
