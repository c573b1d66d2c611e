import { ApiSchema } from '@nestjs/swagger';
import { ULID_EXAMPLE } from '#http/field-rules';
import {
  Amount,
  At,
  Flag,
  Id,
  ListOf,
  OneOf,
  Part,
  ResponseOf,
  Text,
  TextList,
  Whole,
  Color,
} from '#http/response-fields';
import type { Totals as LedgerTotals } from '#ledger/figures';
import type { FundDocument, GroupView, ItemView, MonthView } from '#projections/month-document';

const nullable = true;

@ApiSchema({
  name: 'Adjustment',
  description: 'A correction of a fund’s balance, which does not count as spending',
})
class AdjustmentResponse extends ResponseOf({
  amount: Amount('The change of the balance', 1500),
  at: At('When it was made'),
  by: Id('The user who made it'),
}) {}

@ApiSchema({ name: 'Fund', description: 'The balance of a fund in a month' })
class FundResponse
  extends ResponseOf({
    carry_in: Amount('The balance carried forward into the month', 20000),
    adjustments: ListOf(AdjustmentResponse, 'The adjustments of the month, oldest first'),
    ending: Amount('`carry_in` + `planned` + adjustments − `spent`', 23500),
  })
  implements FundDocument {}

const ITEM_IDENTITY = {
  id: Id('Shared by every month'),
  name: Text('Its name', 'Groceries'),
  kind: OneOf(['income', 'expense'], 'The kind of its group', 'expense'),
  is_fund: Flag('Whether it carries its balance forward', false),
  favorite: Flag('Whether it is among the household’s favourites', true),
  fund_target: Amount('The target balance of a fund; null if none is set', 100000, { nullable }),
};

/** The answer of `PATCH /items/{itemId}`, and what an item of a month begins with. */
@ApiSchema({ name: 'ItemIdentity', description: 'What an item is in every month' })
export class ItemIdentityResponse extends ResponseOf(ITEM_IDENTITY) {}

@ApiSchema({
  name: 'Item',
  description: 'An item in a month. A fund is one from the month in which it opened',
})
class ItemResponse
  extends ResponseOf({
    ...ITEM_IDENTITY,
    group_id: Id('The group that it is in, in this month'),
    planned: Amount('The planned amount for the month', 60000),
    spent: Amount('Expenses minus refunds; 0 for an income item', 2500),
    received: Amount('Income received; 0 for an expense item', 0),
    remaining: Amount('The remaining amount; for a fund, its ending balance', 57500),
    note: Text('A note on the item in this month', null, { nullable }),
    fund: Part(FundResponse, 'Null for a regular item', { nullable, example: null }),
  })
  implements ItemView {}

@ApiSchema({ name: 'Totals', description: 'Sums over the items of a group' })
class TotalsResponse
  extends ResponseOf({
    planned: Amount('Σ planned', 60000),
    spent: Amount('Σ spent', 2500),
    received: Amount('Σ received', 0),
    remaining: Amount('Σ remaining', 57500),
  })
  implements LedgerTotals {}

const GROUP_IDENTITY = {
  id: Id('Shared by every month'),
  name: Text('Its name', 'Food'),
  color: Color('As `#rrggbb` in lower case', '#2e7d32'),
  is_income: Flag('Whether its items are income', false),
};

/** The answer of `PATCH /groups/{groupId}`, and what a group of a month begins with. */
@ApiSchema({ name: 'GroupIdentity', description: 'What a group is in every month' })
export class GroupIdentityResponse extends ResponseOf(GROUP_IDENTITY) {}

@ApiSchema({ name: 'Group', description: 'A group in a month' })
class GroupResponse
  extends ResponseOf({
    ...GROUP_IDENTITY,
    items: ListOf(ItemResponse, 'In their order'),
    totals: Part(TotalsResponse),
  })
  implements GroupView {}

@ApiSchema({ name: 'Center', description: 'The sums over all groups but income' })
export class CenterResponse extends ResponseOf({
  planned: Amount('Σ planned', 65000),
  spent: Amount('Σ spent', 4000),
  remaining: Amount('Σ remaining', 81000),
}) {}

/** A whole month, as every route under `/months/{month}` shows it. Amounts are minor units. */
@ApiSchema({ name: 'Month', description: 'The budget of one month' })
export class MonthResponse
  extends ResponseOf({
    month: Text('The month', '2026-01'),
    left_to_budget: Amount('Planned income minus all other planned amounts, including funds', 435000),
    groups: ListOf(GroupResponse, 'Income first'),
    favorites: TextList(
      'Favourite items that are in this month, in the order in which they were made favourites',
      [ULID_EXAMPLE],
    ),
    center: Part(CenterResponse),
    untracked_count: Whole('Untracked transactions of the household, whatever their month'),
    copied_from: Text(
      'The month that it was copied from; null if it was created from the template',
      '2025-12',
      { nullable },
    ),
    created_at: At('When the month was created'),
  })
  implements MonthView {}
