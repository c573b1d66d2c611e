import { InvalidArgumentError } from 'commander';
import { momentOf, type InstantOfDay, isUlid } from '#http/field-rules';

/** Reads the id of a household. The messages begin with the wrong value in quotes; `program.ts` prints them alone. */
export function householdIdFrom(value: string): string {
  const upper = value.toUpperCase();
  if (isUlid(upper)) return upper;
  throw new InvalidArgumentError(
    `'${value}' is not a household id. Ids are ULIDs: 26 letters and digits, without I, L, O and U.`,
  );
}

/** A month of the calendar. @throws InvalidArgumentError */
export function monthName(value: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(value)) return value;
  throw new InvalidArgumentError(`'${value}' is not a month. Use a month such as 2026-01.`);
}

/** A moment, or a day that stands for its first millisecond. @throws InvalidArgumentError */
export function momentFrom(value: string): string {
  return momentIn(value, 'first');
}

/** A moment, or a day that stands for its last millisecond. @throws InvalidArgumentError */
export function momentUpTo(value: string): string {
  return momentIn(value, 'last');
}

/** @throws InvalidArgumentError */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d{1,15}$/.test(value))
    throw new InvalidArgumentError(`'${value}' is not a whole number of 0 or more.`);
  return number;
}

/** @throws InvalidArgumentError */
export function positiveNumber(value: string): number {
  if (!/^[1-9]\d{0,14}$/.test(value))
    throw new InvalidArgumentError(`'${value}' is not a whole number of 1 or more.`);
  return Number(value);
}

function momentIn(value: string, ofDay: InstantOfDay): string {
  const moment = momentOf(value, ofDay);
  if (moment !== null) return moment;
  throw new InvalidArgumentError(
    `'${value}' is not a time. Use a time such as 2026-01-31T18:30:00Z or 2026-01-31T18:30:00+02:00, or a date such as 2026-01-31.`,
  );
}
