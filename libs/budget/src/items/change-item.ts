import type { CommandOf } from '#ledger/commands';
import { notFound } from '#ledger/refusal';
import { AmountField, BooleanField, NameField } from '#http/fields';
import type { HouseholdCall } from '../household-call.js';
import { BudgetWrite } from '../month-write.js';
import type { ItemIdentityResponse } from '../months/month.response.js';

/** The body of `PATCH /items/{itemId}`. Only what is there changes; the target is in minor units. */
export class ChangeItemBody {
  @NameField({ optional: true, description: 'Its name in every month' })
  name?: string;

  @BooleanField({ optional: true, description: 'A new favourite comes last' })
  favorite?: boolean;

  @AmountField({
    min: 0,
    optional: true,
    nullable: true,
    description: 'The target balance; allowed only for a fund',
    example: 100000,
  })
  fund_target?: number | null;

  @BooleanField({
    optional: true,
    description:
      'Only `false`, which turns the fund back into a regular item. To open a fund, use `POST /months/{month}/items/{itemId}/fund`.',
    only: {
      value: false,
      otherwise: 'must be false; POST /months/{month}/items/{itemId}/fund makes an item a fund',
    },
  })
  is_fund?: boolean;
}

/** Changes what an item is in every month. */
export class ChangeItem extends BudgetWrite<CommandOf<'ChangeItem'>, ItemIdentityResponse> {
  constructor(call: HouseholdCall, itemId: string, body: ChangeItemBody) {
    const { name, favorite, fund_target: fundTarget } = body;
    const endFund = body.is_fund === false ? true : undefined;
    super(
      call,
      () => ({ type: 'ChangeItem', itemId, name, favorite, fundTarget, endFund }),
      ({ household, replayed }) => {
        const item = household.items.get(itemId);
        if (!item) throw notFound('item', itemId);
        const { id, name, kind, fund, fundTarget } = item;
        const favorite = household.favorites.includes(id);
        return {
          body: { id, name, kind, is_fund: fund !== null, favorite, fund_target: fundTarget },
          replayed,
        };
      },
    );
  }
}
