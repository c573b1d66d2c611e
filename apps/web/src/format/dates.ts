import { browserLanguage } from './language.js';

/** Months are `YYYY-MM` and dates `YYYY-MM-DD`; neither has a time zone, so neither becomes a moment to be counted with. */
const MONTHS_IN_YEAR = 12;
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export function isMonth(text: string): boolean {
  return MONTH.test(text);
}

/** Today in the browser's time zone, as `YYYY-MM-DD`. */
export function today(now: Date = new Date()): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

export function thisMonth(): string {
  return monthOf(today());
}

/** The month some months later, or earlier for a negative number. */
export function monthAfter(month: string, by = 1): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const count = year * MONTHS_IN_YEAR + number - 1 + by;
  const pad = (value: number, length: number): string => String(value).padStart(length, '0');
  return `${pad(Math.floor(count / MONTHS_IN_YEAR), 4)}-${pad((count % MONTHS_IN_YEAR) + 1, 2)}`;
}

/** Any moment within a date, only to have it written in UTC. */
function noonOf(date: string): Date {
  return new Date(`${date}T12:00:00Z`);
}

/** `November 2026`. */
export function monthName(month: string, language: string = browserLanguage()): string {
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    noonOf(`${month}-15`),
  );
}

/** `Nov 28`, with the year where it is not this one. */
export function dateName(date: string, language: string = browserLanguage()): string {
  const isThisYear = date.slice(0, 4) === today().slice(0, 4);
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(noonOf(date));
}

/** `Saturday, November 28`. */
export function dayName(date: string, language: string = browserLanguage()): string {
  const isThisYear = date.slice(0, 4) === today().slice(0, 4);
  return new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(noonOf(date));
}

/** A timestamp in the person's time zone: `Nov 28, 2026, 9:12 PM`. */
export function momentName(timestamp: string, language: string = browserLanguage()): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(timestamp),
  );
}
