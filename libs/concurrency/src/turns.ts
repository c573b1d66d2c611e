/** Works one after the other, in the order in which they are asked for; one that fails keeps no other from its turn. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Works as soon as all that was asked for before has ended. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when all that was asked for until now has ended, however it ended. */
  async ended(): Promise<void> {
    await this.last;
  }
}
