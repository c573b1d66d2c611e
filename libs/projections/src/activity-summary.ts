import { phraseOfAll, type RecordedLedgerEvent } from '#ledger/events';
import { PresentNames } from '#ledger/present-names';
import type { Ulid } from '#ledger/values';
import type { IdentitiesDocument } from './month-document.js';
import { transactionIdOf, type TransactionDocument } from './transaction-document.js';

/** The names that a household's documents say, and those of users. @param decimals of the household's currency */
export function presentNames(
  { groups, items }: Pick<IdentitiesDocument, 'groups' | 'items'>,
  transactions: readonly TransactionDocument[],
  users: ReadonlyMap<Ulid, string>,
  decimals: number,
): PresentNames {
  return new PresentNames(
    users,
    new Map(groups.map(({ id, name }) => [id, name])),
    new Map(items.map(({ id, name }) => [id, name])),
    new Map(transactions.map(({ key, record }) => [transactionIdOf(key), record])),
    decimals,
  );
}

/** One sentence for a person about what a command did. @param events all of it, in their order */
export function summaryOf(events: readonly RecordedLedgerEvent[], names: PresentNames): string {
  const [first] = events;
  return first ? `${names.user(first.by)} ${phraseOfAll(events, names)}.` : '';
}
