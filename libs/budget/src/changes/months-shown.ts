import { Injectable } from '@nestjs/common';
import type { Month } from '#ledger/calendar';
import type { DecodedEvent } from '#ledger/event-codec';
import type { Household } from '#ledger/household';
import { touchedMonths, touchesByLayout } from '#ledger/touched-months';
import { PastHouseholds } from '#streams/past-households';

/** Commands whose months are remembered: those who listen to a household are told at about the same time. */
const REMEMBERED_COMMANDS_MAX = 64;

/**
 * The months of which a command changed the layout, a note, or what they show of a group or an item: those that had
 * the group or item when it was recorded, whatever became of them before it is told.
 */
@Injectable()
export class MonthsShown {
  private readonly remembered = new Map<string, Promise<readonly Month[]>>();

  constructor(private readonly past: PastHouseholds) {}

  /**
   * @param command its events, one or more
   * @param household as it is after the command, or later
   * @throws EventStoreUnavailable, DocumentsUnavailable
   */
  async of(
    householdId: string,
    command: readonly DecodedEvent[],
    household: Household,
  ): Promise<readonly Month[]> {
    const { revision } = command.at(-1)!;
    if (household.revision === revision || !command.some(touchesByLayout))
      return monthsOf(command, household);
    const key = `${householdId} ${revision}`;
    const known = this.remembered.get(key);
    if (known) return known;
    const found = this.past.atRevision(householdId, revision).then(then => monthsOf(command, then));
    this.remember(key, found);
    // Who asks again may be luckier.
    found.catch(() => this.remembered.delete(key));
    return found;
  }

  private remember(key: string, found: Promise<readonly Month[]>): void {
    this.remembered.set(key, found);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > REMEMBERED_COMMANDS_MAX) this.remembered.delete(oldest!);
  }
}

function monthsOf(command: readonly DecodedEvent[], household: Household): readonly Month[] {
  return command.flatMap(event => touchedMonths(household, event));
}
