import type { CommandOf } from '../commands.js';
import type { LedgerEvent } from '../events.js';
import { figuresOf } from '../figures.js';
import { fundIn, type Household } from '../household.js';
import { ADJUSTMENTS_PER_MONTH_MAX } from '../limits.js';
import { Refusal } from '../refusal.js';
import { requireAtMost, requireBudget, requireItem } from './checks.js';

/**
 * Makes an item a fund from this month on; the balance is what it carries in.
 * @throws Refusal `not_found` for the month or an item that is not in it, `income_item`; `already_a_fund`, in
 *   whichever month it was opened
 */
export function openFund(household: Household, command: CommandOf<'OpenFund'>): LedgerEvent[] {
  const { month, itemId, openingBalance } = command;
  const { item } = requireItem(household, requireBudget(household, month), itemId);
  if (item.kind === 'income') throw new Refusal('income_item', 'An income item cannot be a fund.');
  if (item.fund) throw new Refusal('already_a_fund', 'The item is already a fund.');
  return [{ type: 'FundOpened', data: { month, itemId, openingBalance, term: item.terms } }];
}

/**
 * Records the difference between a fund's ending and what it really holds; none where it is 0.
 * @throws Refusal `not_found` for the month or an item that is not in it; `not_a_fund`, also before the
 *   opening month; `figure_out_of_range` for the difference; `month_full` with as many adjustments as a month
 *   can hold
 */
export function updateFundBalance(
  household: Household,
  command: CommandOf<'UpdateFundBalance'>,
): LedgerEvent[] {
  const { month, itemId, balance } = command;
  const budget = requireBudget(household, month);
  const { item } = requireItem(household, budget, itemId);
  if (!fundIn(item, month)) throw new Refusal('not_a_fund', `The item is not a fund in ${month}.`);
  const amount = balance - figuresOf(household, budget).items.get(itemId)!.ending!;
  if (amount === 0) return [];
  if (!Number.isSafeInteger(amount)) {
    throw new Refusal('figure_out_of_range', 'The difference is too large to be exact.');
  }
  const adjustments = [...budget.items.values()].reduce((sum, laid) => sum + laid.adjustments.length, 0);
  requireAtMost('adjustments', adjustments + 1, ADJUSTMENTS_PER_MONTH_MAX, month);
  return [{ type: 'FundBalanceUpdated', data: { month, itemId, amount } }];
}
