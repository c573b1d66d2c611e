/**
 * Lets a household's documents reflect every command that was answered, as far as its events can be read. Commands
 * apply their own events, so only after a start is there anything to do: what a crash left is applied first.
 */
export abstract class ReadGate {
  /**
   * Never rejects: what cannot be applied now is left for later, so that queries go on, with the documents as they
   * are, while the event store is away.
   * @returns nothing where the documents are up to date, else a promise to wait for
   */
  abstract ready(householdId: string): Promise<void> | undefined;
}
