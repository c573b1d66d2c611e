import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { keysUnder } from '#storage/documents/declared';
import { Documents } from '#storage/documents/documents';
import { notFound } from '#ledger/refusal';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import { paddedRevision } from '#projections/household-documents';
import { recordOf, transactionKey } from '#projections/transaction-document';
import { CommandLog, type RecordedCommandEvents } from '#engine/commands/command-log';
import type { HouseholdInCurrency } from '../household-call.js';
import { HouseholdReads } from '../household-reads.js';
import { ActivityEntries } from './activity-entries.js';
import type { ActivityEntry } from './activity.response.js';

/** How many changes are looked up in the index, and told about, at once. */
const PAGE_CHANGES = 50;
/** How many commands are read at once. */
const READS_AT_ONCE = 8;

/** Everything that happened to one transaction, oldest first, page by page. */
export class GetTransactionHistory extends Query<AsyncIterable<readonly ActivityEntry[]>> {
  constructor(
    readonly household: HouseholdInCurrency,
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

  /** @throws Refusal `not_found` */
  async execute({
    household,
    transactionId,
  }: GetTransactionHistory): Promise<AsyncIterable<readonly ActivityEntry[]>> {
    const { householdId } = household;
    await this.reads.ready(householdId);
    const models = this.reads.models;
    const found = await this.documents.get(models.transactions, transactionKey(householdId, transactionId));
    if (!found) throw notFound('transaction', transactionId);
    return this.entriesOf(household, this.revisions(householdId, recordOf(found)));
  }

  private async *entriesOf(
    household: HouseholdInCurrency,
    revisions: AsyncIterable<readonly number[]>,
  ): AsyncGenerator<readonly ActivityEntry[]> {
    const { householdId } = household;
    let last = -1;
    for await (const page of revisions) {
      const commands = (await this.commands(householdId, page)).filter(([{ revision }]) => revision > last);
      last = commands.at(-1)?.[0].revision ?? last;
      yield await this.reads.joined(householdId, () => this.entries.of(household, commands));
    }
  }

  /** Of the events that touched a transaction, ascending. */
  private async *revisions(
    householdId: string,
    { id, createdRevision }: TransactionRecord,
  ): AsyncGenerator<readonly number[]> {
    const key = transactionKey(householdId, id);
    let last = -1;
    for (let told = [createdRevision]; ; told = []) {
      const page = await this.documents.range(this.reads.models.transactionChanges, {
        ...keysUnder(key),
        from: `${key}|${paddedRevision(last + 1)}`,
        limit: PAGE_CHANGES,
      });
      told.push(...page.map(({ revision }) => revision));
      if (told.length > 0) yield told;
      if (page.length < PAGE_CHANGES) return;
      last = page.at(-1)!.revision;
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
