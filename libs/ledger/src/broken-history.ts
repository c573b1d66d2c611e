/** Events that no decision can have recorded: one speaks of what none before it made. Names ids only. */
export class BrokenHistory extends Error {
  override readonly name = 'BrokenHistory';
}
