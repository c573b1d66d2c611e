import type { RecordedEvent } from '#storage/event-store/event-store';

/** How much of the log is applied, as far as positions tell. */
export class WorkEstimate {
  private readonly end: number;
  /** Events that there will have been, if the rest of the log lies as close together as the page. */
  private readonly expected: number;

  /**
   * @param page events next to each other in the log, the first that are to be applied
   * @param applied events before them
   * @param end the position of the last event that is to be applied
   */
  constructor(page: readonly RecordedEvent[], applied: number, end: string) {
    const first = placeOf(page[0]!.position);
    const apart = (placeOf(page.at(-1)!.position) - first) / (page.length - 1);
    this.end = placeOf(end);
    this.expected = applied + 1 + (this.end - first) / apart;
  }

  /**
   * By events, most of which are applied ahead of the log, or by the position, where not all of them are wanted.
   * @param position up to which all are applied; null for none
   * @returns from 0 to 1; null where nothing can be said
   */
  fraction(events: number, position: string | null): number | null {
    const byPosition = position === null ? NaN : placeOf(position) / this.end;
    const fractions = [events / this.expected, byPosition].filter(Number.isFinite);
    return fractions.length === 0 ? null : Math.min(1, Math.max(...fractions));
  }
}

/** Positions are digits of fixed width, or two of them, in every store that there is; NaN where they are not. */
function placeOf(position: string): number {
  return Number(position.length > 30 ? position.slice(0, position.length / 2) : position);
}
