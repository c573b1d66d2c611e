import { AmountField, NameField, NoteField, UlidField } from '#http/fields';
import { knownId } from '../either-new-or-known.js';
import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** Either a new item, by its name, or one that the household already has, by its id. */
export class AddItemBody {
  @NameField({ optional: true, description: 'The name of a new item' })
  name?: string;

  @UlidField({ optional: true, description: 'An existing item of the household, instead of a new one' })
  item_id?: string;

  @AmountField({ min: 0, default: 0, description: 'The planned amount for the month', example: 60000 })
  planned!: number;

  @NoteField({ optional: true, description: 'A note on the item in this month' })
  note?: string | null;
}

/** Adds an item to a group of a month, last. */
export class AddItem extends MonthWrite {
  constructor(call: HouseholdCall, month: string, groupId: string, body: AddItemBody) {
    super(call, fresh => {
      const { name = '', planned, note = null } = body;
      const known = knownId(body, 'item_id', ['name']);
      return known === null
        ? { type: 'AddItem', month, groupId, itemId: fresh.freshId(), name, planned, note }
        : { type: 'PlaceItem', month, groupId, itemId: known, planned, note };
    });
  }
}
