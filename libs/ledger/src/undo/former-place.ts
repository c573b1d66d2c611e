import type { LedgerEvent, RecordedLedgerEvent, Ulid } from '../events.js';

/** That something came back to a list that it had left. */
export interface PutBack {
  /** As `itemsOf`, `groupsOf`, `adjustmentsOf` and `FAVORITES` name lists. */
  readonly list: string;
  readonly id: string;
  /** As `withReturned`. */
  readonly among: readonly string[];
}

export const FAVORITES = 'favorites';

export function itemsOf(month: string, groupId: Ulid): string {
  return `items|${month}|${groupId}`;
}

export function groupsOf(month: string): string {
  return `groups|${month}`;
}

/** By the ids of the events that made them. */
export function adjustmentsOf(month: string, itemId: Ulid): string {
  return `adjustments|${month}|${itemId}`;
}

/** What an undoing put back into lists. */
export function putBackBy(event: RecordedLedgerEvent): readonly PutBack[] {
  return event.type === 'CommandUndone' ? event.data.events.flatMap(putBack) : [];
}

function putBack({ type, data }: LedgerEvent): PutBack[] {
  switch (type) {
    case 'ItemPutBack': {
      const { month, groupId, item, among = [] } = data;
      return [{ list: itemsOf(month, groupId), id: item.itemId, among }];
    }
    case 'GroupPutBack': {
      const { month, groupId, among = [] } = data;
      return [{ list: groupsOf(month), id: groupId, among }];
    }
    case 'AdjustmentPutBack': {
      const { month, itemId, adjustment, among = [] } = data;
      return [{ list: adjustmentsOf(month, itemId), id: adjustment.eventId, among }];
    }
    case 'ItemChanged': {
      const { itemId, after, among = [] } = data;
      return after.favorite === true ? [{ list: FAVORITES, id: itemId, among }] : [];
    }
    default:
      return [];
  }
}

/** Something that left a list, and may come back. */
export interface Leaving {
  readonly id: string;
  /** Its place at that time. */
  readonly index: number;
  /** The list at that time. */
  readonly among: readonly string[] | undefined;
}

/**
 * Where something that left a list belongs in what the list is now. Who left stays in mind at its place, so that
 * whatever leaves and comes back in whichever order, all of it is in the former order in the end. Nobody may have
 * ordered the list meanwhile.
 *
 * @param now the list
 * @param putBacks what came back to the list since, and had left it before; the first first
 * @returns an index in the list
 */
export function formerPlace(
  { id, index, among }: Leaving,
  now: readonly string[],
  putBacks: readonly PutBack[],
): number {
  if (among === undefined) return index;
  const comesBefore = (other: string): boolean => {
    if (among.includes(other)) return among.indexOf(other) < among.indexOf(id);
    const back = putBacks.find(each => each.id === other);
    // Who came for the first time since came behind all. Who had left before this one even came stood before it.
    return (
      back !== undefined && (!back.among.includes(id) || back.among.indexOf(other) < back.among.indexOf(id))
    );
  };
  return now.findLastIndex(comesBefore) + 1;
}

/**
 * The list that something left, together with what had left it before and came back since, each at its place: who
 * comes back carries it along, since that is where later ones learn whether they belong before it or behind.
 */
export function withReturned(among: readonly string[], putBacks: readonly PutBack[]): readonly string[] {
  const known = [...among];
  for (const { id, among: theirs } of putBacks) {
    if (known.includes(id)) continue;
    const before = theirs.slice(0, theirs.indexOf(id));
    known.splice(known.findLastIndex(other => before.includes(other)) + 1, 0, id);
  }
  return known;
}
