import type { Month, Ulid } from '../values.js';

/**
 * A part of a household that events write, as a path whose steps end with `|`. A path covers every longer one that
 * begins with it: `m|2026-01|` is all of that month, `m|2026-01|i|ITEM|planned|` one figure.
 */
export type Cell = string;

export const month = (inMonth: Month): Cell => `m|${inMonth}|`;
export const groupsOf = (inMonth: Month): Cell => `${month(inMonth)}groups|`;
export const reorderedGroups = (inMonth: Month): Cell => `${month(inMonth)}reordered|`;
export const group = (inMonth: Month, id: Ulid): Cell => `${month(inMonth)}g|${id}|`;
export const orderIn = (inMonth: Month, id: Ulid): Cell => `${group(inMonth, id)}order|`;
export const reorderedIn = (inMonth: Month, id: Ulid): Cell => `${group(inMonth, id)}reordered|`;
export const item = (inMonth: Month, id: Ulid): Cell => `${month(inMonth)}i|${id}|`;
type ItemPart = 'planned' | 'note' | 'opened' | 'group' | 'splits' | 'adjustments';
/** A part of an item in a month. */
export const itemPart = (inMonth: Month, id: Ulid, part: ItemPart): Cell => `${item(inMonth, id)}${part}|`;
/** What an item is in every month: its name and the like, and by `adjustments` the fund's of all months. */
export const itemField = (id: Ulid, name: string): Cell => `i|${id}|${name}|`;
export const groupField = (id: Ulid, name: string): Cell => `g|${id}|${name}|`;
/** Written only together with the whole item: that it never left. */
export const itemThere = (inMonth: Month, id: Ulid): Cell => `${item(inMonth, id)}there|`;
export const groupThere = (inMonth: Month, id: Ulid): Cell => `${group(inMonth, id)}there|`;
export const transaction = (id: Ulid): Cell => `t|${id}|`;
export const field = (id: Ulid, name: string): Cell => `t|${id}|${name}|`;
/** Written by no event: that it is in the month in the end, however often it left in between. */
export const itemAtLast = (inMonth: Month, id: Ulid): Cell => `last|${inMonth}|${id}|`;
/** Written by no event: that it is not deleted in the end, however often it was in between. */
export const liveAtLast = (id: Ulid): Cell => field(id, 'last');

/** What must be there in the end, and whether it went or came back. */
export type Departure = readonly [cell: Cell, isGone: boolean];

export function came(inMonth: Month, itemIds: readonly Ulid[]): Departure[] {
  return itemIds.map(itemId => [itemAtLast(inMonth, itemId), false]);
}

export function went(inMonth: Month, itemIds: readonly Ulid[]): Departure[] {
  return itemIds.map(itemId => [itemAtLast(inMonth, itemId), true]);
}

/** Cells of several parts, one by one: a full month has a hundred thousand. */
export function* oneAfterTheOther(...parts: readonly Iterable<Cell>[]): Iterable<Cell> {
  for (const part of parts) yield* part;
}

/** Cells with which others are compared: a comparison costs the same however many they are. */
export class CellSet {
  private readonly cells = new Set<Cell>();
  /** What covers one of the cells and is none of them. */
  private readonly above = new Set<Cell>();

  add(cell: Cell): void {
    this.cells.add(cell);
    // The nearest first: what covers a path that is known is known as well.
    for (let end = cell.lastIndexOf('|', cell.length - 2); end >= 0; end = cell.lastIndexOf('|', end - 1)) {
      const path = cell.slice(0, end + 1);
      if (this.above.has(path)) break;
      this.above.add(path);
    }
  }

  has(cell: Cell): boolean {
    return this.cells.has(cell);
  }

  /** Whether the cell covers one of these, or is covered by one. */
  overlaps(cell: Cell): boolean {
    return this.above.has(cell) || pathsTo(cell).some(path => this.cells.has(path));
  }
}

/** A cell and all that cover it, the widest first. */
function pathsTo(cell: Cell): Cell[] {
  const paths: Cell[] = [];
  for (let end = cell.indexOf('|'); end >= 0; end = cell.indexOf('|', end + 1))
    paths.push(cell.slice(0, end + 1));
  return paths;
}
