import type { CommandOf } from '../commands.js';
import type { LedgerEvent, RecordedLedgerEvent, TransactionContent, Ulid } from '../events.js';
import { evolve } from '../evolve.js';
import type { Household } from '../household.js';
import type { LaidItem } from '../laid-items.js';
import type { Amount } from '../money.js';
import { Refusal } from '../refusal.js';
import type { TransactionEvent, TransactionRecord } from '../transaction-record.js';
import { TransactionsAhead } from '../transactions-ahead.js';
import { requireExactFigures } from './checks.js';
import { decideTransaction } from './transactions.js';

/** An event of a batch, and which operation made it. */
interface Made {
  readonly index: number;
  readonly event: TransactionEvent;
}

/**
 * Decides operations on transactions in their order, each as if the earlier ones had been recorded.
 * @param transactions those that they name, as far as they are there
 * @param posted what was first posted of them, where they are created
 * @throws Refusal as the first operation that is refused, with its place as `index` in the details
 */
export function batchTransactions(
  household: Household,
  { operations, skipKnown }: CommandOf<'BatchTransactions'>,
  transactions: ReadonlyMap<Ulid, TransactionRecord>,
  posted: ReadonlyMap<Ulid, TransactionContent>,
): LedgerEvent[] {
  const ahead = new TransactionsAhead(household, transactions);
  const firstPosted = new Map(posted);
  const made: Made[] = [];
  for (const [index, operation] of operations.entries()) {
    const { id } = operation;
    const existing = ahead.get(id);
    if (skipKnown && existing && operation.type === 'CreateTransaction') continue;
    const events = ofOperation(index, () =>
      decideTransaction(ahead.household, operation, existing, firstPosted.get(id) ?? null),
    );
    for (const event of events) {
      ahead.add(event);
      made.push({ index, event });
      if (event.type === 'TransactionCreated') firstPosted.set(id, event.data.content);
    }
  }
  requireExactOnTheWay(household, made);
  return made.map(({ event }) => event);
}

function ofOperation<T>(index: number, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.message, { ...error.details, index });
  }
}

/**
 * That every figure is exact after each of the events, and not only after all of them: a log is also read in parts.
 * Nearly always no figure can come so far; otherwise each state is looked at.
 */
function requireExactOnTheWay(household: Household, made: readonly Made[]): void {
  const moved = made.reduce((sum, { event }) => sum + amountMovedBy(event), 0);
  if (largestOf(household) + moved < Number.MAX_SAFE_INTEGER / 2) return;
  let before = household;
  for (const { index, event } of made) {
    const recorded: RecordedLedgerEvent = { ...event, id: '', at: '', by: '', revision: before.revision + 1 };
    const after = evolve(before, [recorded]);
    const known = before;
    ofOperation(index, () => requireExactFigures(known, after));
    before = after;
  }
}

/** By how much an event can move a figure at most. */
function amountMovedBy(event: TransactionEvent): Amount {
  switch (event.type) {
    case 'TransactionCreated':
      return totalOf(event.data.content);
    case 'TransactionChanged':
      return totalOf(event.data.before) + totalOf(event.data.after);
    default:
      return totalOf(event.data);
  }
}

function totalOf({ splits }: Pick<TransactionContent, 'splits'>): Amount {
  return splits.reduce((sum, { amount }) => sum + amount, 0);
}

/** No figure of any month is larger: what all its items could come to if nothing cancelled out. About, as far as it is large. */
function largestOf({ months }: Household): Amount {
  let largest = 0;
  for (const { budget } of months) {
    let sum = 0;
    for (const laid of budget?.items.values() ?? []) sum += largestOfItem(laid);
    largest = Math.max(largest, sum);
  }
  return largest;
}

function largestOfItem({ planned, activity, carryIn, adjustments }: LaidItem): Amount {
  let sum = planned + Math.abs(activity) + Math.abs(carryIn ?? 0);
  for (const { amount } of adjustments) sum += Math.abs(amount);
  return sum;
}
