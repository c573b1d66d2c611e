import { monthIndex, type Fund, type LaidItem, type MonthState } from '../household.js';
import { sumOrNaN, type Amount, type Month } from '../values.js';

/** The months through which an item's balance is carried. */
export interface FundMonths {
  /** In their order. */
  readonly months: readonly Pick<MonthState, 'month'>[];
  /** The item as a month has it; undefined where it has not. */
  readonly laidIn: (month: Month) => LaidItem | undefined;
  readonly setCarryIn: (month: Month, laid: LaidItem, carryIn: Amount | null) => void;
}

/** A fund's ending in the latest month that has it. */
interface LatestEnding {
  readonly month: Month;
  readonly ending: Amount;
}

/** A fund's ending in a month: carry-in + planned + adjustments of this term − activity. NaN where it is out of range. */
export function ending(laid: LaidItem, term: number): Amount {
  const adjustments = laid.adjustments.filter(adjustment => adjustment.term === term);
  const terms = [laid.carryIn ?? 0, laid.planned, -laid.activity, ...adjustments.map(({ amount }) => amount)];
  return sumOrNaN(terms);
}

/**
 * Carries an item's balance on from a month: its carry-in is the ending of the latest earlier month, not before the
 * opening month, that has the item, and the opening balance without one. Stops at the first month after the
 * last one that moved it whose carry-in stays the same.
 * @param fund null if the item has ceased to be a fund: then no month has a carry-in
 * @param moved the first and the last month in which the item was moved
 * @returns null where no month since the opening has the item
 */
export function carryOn(
  chain: FundMonths,
  fund: Fund | null,
  moved: { readonly from: Month; readonly to: Month },
): LatestEnding | null {
  let carry = fund ? carriedInto(chain, fund, moved.from) : null;
  for (let i = firstFrom(chain, moved.from); i < chain.months.length; i++) {
    const { month } = chain.months[i]!;
    const laid = chain.laidIn(month);
    if (!laid || (fund && month < fund.since)) continue;
    if (laid.carryIn !== carry) chain.setCarryIn(month, laid, carry);
    else if (month > moved.to) break;
    if (fund) carry = ending(chain.laidIn(month)!, fund.term);
  }
  return fund && latestEnding(chain, fund, chain.months.length);
}

function carriedInto(chain: FundMonths, fund: Fund, month: Month): Amount {
  return latestEnding(chain, fund, firstFrom(chain, month))?.ending ?? fund.openingBalance;
}

/** The ending in the latest month, since the opening and before an index, that has the item. */
function latestEnding({ months, laidIn }: FundMonths, fund: Fund, before: number): LatestEnding | null {
  for (let i = before - 1; i >= 0 && months[i]!.month >= fund.since; i--) {
    const { month } = months[i]!;
    const laid = laidIn(month);
    if (laid) return { month, ending: ending(laid, fund.term) };
  }
  return null;
}

/** The index of a month, or of the first one after it. */
function firstFrom({ months }: FundMonths, month: Month): number {
  const index = monthIndex(months, month);
  return index < 0 ? ~index : index;
}
