import type { CommandDeclaration, CommandDeclarations } from '../command-declaration.js';
import { evolve } from '../events.js';
import { changedMonths } from '../figures.js';
import type { Household } from '../household.js';
import { Refusal } from '../refusal.js';
import type { Amount } from '../values.js';
import { neededTransactions, transactionCommands, type TransactionCommand } from './transaction-commands.js';
import { isTransactionEvent, type TransactionEvent } from './transaction-events.js';
import { TransactionsAhead } from './transactions-ahead.js';

/** An event of a batch, and which operation made it. */
interface Made {
  readonly index: number;
  readonly event: TransactionEvent;
}

export interface BatchCommands {
  /** Decided in their order, each on what the earlier ones left, and recorded together. */
  BatchTransactions: {
    readonly operations: readonly TransactionCommand[];
    /** Creations of ids that are there already are left out, whatever their content. */
    readonly skipKnown: boolean;
  };
}

export const batchCommands: CommandDeclarations<BatchCommands> = {
  /**
   * Decides operations on transactions in their order, each as if the earlier ones had been recorded.
   * @throws Refusal as the first operation that is refused, with its place as `index` in the details
   */
  BatchTransactions: {
    needs(household, { operations, skipKnown }) {
      const ids = [...new Set(operations.map(({ id }) => id))];
      const created = operations.flatMap(({ type, id }) => (type === 'CreateTransaction' ? [id] : []));
      const needed = neededTransactions(household, ids, created);
      return skipKnown ? { ...needed, posted: [] } : needed;
    },
    decide(household, { operations, skipKnown }, facts) {
      const ahead = new TransactionsAhead(household, facts.transactions);
      const posted = new Map(facts.posted);
      const soFar = { ...facts, transactions: ahead.records, posted };
      const made: Made[] = [];
      for (const [index, operation] of operations.entries()) {
        const { type, id } = operation;
        if (skipKnown && type === 'CreateTransaction' && ahead.records.has(id)) continue;
        const { decide }: CommandDeclaration<TransactionCommand> = transactionCommands[type];
        const events = ofOperation(index, () => decide(ahead.household, operation, soFar));
        for (const event of events.filter(isTransactionEvent)) {
          ahead.add(event);
          made.push({ index, event });
          if (event.type === 'TransactionCreated') posted.set(id, event.data.content);
        }
      }
      requireExactOnTheWay(household, made);
      return made.map(({ event }) => event);
    },
  },
};

function ofOperation<T>(index: number, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.message, { ...error.details, index });
  }
}

/** That every figure is exact after each of the events: a log is also read in parts. Nearly always none comes so far. */
function requireExactOnTheWay(household: Household, made: readonly Made[]): void {
  const moved = made.reduce((sum, { event }) => sum + amountMovedBy(event), 0);
  if (largestOf(household) + moved < Number.MAX_SAFE_INTEGER / 2) return;
  let before = household;
  for (const { index, event } of made) {
    const after = evolve(before, [{ ...event, id: '', at: '', by: '', revision: before.revision + 1 }]);
    const known = before;
    ofOperation(index, () => changedMonths(known, after));
    before = after;
  }
}

/** By how much an event can move a figure at most. */
function amountMovedBy({ data }: TransactionEvent): Amount {
  const counted = 'content' in data ? [data.content] : 'before' in data ? [data.before, data.after] : [data];
  return counted.flatMap(({ splits }) => splits).reduce((sum, { amount }) => sum + amount, 0);
}

/** No figure of any month is larger: what all its items come to where nothing cancels out. */
function largestOf({ months }: Household): Amount {
  let largest = 0;
  for (const { budget } of months) {
    let sum = 0;
    for (const { planned, activity, carryIn, adjustments } of budget?.items.values() ?? []) {
      sum += planned + Math.abs(activity) + Math.abs(carryIn ?? 0);
      for (const { amount } of adjustments) sum += Math.abs(amount);
    }
    largest = Math.max(largest, sum);
  }
  return largest;
}
