import { EnumField } from '#http/fields';
import { TEMPLATE_IDS } from '#ledger/months/month-commands';
import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** The body of `POST /months/{month}/reset`. */
export class ResetMonthBody {
  @EnumField(['zero', 'replace'], {
    description:
      '`zero` sets every planned amount of the month to 0. `replace` untracks every transaction of the month ' +
      'and lays the month out again as creating it would.',
  })
  mode!: 'zero' | 'replace';
}

/** Empties a month's plans, or lays the month out again. */
export class ResetMonth extends MonthWrite {
  constructor(call: HouseholdCall, month: string, { mode }: ResetMonthBody) {
    super(call, fresh => ({ type: 'ResetMonth', month, mode, newIds: fresh.freshIds(TEMPLATE_IDS) }));
  }
}
