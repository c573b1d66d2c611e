import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#ledger/refusal';
import { AmountField, BooleanField, NameField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import { HouseholdCommands } from '#engine/commands/household-commands';
import type { HouseholdCall } from '../household-call.js';
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
export class ChangeItem extends Command<Answer<ItemIdentityResponse>> {
  constructor(
    readonly call: HouseholdCall,
    readonly itemId: string,
    readonly body: ChangeItemBody,
  ) {
    super();
  }
}

@CommandHandler(ChangeItem)
export class ChangeItemHandler implements ICommandHandler<ChangeItem> {
  constructor(private readonly commands: HouseholdCommands) {}

  async execute({ call, itemId, body }: ChangeItem): Promise<Answer<ItemIdentityResponse>> {
    const { household, replayed } = await this.commands.handle(call, {
      type: 'ChangeItem',
      itemId,
      name: body.name,
      favorite: body.favorite,
      fundTarget: body.fund_target,
      endFund: body.is_fund === false ? true : undefined,
    });
    const item = household.items.get(itemId);
    if (!item) throw notFound('item', itemId);
    const { id, name, kind, fund, fundTarget } = item;
    const favorite = household.favorites.includes(id);
    return {
      body: { id, name, kind, is_fund: fund !== null, favorite, fund_target: fundTarget },
      replayed,
    };
  }
}
