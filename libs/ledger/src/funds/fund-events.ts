import type { EventAmong, EventDeclarations } from '../event-declaration.js';
import { budgetOf, monthsWith, type Adjustment, type Household } from '../household.js';
import type { PresentNames } from '../present-names.js';
import * as cells from '../undo/cells.js';
import { formerPlace, type Place } from '../undo/former-place.js';
import type { Amount, Month, Ulid } from '../values.js';

/** A time for which an item was a fund, and its target then. */
interface FundTerm {
  readonly itemId: Ulid;
  readonly openedIn: Month;
  readonly openingBalance: Amount;
  readonly term: number;
  readonly target: Amount | null;
}

/** A correction, and its place among those of its item and month. */
interface PlacedAdjustment extends Place {
  readonly month: Month;
  readonly itemId: Ulid;
  readonly adjustment: Adjustment;
}

/** What happens to funds. */
export interface FundEvents {
  FundOpened: {
    readonly month: Month;
    readonly itemId: Ulid;
    readonly openingBalance: Amount;
    /** How often the item had been a fund before: adjustments of an earlier term never count again. */
    readonly term: number;
  };
  FundEnded: FundTerm;
  FundBalanceUpdated: { readonly month: Month; readonly itemId: Ulid; readonly amount: Amount };
  /* Only an undoing makes these: the inverses of the others. */
  FundReopened: FundTerm;
  AdjustmentRemoved: PlacedAdjustment;
  AdjustmentPutBack: PlacedAdjustment;
}

export const fundEvents: EventDeclarations<FundEvents> = {
  FundOpened: {
    fold(draft, { month, itemId, openingBalance, term }) {
      const fund = { since: month, openingBalance, term };
      draft.setFund({ ...draft.item(itemId), fund, terms: term + 1 }, month);
    },
    writes: ({ month, itemId }) => [cells.itemPart(month, itemId, 'opened'), ...fundCells(itemId)],
    undoNeeds: ({ itemId }) => [...fundCells(itemId), cells.itemField(itemId, 'adjustments')],
    inverse: ({ month, itemId, openingBalance, term }, { household }) => [
      fundEnded(household, { itemId, openedIn: month, openingBalance, term }),
    ],
    sentence: ({ month, itemId, openingBalance }, names) =>
      `made ${names.item(itemId)} a fund in ${month} with a balance of ${names.money(openingBalance)}`,
  },
  FundEnded: {
    fold(draft, { itemId, openedIn, target }, { revision }) {
      const item = draft.item(itemId);
      const targetRevision = target === null ? item.targetRevision : revision;
      draft.setFund({ ...item, fund: null, fundTarget: null, targetRevision }, openedIn);
    },
    months: monthsOfTerm,
    writes: ({ itemId }) => fundCells(itemId),
    inverse: data => [{ type: 'FundReopened', data }],
    sentence: ({ itemId }, names) => `ended the fund ${names.item(itemId)}`,
  },
  FundReopened: {
    fold(draft, { itemId, openedIn, openingBalance, term, target }, { revision }) {
      const item = draft.item(itemId);
      const fund = { since: openedIn, openingBalance, term };
      const targetRevision = target === null ? item.targetRevision : revision;
      draft.setFund({ ...item, fund, fundTarget: target, targetRevision }, openedIn);
    },
    months: monthsOfTerm,
    writes: ({ itemId }) => fundCells(itemId),
    inverse: (data, { household }) => [fundEnded(household, data)],
    sentence: ({ itemId }, names) => `made ${names.item(itemId)} a fund again`,
  },
  FundBalanceUpdated: {
    fold(draft, { month, itemId, amount }, { id, at, by }) {
      const { adjustments } = draft.budget(month).items.get(itemId)!;
      const { term } = draft.item(itemId).fund!;
      draft.setItemIn(month, itemId, {
        adjustments: [...adjustments, { amount, at, by, eventId: id, term }],
      });
    },
    // No other correction is touched by one that is made.
    writes: ({ month, itemId }) => [
      `${cells.itemPart(month, itemId, 'adjustments')}new|`,
      cells.itemField(itemId, 'adjustments'),
    ],
    undoNeeds: ({ month, itemId }) => fundThere(month, itemId),
    inverse: ({ month, itemId }, { household }, { id }) => [adjustmentRemoved(household, month, itemId, id)],
    sentence: ({ month, itemId, amount }, names) =>
      `corrected the balance of ${names.item(itemId)} in ${month} by ${names.money(amount)}`,
  },
  AdjustmentRemoved: {
    fold(draft, { month, itemId, adjustment }) {
      const { adjustments } = draft.budget(month).items.get(itemId)!;
      draft.setItemIn(month, itemId, { adjustments: without(adjustments, adjustment) });
    },
    writes: adjustmentCells,
    undoNeeds: data => [adjustmentIn(data), ...fundThere(data.month, data.itemId)],
    inverse({ month, itemId, index, among, adjustment }, { household, putBack }) {
      const left = {
        list: cells.itemPart(month, itemId, 'adjustments'),
        id: adjustment.eventId,
        index,
        among,
      };
      const now = adjustmentsIn(household, month, itemId).map(({ eventId }) => eventId);
      const place = formerPlace(left, now, putBack);
      return [{ type: 'AdjustmentPutBack', data: { month, itemId, ...place, adjustment } }];
    },
    sentence: (data, names) => `removed ${adjustmentOf(data, names)}`,
  },
  AdjustmentPutBack: {
    fold(draft, { month, itemId, index, adjustment }) {
      const adjustments = without(draft.budget(month).items.get(itemId)!.adjustments, adjustment);
      draft.setItemIn(month, itemId, { adjustments: adjustments.toSpliced(index, 0, adjustment) });
    },
    writes: adjustmentCells,
    undoNeeds: data => [adjustmentIn(data), ...fundThere(data.month, data.itemId)],
    putBack: ({ month, itemId, adjustment, among = [] }) => [
      { list: cells.itemPart(month, itemId, 'adjustments'), id: adjustment.eventId, among },
    ],
    inverse: ({ month, itemId, adjustment }, { household }) => [
      adjustmentRemoved(household, month, itemId, adjustment.eventId),
    ],
    sentence: (data, names) => `restored ${adjustmentOf(data, names)}`,
  },
};

