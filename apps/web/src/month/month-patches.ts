import type { Group, Item, Month } from '../api/types.js';

/** A change that is shown before the service has confirmed it. Applied twice it changes nothing more. */
export type MonthPatch =
  | { readonly kind: 'plan'; readonly itemId: string; readonly planned: number }
  | { readonly kind: 'item'; readonly itemId: string; readonly fields: ItemFields }
  | { readonly kind: 'group'; readonly groupId: string; readonly fields: GroupFields }
  | { readonly kind: 'group-order'; readonly groupIds: readonly string[] }
  | { readonly kind: 'item-order'; readonly groupId: string; readonly itemIds: readonly string[] };

type ItemFields = Partial<Pick<Item, 'name' | 'note' | 'favorite' | 'fund_target'>>;
type GroupFields = Partial<Pick<Group, 'name' | 'color'>>;

/** The month as it will be once a change is confirmed. */
export function patched(month: Month, patch: MonthPatch): Month {
  switch (patch.kind) {
    case 'plan':
      return withSums(mapItems(month, patch.itemId, item => planned(item, patch.planned)));
    case 'item':
      return withFavourite(
        mapItems(month, patch.itemId, item => ({ ...item, ...patch.fields })),
        patch,
      );
    case 'group':
      return {
        ...month,
        groups: month.groups.map(group =>
          group.id === patch.groupId ? { ...group, ...patch.fields } : group,
        ),
      };
    case 'group-order':
      return withGroupOrder(month, patch.groupIds);
    case 'item-order':
      return withSums(withItemOrder(month, patch.groupId, patch.itemIds));
  }
}

export function findItem(month: Month, itemId: string): Item | undefined {
  return month.groups.flatMap(group => group.items).find(item => item.id === itemId);
}

function mapItems(month: Month, itemId: string, change: (item: Item) => Item): Month {
  return {
    ...month,
    groups: month.groups.map(group =>
      group.items.some(item => item.id === itemId)
        ? { ...group, items: group.items.map(item => (item.id === itemId ? change(item) : item)) }
        : group,
    ),
  };
}

function planned(item: Item, amount: number): Item {
  const difference = amount - item.planned;
  const remaining = item.remaining + difference;
  return { ...item, planned: amount, remaining, fund: item.fund && { ...item.fund, ending: remaining } };
}

function withFavourite(month: Month, { itemId, fields }: MonthPatch & { kind: 'item' }): Month {
  if (fields.favorite === undefined || fields.favorite === month.favorites.includes(itemId)) return month;
  const others = month.favorites.filter(id => id !== itemId);
  return { ...month, favorites: fields.favorite ? [...others, itemId] : others };
}

function withGroupOrder(month: Month, groupIds: readonly string[]): Month {
  const place = (group: Group): number => (group.is_income ? -1 : groupIds.indexOf(group.id));
  return { ...month, groups: month.groups.toSorted((one, other) => place(one) - place(other)) };
}

function withItemOrder(month: Month, groupId: string, itemIds: readonly string[]): Month {
  const items = new Map(month.groups.flatMap(group => group.items).map(item => [item.id, item]));
  return {
    ...month,
    groups: month.groups.map(group => ({
      ...group,
      items:
        group.id === groupId
          ? itemIds.flatMap(id => {
              const item = items.get(id);
              return item ? [{ ...item, group_id: groupId }] : [];
            })
          : group.items.filter(item => !itemIds.includes(item.id)),
    })),
  };
}

const sum = (items: readonly Item[], figure: 'planned' | 'spent' | 'received' | 'remaining'): number =>
  items.reduce((total, item) => total + item[figure], 0);

/** The sums that follow from the items' figures. */
function withSums(month: Month): Month {
  const groups = month.groups.map(group => ({
    ...group,
    totals: {
      planned: sum(group.items, 'planned'),
      spent: sum(group.items, 'spent'),
      received: sum(group.items, 'received'),
      remaining: sum(group.items, 'remaining'),
    },
  }));
  const income = groups.filter(group => group.is_income).flatMap(group => group.items);
  const expenses = groups.filter(group => !group.is_income).flatMap(group => group.items);
  return {
    ...month,
    groups,
    left_to_budget: sum(income, 'planned') - sum(expenses, 'planned'),
    center: {
      planned: sum(expenses, 'planned'),
      spent: sum(expenses, 'spent'),
      remaining: sum(expenses, 'remaining'),
    },
  };
}
