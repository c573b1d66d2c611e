import { touchedTransactions, evolve, evolveTransaction, type RecordedLedgerEvent } from '#ledger/events';
import { figuresOf } from '#ledger/figures';
import { NO_HOUSEHOLD, type Budget, type Household } from '#ledger/household';
import { contentOf, statusOf, type TransactionRecord } from '#ledger/transactions/transaction-record';

/** What a history means to its household: every figure, balance and transaction, with names in place of ids. */
export function meaningOf(events: readonly RecordedLedgerEvent[]): object {
  const household = evolve(NO_HOUSEHOLD, events);
  const records = new Map<string, TransactionRecord>();
  for (const event of events) {
    for (const id of touchedTransactions(event)) {
      records.set(id, evolveTransaction(records.get(id) ?? null, event));
    }
  }
  const name = (itemId: string): string => household.items.get(itemId)!.name;
  return {
    months: household.months.map(({ month, live, budget }) => ({
      month,
      live,
      budget: budget && budgetMeaning(household, budget),
    })),
    groups: [...household.groups.values()].map(({ name, color, isIncome }) => ({ name, color, isIncome })),
    funds: [...household.items.values()]
      .filter(({ terms }) => terms > 0)
      .map(({ id, fund, fundTarget }) => ({
        item: name(id),
        since: fund?.since ?? null,
        openingBalance: fund?.openingBalance ?? null,
        target: fundTarget,
        ending: household.fundBalances.get(id)?.ending ?? null,
      })),
    favorites: household.favorites.map(name),
    untracked: household.untracked.count,
    transactions: [...records.values()].map(record => ({
      ...contentOf(record),
      splits: record.splits.map(({ itemId, amount }) => ({ item: name(itemId), amount })),
      status: statusOf(record),
      createdAt: record.createdAt,
      createdBy: record.createdBy,
      updatedAt: record.updatedAt,
      updatedBy: record.updatedBy,
      deletedAt: record.deletedAt,
    })),
  };
}

function budgetMeaning(household: Household, budget: Budget): object {
  const { leftToBudget, center, groups, items } = figuresOf(household, budget);
  return {
    copiedFrom: budget.copiedFrom,
    createdAt: budget.createdAt,
    leftToBudget,
    center,
    groups: budget.groups.map(({ groupId, itemIds }) => ({
      name: household.groups.get(groupId)!.name,
      totals: groups.get(groupId),
      items: itemIds.map(itemId => {
        const { note, adjustments } = budget.items.get(itemId)!;
        const { name } = household.items.get(itemId)!;
        return { name, note, ...items.get(itemId), adjustments };
      }),
    })),
  };
}
