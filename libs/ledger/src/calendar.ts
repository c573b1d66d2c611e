/** A calendar month, `YYYY-MM`. Months compare as text. */
export type Month = string;

/** A calendar date, `YYYY-MM-DD`. */
export type CalendarDate = string;

/** A moment, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type Timestamp = string;

/** The month that a date is in. By its text alone: no time zone has a part in it. */
export function monthOf(date: CalendarDate): Month {
  return date.slice(0, 7);
}
