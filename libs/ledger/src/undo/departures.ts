import type { Month } from '../calendar.js';
import type { Layout, LedgerEvent, Ulid } from '../events.js';
import { itemAtLast, liveAtLast, type Cell, type CellSet } from './cells.js';

/** What must be there in the end, and whether it went or came back. */
export type Departure = readonly [cell: Cell, isGone: boolean];

/** What goes and comes back by an event, of all that must be there in the end. */
export function departures(event: LedgerEvent, needed: CellSet): readonly Departure[] {
  return allDepartures(event).filter(([cell]) => needed.has(cell));
}

function allDepartures(event: LedgerEvent): readonly Departure[] {
  switch (event.type) {
    case 'CommandUndone':
      return event.data.events.flatMap(allDepartures);
    case 'TransactionDeleted':
    case 'TransactionRestored':
      return [[liveAtLast(event.data.id), event.type === 'TransactionDeleted']];
    case 'MonthCreated':
      return came(event.data.month, ...laidOut(event.data.layout));
    case 'MonthRemoved':
      return went(event.data.month, ...laidOut(event.data.taken.groups));
    case 'MonthReplaced':
      return replaced(event.data.month, event.data.taken.groups, event.data.layout);
    case 'LayoutPutBack':
      return replaced(event.data.month, event.data.taken.groups, event.data.groups);
    case 'ItemAdded':
      return came(event.data.month, event.data.item.id);
    case 'ItemPlaced':
      return came(event.data.month, event.data.itemId);
    case 'ItemPutBack':
      return came(event.data.month, event.data.item.itemId);
    case 'GroupPutBack':
      return came(event.data.month, ...event.data.items.map(({ itemId }) => itemId));
    case 'ItemRemoved':
      return went(event.data.month, event.data.taken.itemId);
    case 'GroupRemoved':
      return went(event.data.month, ...event.data.taken.map(({ itemId }) => itemId));
    default:
      return [];
  }
}

function came(month: Month, ...itemIds: readonly Ulid[]): Departure[] {
  return itemIds.map(itemId => [itemAtLast(month, itemId), false]);
}

function went(month: Month, ...itemIds: readonly Ulid[]): Departure[] {
  return itemIds.map(itemId => [itemAtLast(month, itemId), true]);
}

/** What is in both went, and came back. */
function replaced(month: Month, before: Layout, after: Layout): Departure[] {
  return [...went(month, ...laidOut(before)), ...came(month, ...laidOut(after))];
}

function laidOut(groups: Layout): Ulid[] {
  return groups.flatMap(({ items }) => items.map(({ itemId }) => itemId));
}
