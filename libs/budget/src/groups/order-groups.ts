import { UlidListField } from '#http/fields';
import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** The most ids that a new order may name; more than any month can hold, so that the answer can say what is wrong. */
export const ORDER_IDS_MAX = 1_000;

/** The body of `PUT /months/{month}/group-order`. */
export class OrderGroupsBody {
  @UlidListField({ max: ORDER_IDS_MAX, description: 'Exactly the month’s groups without the income group' })
  group_ids!: string[];
}

/** Orders a month's groups; income stays first. */
export class OrderGroups extends MonthWrite {
  constructor(call: HouseholdCall, month: string, body: OrderGroupsBody) {
    super(call, () => ({ type: 'OrderGroups', month, groupIds: body.group_ids }));
  }
}
