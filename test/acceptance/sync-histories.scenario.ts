import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ItemView, MonthView } from '#projections/month-document';
import { freshId, type Household } from './household.scenario.js';

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-05'];

/** A wish that becomes a request by what there is when its turn comes: numbers pick months, groups and items. */
export interface Wish {
  readonly what: keyof typeof REQUESTS;
  readonly picks: readonly number[];
}

type Request = readonly [method: string, path: string, body?: object];

/** What a wish can pick from. */
interface Present {
  readonly month: MonthView;
  readonly item: ItemView;
  readonly picks: readonly number[];
  readonly transactionId: string;
  readonly eventId: string;
}

const REQUESTS = {
  createMonth: ({ picks }: Present): Request => ['POST', `/months/${pick(MONTHS, picks[1]!)}`],
  resetMonth: ({ month, picks }: Present): Request => [
    'POST',
    `/months/${month.month}/reset`,
    { mode: picks[1]! % 2 === 0 ? 'zero' : 'replace' },
  ],
  removeGroup: ({ month, item }: Present): Request => [
    'DELETE',
    `/months/${month.month}/groups/${item.group_id}`,
  ],
  changeGroup: ({ item, picks }: Present): Request => [
    'PATCH',
    `/groups/${item.group_id}`,
    { name: `Group ${picks[1]}` },
  ],
  orderGroups: ({ month }: Present): Request => [
    'PUT',
    `/months/${month.month}/group-order`,
    {
      group_ids: month.groups
        .filter(({ is_income }) => !is_income)
        .map(({ id }) => id)
        .toReversed(),
    },
  ],
  placeItem: ({ month, item, picks }: Present): Request => [
    'POST',
    `/months/${pick(MONTHS, picks[1]!)}/groups/${item.group_id}/items`,
    picks[2]! % 2 === 0 ? { item_id: item.id } : { name: month.month },
  ],
  changeItem: ({ item, picks }: Present): Request => [
    'PATCH',
    `/items/${item.id}`,
    pick<object>(
      [
        { name: `Item ${picks[1]}` },
        { favorite: picks[2]! % 2 === 0 },
        { fund_target: picks[2] },
        { is_fund: false },
      ],
      picks[1]!,
    ),
  ],
  planItem: ({ month, item, picks }: Present): Request => [
    'PATCH',
    `/months/${month.month}/items/${item.id}`,
    { planned: picks[1]!, ...(picks[2]! % 2 === 0 && { note: `note ${picks[1]}` }) },
  ],
  removeItem: ({ month, item }: Present): Request => ['DELETE', `/months/${month.month}/items/${item.id}`],
  openFund: ({ month, item, picks }: Present): Request => [
    'POST',
    `/months/${month.month}/items/${item.id}/${pick(['fund', 'fund-balance'], picks[1]!)}`,
    { current_balance: picks[2]! },
  ],
  harvest: ({ month, item }: Present): Request => ['POST', `/months/${month.month}/items/${item.id}/harvest`],
  create: ({ month, item, picks }: Present): Request => [
    'POST',
    '/transactions',
    {
      id: freshId(),
      type: pick(['expense', 'income'], picks[3]!),
      amount: 5,
      date: `${month.month}-10`,
      merchant: 'Corner Shop',
      splits: picks[1]! % 4 === 0 ? [] : [{ item_id: item.id, amount: 5 }],
    },
  ],
  change: ({ month, item, picks, transactionId }: Present): Request => [
    'PATCH',
    `/transactions/${transactionId}`,
    pick<object>(
      [
        { splits: [] },
        { amount: 7, splits: [{ item_id: item.id, amount: 7 }], budget_month: month.month },
        { note: `note ${picks[2]}` },
        { date: `${month.month}-0${1 + (picks[2]! % 9)}`, budget_month: month.month },
      ],
      picks[1]!,
    ),
  ],
  delete: ({ transactionId }: Present): Request => ['DELETE', `/transactions/${transactionId}`],
  restore: ({ transactionId }: Present): Request => ['POST', `/transactions/${transactionId}/restore`],
  undo: ({ eventId }: Present): Request => ['POST', `/activity/${eventId}/undo`],
};

/** How often each request is wished for; 1 where nothing is said. */
const WEIGHTS: Partial<Record<Wish['what'], number>> = {
  create: 6,
  change: 5,
  undo: 4,
  createMonth: 3,
  openFund: 3,
  planItem: 3,
};

const wish: fc.Arbitrary<Wish> = fc.record({
  what: fc.oneof(
    ...(Object.keys(REQUESTS) as Wish['what'][]).map(what => ({
      weight: WEIGHTS[what] ?? 1,
      arbitrary: fc.constant(what),
    })),
  ),
  picks: fc.array(fc.nat(996), { minLength: 5, maxLength: 5 }),
});

/** Random requests for one household. */
export function wishes(maxLength: number): fc.Arbitrary<readonly Wish[]> {
  return fc.array(wish, { minLength: maxLength / 2, maxLength, size: 'max' });
}

/** Sends what a wish asks for; a refusal changes nothing. */
export async function grant(home: Household, { what, picks }: Wish): Promise<void> {
  const month = await home.get<MonthView>(`/months/${pick(MONTHS, picks[0]!)}`);
  // Few, so that requests meet in the same items.
  const items = month.status === 200 ? month.body.groups.flatMap(group => group.items).slice(0, 4) : [];
  if (items.length === 0) {
    await home.post(`/months/${pick(MONTHS, picks[1]!)}`);
    return;
  }
  const { transactions } = await home.list({ view: picks[0]! % 5 === 0 ? 'deleted' : 'all', limit: 8 });
  const { body } = await home.get<{ activity: { event_id: string }[] }>('/activity?limit=4');
  const request = REQUESTS[what]({
    month: month.body,
    item: pick(items, picks[4]!),
    picks,
    transactionId: transactions.length === 0 ? freshId() : pick(transactions, picks[2]!).id,
    eventId: pick(body.activity, picks[2]!).event_id,
  });
  const [method, path, sent] = request;
  const { status, body: answer } = await home.send(method, path, sent);
  assert.ok(status < 500, JSON.stringify([request, answer]));
}

function pick<T>(from: readonly T[], index: number): T {
  return from[index % from.length]!;
}
