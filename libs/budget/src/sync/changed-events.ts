import { Injectable } from '@nestjs/common';
import { EventStore } from '#storage/event-store/event-store';
import type { Month, Ulid } from '#ledger/values';
import { decodeEvent, type DecodedEvent } from '#ledger/event-codec';
import type { Household } from '#ledger/household';
import { touchedMonths, touchedTransactions } from '#ledger/events';
import { COMMANDS_AT_ONCE, CommandLog } from '#engine/commands/command-log';
import { weightOf, eventsInParts } from '#engine/households/household-stream';

/** The most events that one page reads. */
export const EVENTS_MAX = 2_000;
/** A page ends earlier where its events are this large, in characters. */
const EVENTS_WEIGHT_MAX = 16 * 1024 * 1024;

/** A place in a household's stream: an event, and how many of the transactions that it touched are behind. */
export interface StreamPlace {
  readonly revision: number;
  readonly transactions: number;
}

/** What some events changed. */
export interface Changed {
  readonly months: ReadonlySet<Month>;
  readonly transactionIds: ReadonlySet<Ulid>;
  /** Where the next page begins. */
  readonly next: StreamPlace;
}

/** Reads from a household's events what they changed. */
@Injectable()
export class ChangedEvents {
  constructor(
    private readonly store: EventStore,
    private readonly log: CommandLog,
  ) {}

  /**
   * What the events from a place on changed, up to a number of transactions.
   * @param household with all of these events folded in: up to its revision they are read
   * @throws EventStoreUnavailable, UnknownEvent
   */
  async from(
    householdId: string,
    household: Household,
    place: StreamPlace,
    transactionsMax: number,
  ): Promise<Changed> {
    const months = new Set<Month>();
    const ids = new Set<Ulid>();
    let next = place;
    let weight = 0;
    const last = Math.min(household.revision, place.revision + EVENTS_MAX - 1);
    const addMonths = (added: readonly Month[] = []): void => added.forEach(month => void months.add(month));
    // The event before the place shows whether the place is within a command: its first event names the months.
    let before: DecodedEvent | null = null;
    for await (const part of eventsInParts(this.store, householdId, Math.max(place.revision - 1, 0), last)) {
      for (const stored of part) {
        const event = decodeEvent(stored);
        if (event.revision < place.revision) {
          before = event;
          continue;
        }
        if (event.revision === place.revision && isOfOneCommand(before, event)) {
          addMonths(await this.monthsOfCommandBefore(householdId, event.revision));
        }
        const touched = touchedTransactions(event);
        const behind = event.revision === place.revision ? place.transactions : 0;
        const taken = take(ids, touched, behind, transactionsMax);
        if (taken === 0 && touched.length > 0) return { months, transactionIds: ids, next };
        addMonths(event.metadata.months);
        addMonths(touchedMonths(household, event));
        if (taken < touched.length) {
          next = { revision: event.revision, transactions: taken };
          return { months, transactionIds: ids, next };
        }
        next = { revision: event.revision + 1, transactions: 0 };
        weight += weightOf(stored.data);
        if (weight >= EVENTS_WEIGHT_MAX) return { months, transactionIds: ids, next };
      }
      // What follows most likely touches others: it is not read only to be left out.
      if (ids.size >= transactionsMax) break;
    }
    return { months, transactionIds: ids, next };
  }

  /** The months with figures that the command before a revision changed. */
  private async monthsOfCommandBefore(householdId: string, revision: number): Promise<readonly Month[]> {
    for await (const [first] of this.log.backwards(householdId, revision, COMMANDS_AT_ONCE)) {
      return first.metadata.months ?? [];
    }
    return [];
  }
}

function isOfOneCommand(before: DecodedEvent | null, event: DecodedEvent): boolean {
  return before?.metadata.commandId === event.metadata.commandId;
}

/** Adds ids from a place in a list until there are enough. @returns the place of the first one that was left out */
function take(ids: Set<Ulid>, touched: readonly Ulid[], from: number, max: number): number {
  for (let at = from; at < touched.length; at++) {
    const id = touched[at]!;
    if (ids.size === max && !ids.has(id)) return at;
    ids.add(id);
  }
  return touched.length;
}
