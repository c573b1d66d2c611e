import type { PlacedAdjustment, Ulid } from '../events.js';

/**
 * A part of a household that events write, as a path whose steps end with `|`. A path covers every longer one that
 * begins with it: `m|2026-01|` is all of that month, `m|2026-01|i|ITEM|planned|` one figure.
 */
export type Cell = string;

export const month = (inMonth: string): Cell => `m|${inMonth}|`;
export const groupsOf = (inMonth: string): Cell => `${month(inMonth)}groups|`;
export const reorderedGroups = (inMonth: string): Cell => `${month(inMonth)}reordered|`;
export const group = (inMonth: string, id: Ulid): Cell => `${month(inMonth)}g|${id}|`;
export const orderIn = (inMonth: string, id: Ulid): Cell => `${group(inMonth, id)}order|`;
export const reorderedIn = (inMonth: string, id: Ulid): Cell => `${group(inMonth, id)}reordered|`;
export const item = (inMonth: string, id: Ulid): Cell => `${month(inMonth)}i|${id}|`;
type ItemPart = 'planned' | 'note' | 'opened' | 'group' | 'splits' | 'adjustments';
/** A part of an item in a month. */
export const itemPart = (inMonth: string, id: Ulid, part: ItemPart): Cell => `${item(inMonth, id)}${part}|`;
/** What an item is in every month: its name and the like, and by `adjustments` the fund's of all months. */
export const itemField = (id: Ulid, name: string): Cell => `i|${id}|${name}|`;
export const groupField = (id: Ulid, name: string): Cell => `g|${id}|${name}|`;
/** Written only together with the whole item: that it never left. */
const itemThere = (inMonth: string, id: Ulid): Cell => `${item(inMonth, id)}there|`;
export const groupThere = (inMonth: string, id: Ulid): Cell => `${group(inMonth, id)}there|`;
export const transaction = (id: Ulid): Cell => `t|${id}|`;
export const field = (id: Ulid, name: string): Cell => `t|${id}|${name}|`;
/** Written by no event: that it is in the month in the end, however often it left in between. */
export const itemAtLast = (inMonth: string, id: Ulid): Cell => `last|${inMonth}|${id}|`;
/** Written by no event: that it is not deleted in the end, however often it was in between. */
export const liveAtLast = (id: Ulid): Cell => field(id, 'last');

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

/** What opening, ending and reopening a fund write: its target goes and comes back with it. */
export function fundCells(itemId: Ulid): readonly Cell[] {
  return [itemField(itemId, 'fund'), itemField(itemId, 'fundTarget')];
}

/** What a correction needs: that the item never left the month and is the fund that it was. */
export function fundThere(inMonth: string, itemId: Ulid): readonly Cell[] {
  return [itemThere(inMonth, itemId), itemField(itemId, 'fund')];
}

/** One correction, by the event that made it. */
export function adjustmentIn({ month: inMonth, itemId, adjustment }: PlacedAdjustment): Cell {
  return `${itemPart(inMonth, itemId, 'adjustments')}${adjustment.eventId}|`;
}

/** Written by what makes a correction: no other one is touched by it. */
export function newAdjustmentIn(inMonth: string, itemId: Ulid): Cell {
  return `${itemPart(inMonth, itemId, 'adjustments')}new|`;
}

/** The splits of transactions that lose them, or get them back, by what becomes of items. */
export function splitsTaken(ids: readonly Ulid[]): Cell[] {
  return ids.map(id => field(id, 'splits'));
}
