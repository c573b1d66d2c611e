import { sumOrNaN, type Month, type Timestamp, type Ulid, type Amount } from '#ledger/values';
import { figuresOf } from '#ledger/figures';
import type { RecordedLedgerEvent } from '#ledger/events';
import { fundIn, type Budget, type Household, type ItemIdentity } from '#ledger/household';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';

/** Where an amount comes from. */
export interface Source {
  readonly kind: 'transaction' | 'event' | 'month';
  /** The transaction's id, the event's, or the month. */
  readonly id: string;
  readonly amount: Amount;
  /** When it was recorded; null for a month. */
  readonly at: Timestamp | null;
  readonly label: string;
}

/** A part of a figure: the sum of its sources. */
export interface Term {
  readonly term: string;
  readonly amount: Amount;
  readonly sources: readonly Source[];
}

/** A figure: the sum of its terms. */
export interface ExplainedFigure {
  readonly figure: string;
  readonly value: Amount;
  readonly terms: readonly Term[];
}

/** The events that set what an explanation names. */
export interface SettingEvents {
  /** By item, the event that planned what is planned now; none is needed where nothing is planned. */
  readonly plans: ReadonlyMap<Ulid, Pick<RecordedLedgerEvent, 'id' | 'at'>>;
  /** The event that made the item a fund; needed where its opening balance is carried in. */
  readonly opening: Pick<RecordedLedgerEvent, 'id' | 'at'> | null;
}

/** What an event planned in a month, by item. */
export function plansSetBy(event: RecordedLedgerEvent, month: Month): readonly (readonly [Ulid, Amount])[] {
  if (!('month' in event.data) || event.data.month !== month) return [];
  switch (event.type) {
    case 'MonthCreated':
    case 'MonthReplaced':
      return event.data.layout.flatMap(({ items }) =>
        items.map(({ itemId, planned }) => [itemId, planned] as const),
      );
    case 'ItemAdded':
      return [[event.data.item.id, event.data.planned]];
    case 'ItemPlaced':
      return [[event.data.itemId, event.data.planned]];
    case 'ItemPlanned':
    case 'ItemHarvested':
      return [[event.data.itemId, event.data.after]];
    default:
      return [];
  }
}

/** What a month's `left_to_budget` is made of. */
export function explainMonth(
  household: Household,
  budget: Budget,
  setting: Pick<SettingEvents, 'plans'>,
): ExplainedFigure[] {
  const planned = (kind: ItemIdentity['kind'], sign: 1 | -1): Source[] =>
    budget.groups
      .flatMap(({ itemIds }) => itemIds)
      .map(itemId => household.items.get(itemId)!)
      .filter(item => item.kind === kind)
      .flatMap(item => planSources(budget, item.id, setting, sign, item.name));
  const value = figuresOf(household, budget).leftToBudget;
  const terms = [
    termOf('planned_income', planned('income', 1)),
    termOf('planned_expenses', planned('expense', -1)),
  ];
  return [{ figure: 'left_to_budget', value, terms }];
}

/**
 * What every figure of an item in a month is made of.
 * @param records the transactions of the month that have a split on the item and are not deleted
 */
export function explainItem(
  household: Household,
  budget: Budget,
  itemId: Ulid,
  records: readonly TransactionRecord[],
  setting: SettingEvents,
): ExplainedFigure[] {
  const item = household.items.get(itemId)!;
  const shown = figuresOf(household, budget).items.get(itemId)!;
  const { planned, spent, received, remaining, carryIn, ending } = shown;
  const isIncome = item.kind === 'income';
  const plan = termOf('planned', planSources(budget, itemId, setting, 1, 'Planned'));
  const active = splitTerms(records, itemId, isIncome ? 'income' : 'expense');
  const figures: ExplainedFigure[] = [
    { figure: 'planned', value: planned, terms: [plan] },
    { figure: 'spent', value: spent, terms: isIncome ? [] : active },
    { figure: 'received', value: received, terms: isIncome ? active : [] },
  ];
  const usedUp = active.map(negated);
  if (carryIn === null || ending === null) {
    return [...figures, { figure: 'remaining', value: remaining, terms: [plan, ...usedUp] }];
  }
  const carried = carriedTerm(household, budget.month, item, carryIn, setting);
  const parts = [carried, plan, adjustmentTerm(budget, item), ...usedUp];
  return [
    ...figures,
    { figure: 'remaining', value: remaining, terms: parts },
    { figure: 'carry_in', value: carryIn, terms: [carried] },
    { figure: 'ending', value: ending, terms: parts },
  ];
}

