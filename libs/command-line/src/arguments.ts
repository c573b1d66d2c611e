import { InvalidArgumentError } from 'commander';
import { isUlid } from '#http/ulid';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

/** A household's, item's or user's id. @throws InvalidArgumentError */
export function id(value: string): string {
  const upper = value.toUpperCase();
  if (!isUlid(upper))
    throw new InvalidArgumentError('It must be an id (a ULID): 26 letters and digits without I, L, O and U.');
  return upper;
}

/** A moment, or a day that stands for its first millisecond. @throws InvalidArgumentError */
export function momentFrom(value: string): string {
  return momentIn(value, '00:00:00.000');
}

/** A moment, or a day that stands for its last millisecond. @throws InvalidArgumentError */
export function momentUpTo(value: string): string {
  return momentIn(value, '23:59:59.999');
}

/** @throws InvalidArgumentError */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 0 on.');
  return number;
}

function momentIn(value: string, time: string): string {
  const text = DATE.test(value) ? `${value}T${time}Z` : value;
  const milliseconds = TIMESTAMP.test(text) ? Date.parse(text) : Number.NaN;
  // Days that no month has are moved on by the parser: what comes out must be what went in.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(text.slice(0, 19))) {
    throw new InvalidArgumentError('It must be a UTC time as 2026-01-31T18:30:00Z, or a day as 2026-01-31.');
  }
  return new Date(milliseconds).toISOString();
}
