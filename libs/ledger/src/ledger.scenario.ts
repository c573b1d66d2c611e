import assert from 'node:assert/strict';
import type { Month, Timestamp, Ulid, Amount } from './values.js';
import { TEMPLATE_IDS } from './months/month-commands.js';
import { decide, neededFacts, outcomeOf, type Command } from './commands.js';
import type { Facts } from './command-declaration.js';
import {
  touchedTransactions,
  evolve,
  evolveTransaction,
  type LedgerEvent,
  type LedgerEventData,
  type RecordedLedgerEvent,
} from './events.js';
import type { Split, TransactionContent, TransactionRecord } from './transactions/transaction-record.js';
import { figuresOf, type ItemFigures, type MonthFigures } from './figures.js';
import { budgetOf, groupOfItem, NO_HOUSEHOLD, type Budget, type Household } from './household.js';
import { Refusal, type RefusalDetails } from './refusal.js';

/** The user whose commands a scenario runs. */
export const USER = idOf('USER');

/** Amounts by the item's name. */
export type Amounts = Readonly<Record<string, Amount>>;

/** An id that is the same for the same name: two digits for each of its first thirteen letters. */
export function idOf(name: string): Ulid {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const text = Array.from(name, letter => {
    const code = letter.charCodeAt(0) % 1024;
    return digits[code >> 5]! + digits[code & 31]!;
  });
  return text.join('').padEnd(26, '0').slice(0, 26);
}

/** The moment of the event with this revision: a minute apart. */
function momentOf(revision: number): Timestamp {
  const two = (value: number): string => String(value).padStart(2, '0');
  const [minute, hour, day] = [revision % 60, Math.floor(revision / 60) % 24, Math.floor(revision / 1440)];
  return `2026-03-${two((day % 31) + 1)}T${two(hour)}:${two(minute)}:00.000Z`;
}

/**
 * A ledger that is told what happened and asked to decide: given commands or events, when a command, then
 * events, a refusal or nothing. Transactions are looked up as the command side does it, from records folded
 * from the same events. There is no clock and no chance in it.
 */
export class Scenario {
  household: Household = NO_HOUSEHOLD;
  readonly events: RecordedLedgerEvent[] = [];
  readonly transactions = new Map<Ulid, TransactionRecord>();
  private readonly posted = new Map<Ulid, TransactionContent>();
  private drawn = 0;

  /** Lets commands (none may be refused) and events (not checked) happen. */
  given(...steps: readonly (Command | LedgerEvent)[]): this {
    for (const step of steps) {
      if ('data' in step) this.record([step]);
      else this.when(step).thenDone();
    }
    return this;
  }

  /** Decides a command and records its events; a refused one leaves everything as it was. */
  when(command: Command): Decision {
    const before = this.household;
    try {
      const events = decide(this.household, command, this.factsOf(command));
      const { household, months } = outcomeOf(before, this.headed(events));
      this.record(events);
      assert.deepEqual(this.household, household);
      // As commands go on: its figures are known, and were in part taken over from the state before.
      this.household = household;
      return new Decision(events, months, null, this);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return new Decision([], [], error, this);
    }
  }

  /** What the command side would look up for a command. */
  factsOf(command: Command): Facts {
    const { transactionIds = [], posted = [], tracked } = neededFacts(this.household, command);
    const isTracked = (record: TransactionRecord): boolean =>
      tracked !== undefined &&
      record.deletedAt === null &&
      record.budgetMonth === tracked.month &&
      record.splits.some(({ itemId }) => tracked.itemIds === 'all' || tracked.itemIds.includes(itemId));
    return {
      transactions: picked(this.transactions, transactionIds),
      posted: picked(this.posted, posted),
      tracked: [...this.transactions.values()].filter(isTracked),
    };
  }

  /** Fresh ids for a command that may lay out the template. */
  freshIds(): Ulid[] {
    return Array.from({ length: TEMPLATE_IDS }, () => idOf(`FRESH${(this.drawn += 1)}`));
  }

  /** Events with the headers that they will be recorded with. */
  headed(events: readonly LedgerEvent[]): RecordedLedgerEvent[] {
    return events.map((event, i) => {
      const revision = this.events.length + i;
      return { ...event, id: `event-${revision}`, revision, at: momentOf(revision), by: USER };
    });
  }

  budget(month: Month): Budget {
    const budget = budgetOf(this.household, month);
    if (!budget) throw new Error(`the scenario has no budget for ${month}`);
    return budget;
  }

  figures(month: Month): MonthFigures {
    return figuresOf(this.household, this.budget(month));
  }

  /** The figures of an item, by its name. */
  item(month: Month, name: string): ItemFigures {
    const figures = this.figures(month).items.get(idOf(name));
    if (!figures) throw new Error(`${name} is not in ${month}`);
    return figures;
  }

  transaction(name: string): TransactionRecord {
    const record = this.transactions.get(idOf(name));
    if (!record) throw new Error(`there is no transaction ${name}`);
    return record;
  }