/** The latest earlier month that passes its ending on to a fund's carry-in, or null where the opening balance does. */
export function carryingMonth(household: Household, month: Month, item: ItemIdentity): Month | null {
  const since = fundIn(item, month)?.since;
  if (since === undefined) return null;
  const earlier = household.months.findLast(
    state => state.month >= since && state.month < month && state.budget?.items.has(item.id),
  );
  return earlier?.month ?? null;
}

function planSources(
  budget: Budget,
  itemId: Ulid,
  { plans }: Pick<SettingEvents, 'plans'>,
  sign: 1 | -1,
  label: string,
): Source[] {
  const { planned } = budget.items.get(itemId)!;
  const event = plans.get(itemId);
  if (planned === 0 || !event) return [];
  return [{ kind: 'event', id: event.id, amount: sign * planned, at: event.at, label }];
}

/** What counts up for the item, and what counts down. */
function splitTerms(records: readonly TransactionRecord[], itemId: Ulid, up: 'income' | 'expense'): Term[] {
  const sources = records.map(record => {
    const split = record.splits.find(one => one.itemId === itemId)?.amount ?? 0;
    const amount = record.type === up ? split : -split;
    const { id, createdAt: at, merchant: label } = record;
    return { kind: 'transaction', id, amount, at, label } as const;
  });
  const [added, takenAway] = up === 'income' ? ['incomes', 'expenses'] : ['expenses', 'refunds'];
  const counted = sources.filter(({ amount }) => amount > 0);
  const countedBack = sources.filter(({ amount }) => amount < 0);
  return [termOf(added, counted), termOf(takenAway, countedBack)];
}

function carriedTerm(
  household: Household,
  month: Month,
  item: ItemIdentity,
  amount: Amount,
  { opening }: SettingEvents,
): Term {
  const from = carryingMonth(household, month, item);
  if (from !== null) {
    return termOf('carry_in', [{ kind: 'month', id: from, amount, at: null, label: `Ending of ${from}` }]);
  }
  if (!opening) return termOf('opening_balance', []);
  const { id, at } = opening;
  return termOf('opening_balance', [{ kind: 'event', id, amount, at, label: 'Opening balance' }]);
}

function adjustmentTerm(budget: Budget, item: ItemIdentity): Term {
  const { adjustments } = budget.items.get(item.id)!;
  const own = adjustments.filter(({ term }) => term === item.fund?.term);
  return termOf(
    'adjustments',
    own.map(({ eventId, amount, at }) => ({ kind: 'event', id: eventId, amount, at, label: 'Adjustment' })),
  );
}

function termOf(term: string, sources: readonly Source[]): Term {
  return { term, amount: total(sources), sources };
}

function negated({ term, sources }: Term): Term {
  const taken = sources.map(source => ({ ...source, amount: -source.amount }));
  return termOf(term, taken);
}

/** Whether every term is in the range of what can be told exactly. */
export function areExact(figures: readonly ExplainedFigure[]): boolean {
  return figures.every(({ terms }) => terms.every(({ amount }) => !Number.isNaN(amount)));
}

/** Whether every figure is the sum of its terms, each of which is made as the sum of its sources. */
export function addsUp(figures: readonly ExplainedFigure[]): boolean {
  return figures.every(({ value, terms }) => value === total(terms));
}

/** NaN where it is out of range: it equals no figure then, so that nothing inexact is shown. */
function total(parts: readonly { readonly amount: Amount }[]): Amount {
  return sumOrNaN(parts.map(({ amount }) => amount));
}
