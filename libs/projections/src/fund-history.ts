import { sumOrNaN, type Month, type Timestamp, type Ulid, type Amount } from '#ledger/values';
import { evolve, written, type RecordedLedgerEvent } from '#ledger/events';
import { isTransactionEvent } from '#ledger/transactions/transaction-events';
import { ending, type Fund, type Household, type LaidItem } from '#ledger/household';

export const FUND_ENTRY_KINDS = [
  'opened',
  'laid_out',
  'planned',
  'adjusted',
  'spent',
  'removed',
  'closed',
] as const;

type FundEntryKind = (typeof FUND_ENTRY_KINDS)[number];

/** One change of a fund's ending in a month, by something that happened to the fund itself. */
export interface FundEntry {
  readonly at: Timestamp;
  readonly by: Ulid;
  readonly month: Month;
  readonly kind: FundEntryKind;
  /** Signed change of the ending. */
  readonly amount: Amount;
  /** The ending after it. */
  readonly balance: Amount;
  readonly eventId: string;
  readonly revision: number;
}

type Change = Pick<FundEntry, 'month' | 'kind' | 'amount' | 'balance'>;

/**
 * Tells what moved an item as a fund, by comparing the states before and after each event. What comes in from earlier
 * months has no entry: the amounts of a fund's entries add up to its balance, and its end takes that away.
 */
export class FundHistory {
  constructor(
    private readonly itemId: Ulid,
    private state: Household,
  ) {}

  /** The household after the last event. */
  get household(): Household {
    return this.state;
  }

  /** @param events those that follow the state, in order @returns the fund's entries, oldest first */
  add(events: readonly RecordedLedgerEvent[]): FundEntry[] {
    const entries: FundEntry[] = [];
    let others: RecordedLedgerEvent[] = [];
    for (const event of events) {
      // Most events are transactions on other items; these are folded many at once.
      if (isTransactionEvent(event) && !written(event).some(cell => cell.includes(this.itemId))) {
        others.push(event);
        continue;
      }
      const before = evolve(this.state, others);
      others = [];
      this.state = evolve(before, [event]);
      const { at, by, id: eventId, revision } = event;
      for (const { month, kind, amount, balance } of changesOf(this.itemId, before, this.state)) {
        entries.push({ at, by, month, kind, amount, balance, eventId, revision });
      }
    }
    this.state = evolve(this.state, others);
    return entries;
  }
}

function changesOf(itemId: Ulid, before: Household, after: Household): Change[] {
  const was = before.items.get(itemId)?.fund ?? null;
  const is = after.items.get(itemId)?.fund ?? null;
  const months = (household: Household, fund: Fund): Map<Month, LaidItem> =>
    laidSince(household, itemId, fund);
  if (!was) return is ? openings(is, months(after, is)) : [];
  if (!is) return closing(was, months(before, was));
  const [earlier, later] = [months(before, was), months(after, is)];
  const all = [...new Set([...earlier.keys(), ...later.keys()])].sort();
  return all.flatMap(month => inMonth(month, is, earlier.get(month), later.get(month)));
}

/** The item in every month in which it is this fund, oldest first. */
function laidSince(household: Household, itemId: Ulid, { since }: Fund): Map<Month, LaidItem> {
  const laid = new Map<Month, LaidItem>();
  for (const { month, budget } of household.months) {
    const item = month >= since ? budget?.items.get(itemId) : undefined;
    if (item) laid.set(month, item);
  }
  return laid;
}

/**
 * The opening month, and every later one that had the item already. Where an ending is undone, the opening month may have
 * lost the item: then the first one that has it takes its place, or what the fund was opened with.
 */
function openings(fund: Fund, months: ReadonlyMap<Month, LaidItem>): Change[] {
  if (months.size === 0) return [opened(fund.since, fund.openingBalance)];
  return [...months].map(([month, laid], at) => {
    const balance = ending(laid, fund.term);
    if (at === 0) return opened(month, balance);
    return { month, kind: 'laid_out', amount: balance - (laid.carryIn ?? 0), balance };
  });
}

function opened(month: Month, balance: Amount): Change {
  return { month, kind: 'opened', amount: balance, balance };
}

/** A fund ends with what it held in the latest month that had it. */
function closing(fund: Fund, months: ReadonlyMap<Month, LaidItem>): Change[] {
  const [month, laid] = [...months].at(-1) ?? [fund.since, null];
  const held = laid ? ending(laid, fund.term) : fund.openingBalance;
  return [{ month, kind: 'closed', amount: negative(held), balance: 0 }];
}

function inMonth(month: Month, fund: Fund, was: LaidItem | undefined, is: LaidItem | undefined): Change[] {
  if (was === is) return [];
  if (!is) {
    const carryIn = was!.carryIn ?? 0;
    const amount = negative(ending(was!, fund.term) - carryIn);
    return [{ month, kind: 'removed', amount, balance: carryIn }];
  }
  const balance = ending(is, fund.term);
  if (!was) return [{ month, kind: 'laid_out', amount: balance - (is.carryIn ?? 0), balance }];
  const moved: readonly (readonly [FundEntryKind, Amount])[] = [
    ['spent', negative(is.activity - was.activity)],
    ['adjusted', adjusted(is, fund.term) - adjusted(was, fund.term)],
    ['planned', is.planned - was.planned],
  ];
  const changes = moved.filter(([, amount]) => amount !== 0);
  let left = balance - changes.reduce((sum, [, amount]) => sum + amount, 0);
  return changes.map(([kind, amount]) => ({ month, kind, amount, balance: (left += amount) }));
}

function adjusted({ adjustments }: LaidItem, term: number): Amount {
  return sumOrNaN(adjustments.filter(one => one.term === term).map(({ amount }) => amount));
}

/** Never −0: JSON writes it as 0, and comparisons must agree. */
function negative(amount: Amount): Amount {
  return amount === 0 ? 0 : -amount;
}
