import {
  budgetOf,
  type Budget,
  type GroupIdentity,
  type Household,
  type ItemIdentity,
  type LaidItem,
} from './household.js';
import type { Month, Ulid } from './values.js';

export type RefusalDetails = Readonly<Record<string, unknown>>;

/** A rule of the ledger refused a command; nothing was recorded. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** By this mark callers recognise a refusal, of whichever library. */
  readonly refusal = true;
  constructor(
    /** As clients see it: `ERRORS` of libs/http gives it a status. */
    readonly code: string,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message);
  }
}

/** The refusal of something that a path or a creation names and that is not there. */
export function notFound(resource: 'month' | 'group' | 'item' | 'transaction', id: string): Refusal {
  const what = resource === 'month' ? `budget for ${id}` : `${resource} ${id}`;
  return new Refusal('not_found', `This household has no ${what}.`, { resource });
}

/** The budget of a month that a command names. @throws Refusal `not_found` */
export function requireBudget(household: Household, month: Month): Budget {
  const budget = budgetOf(household, month);
  if (!budget) throw notFound('month', month);
  return budget;
}

/** A group of the month. @throws Refusal `not_found` */
export function requireGroup(household: Household, budget: Budget, groupId: Ulid): GroupIdentity {
  const group = household.groups.get(groupId);
  if (!group || !budget.groups.some(laid => laid.groupId === groupId)) throw notFound('group', groupId);
  return group;
}

/** An item of the month. @throws Refusal `not_found` */
export function requireItem(
  household: Household,
  budget: Budget,
  itemId: Ulid,
): { readonly item: ItemIdentity; readonly laid: LaidItem } {
  const item = household.items.get(itemId);
  const laid = budget.items.get(itemId);
  if (!item || !laid) throw notFound('item', itemId);
  return { item, laid };
}

export function itemNotInMonth(itemId: Ulid, month: Month): Refusal {
  return new Refusal('item_not_in_month', `Item ${itemId} is not in ${month}.`, { item_id: itemId, month });
}

/** That a list orders exactly what it must. @throws Refusal `order_mismatch` */
export function requireExactly(
  given: readonly Ulid[],
  wanted: readonly Ulid[],
  allowed: readonly Ulid[],
): void {
  const missing = wanted.filter(id => !given.includes(id));
  const unexpected = given.filter(id => !wanted.includes(id) && !allowed.includes(id));
  if (missing.length === 0 && unexpected.length === 0) return;
  throw new Refusal('order_mismatch', 'The list must contain exactly the entries to order.', {
    missing,
    unexpected,
  });
}
