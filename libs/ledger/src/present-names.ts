import type { TransactionBrief } from './transactions/transaction-record.js';
import { decimalText, exactSum, type Amount, type Kind, type Ulid } from './values.js';

/** What a sentence writes before a negative amount. */
const MINUS = '−';

type NamesById = ReadonlyMap<Ulid, string>;

/** What sentences call things: by their present names, and amounts in the household's currency. */
export class PresentNames {
  /** @param decimals of the household's currency */
  constructor(
    private readonly users: NamesById,
    private readonly groups: NamesById,
    private readonly items: NamesById,
    private readonly transactions: ReadonlyMap<Ulid, Required<TransactionBrief>>,
    private readonly decimals: number,
  ) {}

  user(id: Ulid): string {
    return this.users.get(id) || 'Somebody';
  }

  groupName(id: Ulid, otherwise = 'a group'): string {
    return this.groups.get(id) ?? otherwise;
  }

  /** As `the group Food`. */
  group(id: Ulid): string {
    return this.groups.has(id) ? `the group ${this.groups.get(id)}` : 'a group';
  }

  item(id: Ulid, otherwise = 'an item'): string {
    return this.items.get(id) ?? otherwise;
  }

  transaction(id: Ulid): Required<TransactionBrief> | undefined {
    return this.transactions.get(id);
  }

  money(amount: Amount): string {
    return decimalText(amount, this.decimals).replace('-', MINUS);
  }

  /** As `of 12.50 at Bakery`. */
  ofTransaction(type: Kind, { amount, merchant }: Required<TransactionBrief>): string {
    const place = type === 'income' ? `from ${merchant}` : `at ${merchant}`;
    return `of ${this.money(amount)} ${place}`;
  }

  /** As `, planning 12.50`, for what comes into a month. */
  withPlan(planned: Amount): string {
    return planned === 0 ? '' : `, planning ${this.money(planned)}`;
  }

  /** What was planned for items that leave a month or come back to it. */
  withPlans(items: readonly { readonly planned: Amount }[]): string {
    const planned = exactSum(items.map(item => item.planned));
    return planned === null || planned === 0 ? '' : `, with ${this.money(planned)} planned`;
  }
}

/** As `one transaction` or `40 transactions`. */
export function countOfTransactions(count: number): string {
  return count === 1 ? 'one transaction' : `${count} transactions`;
}
