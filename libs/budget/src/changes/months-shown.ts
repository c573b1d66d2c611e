import type { Month } from '#ledger/values';
import type { DecodedEvent } from '#ledger/event-codec';
import { evolve, touchedMonths, touchesByLayout } from '#ledger/events';
import type { Household } from '#ledger/household';
import type { PastHouseholds } from '#engine/households/past-households';

/**
 * The months of which commands changed the layout, a note, or what they show of a group or an item: those that had the
 * group or item when the command was recorded, even if it was renamed or removed before it is told. Is told of the
 * commands of one household, one after the other.
 */
export class MonthsShown {
  /** The household after the latest command; null where it was not needed. */
  private state: Household | null = null;

  constructor(
    private readonly past: PastHouseholds,
    private readonly householdId: string,
  ) {}

  /**
   * @param command the events of the next command, one or more
   * @param present the household after it, or later
   * @throws EventStoreUnavailable, DocumentsUnavailable
   */
  async of(command: readonly DecodedEvent[], present: Household): Promise<readonly Month[]> {
    const household = await this.after(command, present);
    return command.flatMap(event => touchedMonths(household, event));
  }

  /** All is told for now. */
  forget(): void {
    this.state = null;
  }

  /** One state is made of a snapshot at most, and goes along with the commands from then on. */
  private async after(command: readonly DecodedEvent[], present: Household): Promise<Household> {
    const { revision } = command.at(-1)!;
    if (present.revision === revision) {
      // What came before is behind from here on, and must not go along with what comes next.
      this.state = null;
      return present;
    }
    if (this.state) this.state = evolve(this.state, command);
    else if (command.some(touchesByLayout))
      this.state = await this.past.atRevision(this.householdId, revision);
    // Otherwise the events alone say it.
    return this.state ?? present;
  }
}
