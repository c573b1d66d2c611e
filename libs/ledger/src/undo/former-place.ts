import type { Month, Ulid } from '../values.js';

/**
 * What an undoing knows of a place in a list: the list as it was when somebody left it, who left it included. With it
 * a place is found again between neighbours that have left or come back meanwhile, which `index` alone cannot tell.
 * Absent in events that were recorded before there was this field.
 */
export interface FormerPlace {
  readonly among?: readonly string[];
}

/** The place of a group in its month, or of an item in its group, as an event tells it that takes it or puts it back. */
export interface PlaceInMonth extends FormerPlace {
  readonly month: Month;
  readonly groupId: Ulid;
  readonly index: number;
}

/** That something came back to a list that it had left. */
export interface PutBack {
  /** As `listOfItems`, `listOfGroups`, `listOfAdjustments` and `FAVORITES` name it. */
  readonly list: string;
  readonly id: string;
  /** As `formerPlace` answers it. */
  readonly among: readonly string[];
}

export const FAVORITES = 'favorites';

/** Names the list of a group's items in a month, for `PutBack` and `Leaving`. */
export function listOfItems(month: Month, groupId: Ulid): string {
  return `items|${month}|${groupId}`;
}

/** Names the list of a month's groups, likewise. */
export function listOfGroups(month: Month): string {
  return `groups|${month}`;
}

/** By the ids of the events that made them. */
export function listOfAdjustments(month: Month, itemId: Ulid): string {
  return `adjustments|${month}|${itemId}`;
}

/** Something that left a list, and may come back. */
export interface Leaving {
  readonly list: string;
  readonly id: string;
  /** Its place at that time. */
  readonly index: number;
  /** The list at that time. */
  readonly among: readonly string[] | undefined;
}

/** A place in a list, as events tell it. */
export interface Place extends FormerPlace {
  readonly index: number;
}

/**
 * Where something that left a list belongs in what the list is now. Who left stays in mind at its place, so that
 * whatever leaves and comes back in whichever order, all of it is in the former order in the end. The list must not
 * have been reordered meanwhile.
 *
 * @param now the list; who came to it for the first time since stands behind all
 * @param putBacks what came back to lists since, and had left them before; the first first
 * @returns an index in the list; and the list that it left with what came back since: who comes back carries it along,
 *   since that is where later ones learn whether they belong before it or behind
 */
export function formerPlace(
  { list, id, index, among }: Leaving,
  now: readonly string[],
  putBacks: readonly PutBack[],
): Place {
  if (among === undefined) return { index };
  const known = [...among];
  for (const back of putBacks) {
    if (back.list !== list || known.includes(back.id)) continue;
    known.splice(placeBehind(known, precedingIn(back.among, back.id)), 0, back.id);
  }
  return { index: placeBehind(now, precedingIn(known, id)), among: known };
}

function precedingIn(list: readonly string[], id: string): readonly string[] {
  return list.slice(0, Math.max(list.indexOf(id), 0));
}

/** The index behind the last of these. */
function placeBehind(list: readonly string[], these: readonly string[]): number {
  return list.findLastIndex(id => these.includes(id)) + 1;
}
