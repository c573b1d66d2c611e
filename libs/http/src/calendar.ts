const DATE_PATTERN = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const TIME_OF_DAY = '([01][0-9]|2[0-3]):[0-5][0-9]';
/** A date, or a time with `Z` or an offset; fractions of a second are optional. */
export const MOMENT_PATTERN = `^${DATE_PATTERN}(T${TIME_OF_DAY}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]${TIME_OF_DAY}))?$`;

const DATE = new RegExp(`^${DATE_PATTERN}$`);
const MOMENT = new RegExp(MOMENT_PATTERN);

/** A day that the Gregorian calendar has, as `YYYY-MM-DD`, of the years 0001 to 9999. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !DATE.test(value)) return false;
  const year = Number(value.slice(0, 4));
  const month = Number(value.slice(5, 7));
  const day = Number(value.slice(8, 10));
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Which instant of its day, in UTC and to the millisecond, a plain date stands for. */
export type InstantOfDay = 'first' | 'last';

const TIMES = { first: 'T00:00:00.000Z', last: 'T23:59:59.999Z' } as const;

/**
 * The moment that a date or a time means, as `YYYY-MM-DDTHH:MM:SS.sssZ`, so that moments compare as texts do. What is finer
 * than a millisecond is cut off.
 * @returns null for a text that means none, or one before the year 0001 or after 9999 in UTC
 */
export function momentOf(text: string, ofDay: InstantOfDay): string | null {
  const date = text.slice(0, 10);
  if (!MOMENT.test(text) || !isDate(date)) return null;
  const time = text === date ? TIMES[ofDay] : text.slice(10);
  const [, seconds, fraction = '', zone] = /^(.{9})(?:\.([0-9]+))?(.+)$/.exec(time)!;
  const milliseconds = Date.parse(`${date}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  const moment = new Date(milliseconds).toISOString();
  return isDate(moment.slice(0, 10)) ? moment : null;
}
