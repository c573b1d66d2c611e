/** A calendar month, `YYYY-MM`. Months compare as text. */
export type Month = string;

/** A calendar date, `YYYY-MM-DD`. */
export type CalendarDate = string;

/** A moment, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type Timestamp = string;

export function monthOf(date: CalendarDate): Month {
  return date.slice(0, 7);
}
