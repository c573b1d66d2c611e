/** Works one after the other, in the order in which they are asked for; one that fails keeps no other from its turn. */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Works as soon as all that was asked for before has ended. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    // Its result may be large, and must not be held until the next turn.
    const ended = (): void => undefined;
    this.last = turn.then(ended, ended);
    return turn;
  }

  /** Resolves when all that was asked for until now has ended, however it ended. */
  async ended(): Promise<void> {
    await this.last;
  }
}
