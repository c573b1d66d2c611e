import type { CommandDeclarations } from '../command-declaration.js';
import { figuresOf } from '../figures.js';
import { fundIn } from '../household.js';
import { requireRoom } from '../limits.js';
import { Refusal, requireBudget, requireItem } from '../refusal.js';
import type { Amount, Month, Ulid } from '../values.js';

/** What can be asked of funds. An item's change, `ChangeItem`, sets a fund's target and ends the fund. */
export interface FundCommands {
  OpenFund: { readonly month: Month; readonly itemId: Ulid; readonly openingBalance: Amount };
  UpdateFundBalance: { readonly month: Month; readonly itemId: Ulid; readonly balance: Amount };
}

export const fundCommands: CommandDeclarations<FundCommands> = {
  /**
   * Makes an item a fund from this month on; the balance is what it carries in.
   * @throws Refusal `not_found` for the month or an item that is not in it, `income_item`, `already_a_fund`
   */
  OpenFund: {
    decide(household, { month, itemId, openingBalance }) {
      const { item } = requireItem(household, requireBudget(household, month), itemId);
      if (item.kind === 'income') throw new Refusal('income_item', 'An income item cannot be a fund.');
      if (item.fund) throw new Refusal('already_a_fund', 'The item is already a fund.');
      return [{ type: 'FundOpened', data: { month, itemId, openingBalance, term: item.terms } }];
    },
  },
  /**
   * Records the difference between a fund's ending and what it really holds; none where it is 0.
   * @throws Refusal `not_found` for the month or an item that is not in it; `not_a_fund`, also before the opening month;
   *   `figure_out_of_range` for the difference; `month_full`
   */
  UpdateFundBalance: {
    decide(household, { month, itemId, balance }) {
      const budget = requireBudget(household, month);
      const { item } = requireItem(household, budget, itemId);
      if (!fundIn(item, month)) throw new Refusal('not_a_fund', `The item is not a fund in ${month}.`);
      const amount = balance - figuresOf(household, budget).items.get(itemId)!.ending!;
      if (amount === 0) return [];
      if (!Number.isSafeInteger(amount)) {
        throw new Refusal('figure_out_of_range', 'The difference is too large to be exact.');
      }
      requireRoom(budget, { adjustments: 1 });
      return [{ type: 'FundBalanceUpdated', data: { month, itemId, amount } }];
    },
  },
};
