/** What a drag of transactions carries: their ids as JSON. */
export const DRAGGED_TRANSACTIONS = 'application/x-ledger-transactions';

/** The ids that were dropped; none where something else was. */
export function droppedTransactions(data: DataTransfer): readonly string[] {
  const text = data.getData(DRAGGED_TRANSACTIONS);
  return text === '' ? [] : (JSON.parse(text) as readonly string[]);
}
