import { TEMPLATE_IDS } from '#ledger/months/month-commands';
import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** Creates a month as a copy of the latest earlier one, or from the default template. */
export class CreateMonth extends MonthWrite {
  constructor(call: HouseholdCall, month: string) {
    super(call, fresh => ({ type: 'CreateMonth', month, newIds: fresh.freshIds(TEMPLATE_IDS) }));
  }
}