function fundEnded(household: Household, term: Omit<FundTerm, 'target'>): EventAmong<FundEvents> {
  const target = household.items.get(term.itemId)!.fundTarget;
  return { type: 'FundEnded', data: { ...term, target } };
}

function monthsOfTerm({ itemId, openedIn }: FundTerm, household: Household): Month[] {
  return monthsWith(household, ({ month, items }) => month >= openedIn && items.has(itemId));
}

/** What opening, ending and reopening a fund write: its target goes and comes back with it. */
function fundCells(itemId: Ulid): cells.Cell[] {
  return [cells.itemField(itemId, 'fund'), cells.itemField(itemId, 'fundTarget')];
}

/** What a correction needs: that the item never left the month and is the fund that it was. */
function fundThere(month: Month, itemId: Ulid): cells.Cell[] {
  return [cells.itemThere(month, itemId), cells.itemField(itemId, 'fund')];
}

/** One correction, by the event that made it. */
function adjustmentIn({ month, itemId, adjustment }: PlacedAdjustment): cells.Cell {
  return `${cells.itemPart(month, itemId, 'adjustments')}${adjustment.eventId}|`;
}

function adjustmentCells(data: PlacedAdjustment): cells.Cell[] {
  return [adjustmentIn(data), cells.itemField(data.itemId, 'adjustments')];
}

function adjustmentsIn(household: Household, month: Month, itemId: Ulid): readonly Adjustment[] {
  return budgetOf(household, month)!.items.get(itemId)!.adjustments;
}

function without(adjustments: readonly Adjustment[], { eventId }: Adjustment): Adjustment[] {
  return adjustments.filter(other => other.eventId !== eventId);
}

function adjustmentRemoved(
  household: Household,
  month: Month,
  itemId: Ulid,
  id: string,
): EventAmong<FundEvents> {
  const adjustments = adjustmentsIn(household, month, itemId);
  const among = adjustments.map(({ eventId }) => eventId);
  const index = among.indexOf(id);
  const adjustment = adjustments[index]!;
  return { type: 'AdjustmentRemoved', data: { month, itemId, index, among, adjustment } };
}

function adjustmentOf({ adjustment, itemId, month }: PlacedAdjustment, names: PresentNames): string {
  return `a correction of the balance of ${names.item(itemId)} in ${month} by ${names.money(adjustment.amount)}`;
}
