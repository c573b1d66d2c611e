import { AmountField, NoteField } from '#http/fields';
import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** The body of `PATCH /months/{month}/items/{itemId}`. Only what is there changes; minor units. */
export class PlanItemBody {
  @AmountField({ min: 0, optional: true, description: 'The planned amount for this month', example: 60000 })
  planned?: number;

  @NoteField({ optional: true, description: 'A note on the item in this month; null clears it' })
  note?: string | null;
}

/** Changes an item's plan and note in one month. */
export class PlanItem extends MonthWrite {
  constructor(call: HouseholdCall, month: string, itemId: string, { planned, note }: PlanItemBody) {
    super(call, () => ({ type: 'PlanItem', month, itemId, planned, note }));
  }
}
