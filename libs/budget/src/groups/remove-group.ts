import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** Takes a group with its items out of a month; the month's transactions with a split on them lose their splits. */
export class RemoveGroup extends MonthWrite {
  constructor(call: HouseholdCall, month: string, groupId: string) {
    super(call, () => ({ type: 'RemoveGroup', month, groupId }));
  }
}
