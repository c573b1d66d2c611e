import { AMOUNT_MAX } from '#http/field-rules';
import { AmountField } from '#http/fields';
import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** The body of `POST /months/{month}/items/{itemId}/fund`; the balance, in minor units, may be negative. */
export class OpenFundBody {
  @AmountField({
    min: -AMOUNT_MAX,
    description: 'The balance that the fund carries into this month',
    example: 20000,
  })
  current_balance!: number;
}

/** Makes an item a fund from a month on. */
export class OpenFund extends MonthWrite {
  constructor(call: HouseholdCall, month: string, itemId: string, body: OpenFundBody) {
    super(call, () => ({ type: 'OpenFund', month, itemId, openingBalance: body.current_balance }));
  }
}
