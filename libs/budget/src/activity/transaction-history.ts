import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Documents } from '#documents/documents';
import { notFound } from '#http/api-error';
import { paddedRevision } from '#projections/household-documents';
import { transactionKey } from '#projections/transaction-document';
import { CommandLog, type RecordedCommandEvents } from '#streams/command-log';
import { HouseholdReads } from '../household-reads.js';
import { ActivityEntries } from './activity-entries.js';
import type { TransactionHistoryResponse } from './activity.response.js';

/** How many changes are looked up in the index at once. */
const INDEX_PAGE = 500;
/** How many commands are read at once. */
const READS_AT_ONCE = 8;

/** Everything that happened to one transaction, oldest first. */
export class GetTransactionHistory extends Query<TransactionHistoryResponse> {
  constructor(
    readonly householdId: string,
    readonly transactionId: string,
  ) {
    super();
  }
}

@QueryHandler(GetTransactionHistory)
export class GetTransactionHistoryHandler implements IQueryHandler<GetTransactionHistory> {
  constructor(
    private readonly documents: Documents,
    private readonly log: CommandLog,
    private readonly reads: HouseholdReads,
    private readonly entries: ActivityEntries,
  ) {}

  /** @throws ApiError `not_found` */
  async execute({ householdId, transactionId }: GetTransactionHistory): Promise<TransactionHistoryResponse> {
    await this.reads.ready(householdId);
    const models = this.reads.modelsOf(householdId);
    const found = await this.documents.get(models.transactions, transactionKey(householdId, transactionId));
    if (!found) throw notFound('transaction');
    const changes = await this.changes(householdId, transactionId);
    const commands = await this.commands(householdId, [found.record.createdRevision, ...changes]);
    return { history: await this.reads.joined(householdId, () => this.entries.of(householdId, commands)) };
  }

  /** Revisions of the events that touched the transaction after its creation, ascending. */
  private async changes(householdId: string, transactionId: string): Promise<number[]> {
    const key = transactionKey(householdId, transactionId);
    const revisions: number[] = [];
    for (;;) {
      const page = await this.documents.range(this.reads.modelsOf(householdId).transactionChanges, {
        from: `${key}|${paddedRevision((revisions.at(-1) ?? -1) + 1)}`,
        // `}` is the character after `|`.
        before: `${key}}`,
        limit: INDEX_PAGE,
      });
      for (const { revision } of page) revisions.push(revision);
      if (page.length < INDEX_PAGE) return revisions;
    }
  }

  /** The commands of those events, each once. */
  private async commands(
    householdId: string,
    revisions: readonly number[],
  ): Promise<RecordedCommandEvents[]> {
    const commands = new Map<string, RecordedCommandEvents>();
    for (let i = 0; i < revisions.length; i += READS_AT_ONCE) {
      const reads = revisions
        .slice(i, i + READS_AT_ONCE)
        .map(revision => this.log.commandAt(householdId, revision));
      for (const command of await Promise.all(reads)) if (command) commands.set(command[0].id, command);
    }
    return [...commands.values()];
  }
}
