import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** Takes an item out of a month; the month's transactions with a split on it lose their splits. */
export class RemoveItem extends MonthWrite {
  constructor(call: HouseholdCall, month: string, itemId: string) {
    super(call, () => ({ type: 'RemoveItem', month, itemId }));
  }
}
