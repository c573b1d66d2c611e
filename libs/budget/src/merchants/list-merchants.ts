import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ownTurn } from '#concurrency/turns';
import { HouseholdReads } from '../household-reads.js';

/** Each merchant, spelt as last used, with the item that its spending last went to. */
type MerchantItems = ReadonlyMap<string, string>;

/** The items of all merchants; those that are in no month are left out. */
export class ListMerchants extends Query<MerchantItems> {
  constructor(readonly householdId: string) {
    super();
  }
}

@QueryHandler(ListMerchants)
export class ListMerchantsHandler implements IQueryHandler<ListMerchants> {
  constructor(private readonly reads: HouseholdReads) {}

  async execute({ householdId }: ListMerchants): Promise<MerchantItems> {
    await this.reads.ready(householdId);
    const { items } = await this.reads.identities(householdId);
    const present = new Set(items.filter(({ months }) => months > 0).map(({ id }) => id));
    const merchants = new Map<string, string>();
    for await (const page of this.reads.pages('merchants', householdId)) {
      await ownTurn();
      for (const { merchant, item_id } of page) if (present.has(item_id)) merchants.set(merchant, item_id);
    }
    return merchants;
  }
}

/** The answer as JSON, written by hand: a merchant may be called `__proto__`, which no object takes as a key. */
export function merchantsJson(merchants: MerchantItems): string {
  const members = Array.from(
    merchants,
    ([name, itemId]) => `${JSON.stringify(name)}:${JSON.stringify(itemId)}`,
  );
  return `{"merchants":{${members.join(',')}}}`;
}
