import { AMOUNT_MAX } from '#http/field-rules';
import { AmountField } from '#http/fields';
import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** The body of `POST /months/{month}/items/{itemId}/fund-balance`, likewise in minor units of either sign. */
export class UpdateFundBalanceBody {
  @AmountField({
    min: -AMOUNT_MAX,
    description: 'The actual balance of the fund in this month',
    example: 30000,
  })
  current_balance!: number;
}

/** Records the difference between a fund's ending and what it really holds as an adjustment. */
export class UpdateFundBalance extends MonthWrite {
  constructor(call: HouseholdCall, month: string, itemId: string, body: UpdateFundBalanceBody) {
    super(call, () => ({ type: 'UpdateFundBalance', month, itemId, balance: body.current_balance }));
  }
}
