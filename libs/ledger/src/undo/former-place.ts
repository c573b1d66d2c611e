import type { Month, Ulid } from '../values.js';
import type { Cell } from './cells.js';

/**
 * What an undoing knows of a place in a list: the list before it was left. With it a place is found again between
 * neighbours that have left or come back meanwhile. Absent in events that were recorded before there was this field.
 */
export interface FormerPlace {
  readonly among?: readonly string[];
}

/** A place in a list, as events tell it. */
export interface Place extends FormerPlace {
  readonly index: number;
}

/** The place of a group in its month, or of an item in its group, as an event tells it that takes it or puts it back. */
export interface PlaceInMonth extends Place {
  readonly month: Month;
  readonly groupId: Ulid;
}

/** That something came back to a list that it had left. */
export interface PutBack {
  /** The cell of the list's order. */
  readonly list: Cell;
  readonly id: string;
  /** As `formerPlace` answers it. */
  readonly among: readonly string[];
}

/** Something that left a list, and may come back. */
interface Leaving extends Pick<PutBack, 'list' | 'id'> {
  /** Its place at that time. */
  readonly index: number;
  /** The list at that time. */
  readonly among: readonly string[] | undefined;
}

/**
 * Where something that left a list belongs in what the list is now. It stays in mind at its place, so that whatever
 * leaves and comes back in whichever order, all of it is in the former order in the end. The list must not have been
 * reordered meanwhile.
 * @param now the list; what came to it for the first time since stands behind all
 * @param putBacks what came back to lists since, and had left them before; the first first
 * @returns an index in the list; and the list that it left with what came back since, by which later ones learn whether
 *   they belong before it or behind
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
