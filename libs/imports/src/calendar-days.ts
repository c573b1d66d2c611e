/** Days of 400 years of the Gregorian calendar, after which it repeats itself. */
const DAYS_OF_ERA = 146_097;
/** From the first of March of the year 0 to 1970-01-01. */
const DAYS_BEFORE_EPOCH = 719_468;

/**
 * The number of a date's day, counted from 1970-01-01. Years begin in March here, so that a leap day is the last of one.
 * @param date `YYYY-MM-DD`, a day that the calendar has
 */
export function dayNumber(date: string): number {
  const month = Number(date.slice(5, 7));
  const year = Number(date.slice(0, 4)) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + Number(date.slice(8, 10)) - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_OF_ERA + dayOfEra - DAYS_BEFORE_EPOCH;
}

/** The date of a day; the reverse of `dayNumber`. Its year has at least four digits. */
export function dateOfDay(day: number): string {
  const sinceYearZero = day + DAYS_BEFORE_EPOCH;
  const era = Math.floor(sinceYearZero / DAYS_OF_ERA);
  const dayOfEra = sinceYearZero - era * DAYS_OF_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return [String(year).padStart(4, '0'), two(month), two(dayOfMonth)].join('-');
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
