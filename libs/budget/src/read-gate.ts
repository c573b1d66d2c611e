/**
 * Makes sure that a household's documents reflect every command that was answered. Commands apply their own
 * events, so only after a start is there anything to do: what a crash left is applied first.
 */
export abstract class ReadGate {
  /**
   * @returns nothing where the documents are up to date, else a promise to wait for
   * @throws EventStoreUnavailable, DocumentsUnavailable
   */
  abstract ready(householdId: string): Promise<void> | undefined;

  /**
   * Tells states of a household's documents apart: as long as it is the same, they are. Null where other processes
   * may write them, too.
   */
  abstract version(householdId: string): number | null;
}