  /** Groups and items of a month by name, in their order. */
  layout(month: Month): (readonly [group: string, ...items: string[]])[] {
    return this.budget(month).groups.map(({ groupId, itemIds }) => [
      this.household.groups.get(groupId)!.name,
      ...itemIds.map(itemId => this.household.items.get(itemId)!.name),
    ]);
  }

  /** The name of the group that holds an item in a month, both by name. */
  groupOf(month: Month, item: string): string | undefined {
    const groupId = groupOfItem(this.budget(month), idOf(item))?.groupId;
    return this.household.groups.get(groupId ?? '')?.name;
  }

  private record(events: readonly LedgerEvent[]): void {
    const recorded = this.headed(events);
    this.household = evolve(this.household, recorded);
    this.events.push(...recorded);
    for (const event of recorded) {
      if (event.type === 'TransactionCreated') this.posted.set(event.data.id, event.data.content);
      for (const id of touchedTransactions(event)) {
        this.transactions.set(id, evolveTransaction(this.transactions.get(id) ?? null, event));
      }
    }
  }
}

function picked<T>(from: ReadonlyMap<Ulid, T>, ids: readonly Ulid[]): Map<Ulid, T> {
  return new Map([...from].filter(([id]) => ids.includes(id)));
}

/** What came of a command. */
export class Decision {
  constructor(
    readonly events: readonly LedgerEvent[],
    /** Months with a changed figure. */
    readonly months: readonly Month[],
    readonly refusal: Refusal | null,
    readonly scenario: Scenario,
  ) {}

  /** It was not refused. */
  thenDone(): this {
    assert.ifError(this.refusal);
    return this;
  }

  thenEvents(...events: readonly LedgerEvent[]): this {
    this.thenDone();
    assert.deepEqual(this.events, events);
    return this;
  }

  /** It changed nothing, and was not refused. */
  thenNothing(): this {
    return this.thenEvents();
  }

  thenRefused(code: string, details?: RefusalDetails): this {
    assert.ok(this.refusal, `expected the refusal ${code}, but it was accepted`);
    assert.equal(this.refusal.code, code);
    if (details) assert.deepEqual(this.refusal.details, details);
    return this;
  }

  thenChangedMonths(...months: readonly Month[]): this {
    this.thenDone();
    assert.deepEqual(this.months, months);
    return this;
  }

  /** The data of its only event, which is of this type. */
  only<T extends LedgerEvent['type']>(type: T): LedgerEventData[T] {
    this.thenDone();
    assert.deepEqual(
      this.events.map(event => event.type),
      [type],
    );
    return this.events[0]!.data as LedgerEventData[T];
  }
}

/**
 * The event of a first month with groups, items and plans as given; the first group is the income group. All
 * identities are new, with ids from their names.
 */
export function firstMonth(month: Month, groups: Readonly<Record<string, Amounts>>): LedgerEvent {
  const entries = Object.entries(groups);
  return {
    type: 'MonthCreated',
    data: {
      month,
      copiedFrom: null,
      newGroups: entries.map(([name], i) => ({
        id: idOf(name),
        name,
        color: '#123456',
        isIncome: i === 0,
      })),
      newItems: entries.flatMap(([, items], i) =>
        Object.keys(items).map(name => ({
          id: idOf(name),
          name,
          kind: i === 0 ? ('income' as const) : ('expense' as const),
        })),
      ),
      layout: entries.map(([name, items]) => ({
        groupId: idOf(name),
        items: Object.entries(items).map(([item, planned]) => ({ itemId: idOf(item), planned })),
      })),
    },
  };
}

/** Splits by the items' names. */
export function splitsOf(amounts: Amounts): Split[] {
  return Object.entries(amounts).map(([name, amount]) => ({ itemId: idOf(name), amount }));
}

/** The creation of an expense in January 2026, of as much as its splits say, or 1000 without any. */
export function expense(
  name: string,
  amounts: Amounts,
  content: Partial<TransactionContent> = {},
): Extract<Command, { type: 'CreateTransaction' }> {
  const splits = splitsOf(amounts);
  const amount = splits.reduce((sum, split) => sum + split.amount, 0) || 1000;
  return {
    type: 'CreateTransaction',
    id: idOf(name),
    content: {
      type: 'expense',
      amount,
      date: `${content.budgetMonth ?? '2026-01'}-15`,
      merchant: 'Corner shop',
      note: null,
      budgetMonth: '2026-01',
      location: null,
      ...content,
      splits,
    },
  };
}

/** Likewise of an income. */
export function income(
  name: string,
  amounts: Amounts,
  content: Partial<TransactionContent> = {},
): Extract<Command, { type: 'CreateTransaction' }> {
  return expense(name, amounts, { type: 'income', ...content });
}

/** The event of an activity greater than a command may ask for: the log is believed, whatever it holds. */
export function hugeExpense(name: string, amounts: Amounts, month: Month): LedgerEvent {
  const { id, content } = expense(name, amounts, { budgetMonth: month });
  return { type: 'TransactionCreated', data: { id, content } };
}

/** The household as if the month held this many transactions that are not deleted. */
export function withLive(household: Household, month: Month, live: number): Household {
  const months = household.months.map(state => (state.month === month ? { ...state, live } : state));
  return { ...household, months };
}
