import { dataOf, LedgerError } from '#client/client';
import { apiOf, type Schemas } from '../api/client.js';
import { inTurn } from '../api/commands.js';
import { revisionOf, storeMonths } from '../api/month-cache.js';
import { queryClient } from '../api/query-client.js';
import { undoCommand } from '../api/undo.js';
import { sayDone } from '../ui/toasts.js';

type TransactionChange = Schemas['TransactionChange'];

/** One step of a batch; the service decides them in order and records all of them or none. */
export type Operation = Schemas['BatchBody']['operations'][number];

/** A call's answer beside its headers. */
interface Answered {
  readonly data?: TransactionChange;
  readonly error?: unknown;
  readonly response: Response;
}

/** Shows what a command on a transaction answered, says so, and offers to undo it. */
export function showChange(
  household: string,
  { months }: TransactionChange,
  etag: string | null,
  text: string,
): void {
  storeMonths(household, months, etag);
  void readListsAgain(household);
  sayDone(text, () => void undoCommand(household, revisionOf(etag)));
}

/** Lists, merchants and the activity may say something else after a change of transactions. */
export async function readListsAgain(household: string): Promise<void> {
  const names = ['transactions', 'merchants', 'activity', 'reports'];
  await Promise.all(names.map(name => queryClient.invalidateQueries({ queryKey: [household, name] })));
}

/**
 * Changes a transaction if it still is as somebody saw it.
 * @throws LedgerError `precondition_failed` where somebody else changed it since
 */
export async function changeTransaction(
  household: string,
  id: string,
  body: Schemas['ChangeTransactionBody'],
  etag: string | null,
): Promise<void> {
  const { change, tag } = await answered(() =>
    apiOf(household).PATCH('/transactions/{transactionId}', {
      params: { path: { transactionId: id }, ...(etag !== null && { header: { 'If-Match': etag } }) },
      body,
    }),
  );
  showChange(household, change, tag, `Changed ${change.transaction.merchant}.`);
}

export async function deleteTransaction(household: string, id: string): Promise<void> {
  const { change, tag } = await answered(() =>
    apiOf(household).DELETE('/transactions/{transactionId}', { params: { path: { transactionId: id } } }),
  );
  showChange(household, change, tag, `Deleted ${change.transaction.merchant}.`);
}

export async function restoreTransaction(household: string, id: string): Promise<void> {
  const { change, tag } = await answered(() =>
    apiOf(household).POST('/transactions/{transactionId}/restore', {
      params: { path: { transactionId: id } },
    }),
  );
  showChange(household, change, tag, `Restored ${change.transaction.merchant}.`);
}

/** Several changes as one command, which is undone as one. */
export async function changeMany(
  household: string,
  operations: readonly Operation[],
  text: string,
): Promise<void> {
  await batch(household, operations);
  void readListsAgain(household);
  sayDone(text, () => void undoCommand(household));
}

/** @throws LedgerError as the service refused the first operation that it refused */
export async function batch(
  household: string,
  operations: readonly Operation[],
  { skip_known = false }: { readonly skip_known?: boolean } = {},
): Promise<Schemas['Batch']> {
  const body = { operations: [...operations], skip_known };
  const result = await inTurn(() => dataOf(apiOf(household).POST('/transactions/batch', { body })));
  storeMonths(household, result.months, null);
  return result;
}

async function answered(
  call: () => Promise<Answered>,
): Promise<{ readonly change: TransactionChange; readonly tag: string | null }> {
  const { data, error, response } = await inTurn(call);
  if (!data) throw LedgerError.of(response, error);
  return { change: data, tag: response.headers.get('ETag') };
}
