import { get, update } from 'idb-keyval';
import { LedgerError } from '#client/client';
import { apiOf, type Schemas } from '../api/client.js';
import { inTurn } from '../api/commands.js';
import { sentenceOf } from '../api/sentences.js';
import { showChange } from '../transactions/transaction-commands.js';
import { signal, type Signal } from '../ui/signal.js';

type NewTransaction = Schemas['CreateTransactionBody'];

/** A transaction that the service has not confirmed yet. It is kept in the browser until it has. */
interface WaitingTransaction {
  readonly userId: string;
  readonly household: string;
  readonly body: NewTransaction;
  /** Why the service refused it; null while it was not refused. */
  readonly problem: string | null;
}

/** What waits, oldest first; also that of other people who use this browser. */
export const waiting: Signal<readonly WaitingTransaction[]> = signal<readonly WaitingTransaction[]>([]);

const STORE_KEY = 'waiting-transactions';
const LOCK = 'send-waiting-transactions';
const RETRY_MS = 20_000;

/** Reads what an earlier visit left, and sends it now and whenever there is a network again. */
export function sendWaitingOf(userId: string): () => void {
  const sendAll = (): void => void sendWaiting(userId);
  sendAll();
  window.addEventListener('online', sendAll);
  // A network may be there and the service not; `online` does not tell.
  const timer = setInterval(() => waiting.get().length > 0 && sendAll(), RETRY_MS);
  return () => {
    window.removeEventListener('online', sendAll);
    clearInterval(timer);
  };
}

/**
 * Keeps a new transaction and sends it.
 * @returns whether it was recorded; it waits where the service cannot be reached
 * @throws LedgerError where the service refuses it, which then is not kept
 */
export async function record(transaction: Omit<WaitingTransaction, 'problem'>): Promise<boolean> {
  const kept = { ...transaction, problem: null };
  await change(list => [...list, kept]);
  try {
    return await deliver(kept);
  } catch (error) {
    await forget(kept.body.id);
    throw error;
  }
}

/** Removes a transaction that waits. */
export async function forget(id: string): Promise<void> {
  await change(list => list.filter(({ body }) => body.id !== id));
}

/** Sends what one person has waiting, in order. Two tabs never send at once. */
async function sendWaiting(userId: string): Promise<void> {
  await navigator.locks.request(LOCK, { ifAvailable: true }, async lock => {
    if (!lock) return;
    waiting.set((await get<readonly WaitingTransaction[]>(STORE_KEY)) ?? []);
    for (const kept of waiting.get()) {
      if (kept.userId !== userId || kept.problem !== null) continue;
      try {
        if (!(await deliver(kept))) return;
      } catch (error) {
        await change(list => list.map(each => (each.body.id === kept.body.id ? refused(each, error) : each)));
      }
    }
  });
}

function refused(kept: WaitingTransaction, error: unknown): WaitingTransaction {
  return { ...kept, problem: sentenceOf(error) };
}

/** The id of the transaction makes it safe to send it again after an answer that got lost. */
async function deliver({ household, body }: WaitingTransaction): Promise<boolean> {
  try {
    const { data, error, response } = await inTurn(() => apiOf(household).POST('/transactions', { body }));
    if (!data) throw LedgerError.of(response, error);
    await forget(body.id);
    showChange(household, data, response.headers.get('ETag'), `Saved ${data.transaction.merchant}.`);
    return true;
  } catch (error) {
    if (isPassing(error)) return false;
    throw error;
  }
}

/** Whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  if (error instanceof LedgerError) return error.status >= 500 || error.status === 429;
  return error instanceof TypeError;
}

async function change(
  by: (list: readonly WaitingTransaction[]) => readonly WaitingTransaction[],
): Promise<void> {
  await update<readonly WaitingTransaction[]>(STORE_KEY, list => {
    const next = by(list ?? []);
    waiting.set(next);
    return next;
  });
}
