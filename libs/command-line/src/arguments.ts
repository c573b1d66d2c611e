import { InvalidArgumentError } from 'commander';
import { momentOf, type InstantOfDay } from '#http/calendar';
import { isUlid } from '#http/ulid';

/** A household's, item's or user's id. @throws InvalidArgumentError */
export function id(value: string): string {
  const upper = value.toUpperCase();
  if (!isUlid(upper))
    throw new InvalidArgumentError('It must be an id (a ULID): 26 letters and digits without I, L, O and U.');
  return upper;
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
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 0 on.');
  return number;
}

function momentIn(value: string, ofDay: InstantOfDay): string {
  const moment = momentOf(value, ofDay);
  if (moment !== null) return moment;
  throw new InvalidArgumentError(
    'It must be a time as 2026-01-31T18:30:00Z or 2026-01-31T18:30:00+02:00, or a day as 2026-01-31.',
  );
}
