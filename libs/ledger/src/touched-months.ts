import type { Month } from './calendar.js';
import type { LedgerEvent, LedgerEventData } from './events.js';
import { fundIn, type Budget, type Household } from './household.js';

/**
 * The months of which an event changes the layout, a note, or what they show of a group or an item. Figures that
 * follow from it elsewhere, in later months of a fund and by transactions, come with the command's record.
 * @param household with the event folded in; later ones may be as well where it does not touch by layout
 */
export function touchedMonths(household: Household, event: LedgerEvent): readonly Month[] {
  switch (event.type) {
    case 'GroupChanged': {
      const { groupId } = event.data;
      return monthsWith(household, ({ groups }) => groups.some(group => group.groupId === groupId));
    }
    case 'ItemChanged':
      return monthsOfItem(household, event.data);
    case 'FundEnded':
    case 'FundReopened': {
      const { itemId, openedIn } = event.data;
      return monthsWith(household, ({ month, items }) => month >= openedIn && items.has(itemId));
    }
    case 'CommandUndone':
      return event.data.events.flatMap(part => touchedMonths(household, part));
    default:
      return 'month' in event.data ? [event.data.month] : [];
  }
}

/** Whether it is the months' layout that decides which of them an event touches. */
export function touchesByLayout(event: LedgerEvent): boolean {
  switch (event.type) {
    case 'GroupChanged':
    case 'ItemChanged':
    case 'FundEnded':
    case 'FundReopened':
      return true;
    case 'CommandUndone':
      return event.data.events.some(touchesByLayout);
    default:
      return false;
  }
}

/** A target is shown only where the item is a fund. */
function monthsOfItem(household: Household, { itemId, after }: LedgerEventData['ItemChanged']): Month[] {
  const item = household.items.get(itemId)!;
  const isShownAlways = after.name !== undefined || after.favorite !== undefined;
  return monthsWith(
    household,
    ({ month, items }) => items.has(itemId) && (isShownAlways || fundIn(item, month) !== null),
  );
}

function monthsWith({ months }: Household, has: (budget: Budget) => boolean): Month[] {
  return months.flatMap(({ month, budget }) => (budget && has(budget) ? [month] : []));
}
