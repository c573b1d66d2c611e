import { UlidListField } from '#http/fields';
import { ORDER_IDS_MAX } from '../groups/order-groups.js';
import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** The body of `PUT /months/{month}/groups/{groupId}/item-order`. */
export class OrderItemsBody {
  @UlidListField({
    max: ORDER_IDS_MAX,
    description: 'All of the group’s items, and any of another group of the same kind that move in',
  })
  item_ids!: string[];
}

/** Orders a group's items; items of other groups may move in. */
export class OrderItems extends MonthWrite {
  constructor(call: HouseholdCall, month: string, groupId: string, body: OrderItemsBody) {
    super(call, () => ({ type: 'OrderItems', month, groupId, itemIds: body.item_ids }));
  }
}
