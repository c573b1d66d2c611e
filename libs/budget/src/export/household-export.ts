import { Injectable } from '@nestjs/common';
import { Documents } from '#storage/documents/documents';
import { EventStore } from '#storage/event-store/event-store';
import { jsonElements } from '#http/answer-in-parts';
import { decimalsOf } from '#http/currencies';
import { UserNames } from '#identity/accounts/accounts';
import { Clock } from '#concurrency/clock';
import { type IdentitiesDocument, monthKey, presentMonth, monthView } from '#projections/month-document';
import { recordOf, transactionView, usersOf, type TransactionView } from '#projections/transaction-document';
import { hashOf, lastEventOf } from '#engine/households/household-stream';
import { HouseholdReads, itemNamesOf } from '../household-reads.js';
import type { HouseholdInCurrency } from '../household-call.js';
import { csvHeader, csvRows, type CsvContext } from './csv.js';

/** How long a part of a CSV text becomes before it is sent: a row for each split repeats what the transaction says. */
const PART_LENGTH = 64 * 1024;

/** The last event of a household's stream: a kept copy reveals a later change of the history. */
interface Head {
  /** -1 if there are no events. */
  readonly revision: number;
  /** SHA-256 in hexadecimal; null where nothing happened yet. */
  readonly hash: string | null;
}

/** Writes a whole household out, page by page: memory does not grow with it. */
@Injectable()
export class HouseholdExport {
  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    private readonly reads: HouseholdReads,
    private readonly userNames: UserNames,
    private readonly clock: Clock,
  ) {}

  /**
   * One JSON document. Everything up to its head is in it; what is recorded while it is written may be.
   * @throws EventStoreUnavailable, DocumentsUnavailable
   */
  async *json({ householdId, currency }: HouseholdInCurrency): AsyncGenerator<string> {
    await this.reads.ready(householdId);
    const head = await this.head(householdId);
    const identities = await this.reads.identities(householdId);
    const exportedAt = new Date(this.clock.now()).toISOString();
    const beginning = {
      household_id: householdId,
      currency,
      exported_at: exportedAt,
      head,
      ...identityLists(identities),
    };
    yield `${JSON.stringify(beginning).slice(0, -1)},"months":[`;
    yield* jsonElements(this.months(householdId));
    yield '],"transactions":[';
    yield* jsonElements(this.transactions(householdId));
    yield ']}\n';
  }

  /** The transactions as comma-separated values, in the order of their ids. @throws as `json` */
  async *csv({ householdId, currency }: HouseholdInCurrency): AsyncGenerator<string> {
    const decimals = decimalsOf(currency);
    yield csvHeader();
    for await (const page of this.transactions(householdId)) {
      const context = { decimals, groupOf: await this.groupsOf(householdId, page) };
      let text = '';
      for (const transaction of page) {
        text += csvRows(transaction, context);
        if (text.length < PART_LENGTH) continue;
        yield text;
        text = '';
      }
      if (text !== '') yield text;
    }
  }

  /** In which groups the items of transactions stand now, by their names. */
  private async groupsOf(
    householdId: string,
    transactions: readonly TransactionView[],
  ): Promise<CsvContext['groupOf']> {
    const split = transactions.filter(({ splits }) => splits.length > 0);
    const keys = [...new Set(split.map(({ budget_month }) => monthKey(householdId, budget_month)))];
    const [documents, { groups }] = await Promise.all([
      keys.length === 0 ? [] : this.documents.getMany(this.reads.models.months, keys),
      this.reads.identities(householdId),
    ]);
    const names = new Map(groups.map(({ id, name }) => [id, name]));
    const months = documents.flatMap(document => presentMonth(document) ?? []);
    const groupOfItem = new Map(
      months.flatMap(({ month, groups: laid }) =>
        laid.flatMap(({ id, items }) => items.map(item => [`${month}|${item.id}`, names.get(id) ?? null])),
      ),
    );
    return (month, itemId) => groupOfItem.get(`${month}|${itemId}`) ?? null;
  }

  private async head(householdId: string): Promise<Head> {
    const last = await lastEventOf(this.store, householdId);
    return last ? { revision: last.revision, hash: hashOf(last.stream, last) } : { revision: -1, hash: null };
  }

  private async *months(householdId: string): AsyncGenerator<readonly object[]> {
    const untracked = await this.reads.untrackedCount(householdId);
    for await (const page of this.reads.pages('months', householdId)) {
      yield await this.reads.joined(householdId, async () => {
        const identities = await this.reads.identities(householdId);
        const present = page.flatMap(document => presentMonth(document) ?? []);
        return present.map(document => monthView(document, identities, untracked));
      });
    }
  }

  private async *transactions(householdId: string): AsyncGenerator<readonly TransactionView[]> {
    for await (const page of this.reads.pages('transactions', householdId)) {
      const records = page.map(recordOf);
      const userNames = await this.userNames.namesOf(usersOf(records));
      yield await this.reads.joined(householdId, async () => {
        const itemNames = itemNamesOf(await this.reads.identities(householdId));
        return records.map(record => transactionView(record, itemNames, userNames));
      });
    }
  }
}

/** What groups and items are in every month, as the API shows them elsewhere. */
function identityLists({ groups, items, favorites }: IdentitiesDocument): object {
  const favored = new Set(favorites);
  return {
    groups: groups.map(({ id, name, color, is_income }) => ({ id, name, color, is_income })),
    items: items.map(({ id, name, kind, is_fund, fund_target }) => {
      return { id, name, kind, is_fund, favorite: favored.has(id), fund_target };
    }),
  };
}
