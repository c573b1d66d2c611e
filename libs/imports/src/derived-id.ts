import { createHash } from 'node:crypto';
import { foldCase } from '#projections/transaction-document';
import { dayNumber } from './calendar-days.js';

/** Crockford's base 32, in which ULIDs are written. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MS_PER_DAY = 86_400_000;
const TIME_LENGTH = 10;
const REST_LENGTH = 16;
/** 80 bits. */
const REST_BYTES = 10;

/** What tells an entry from all others. */
export interface IdParts {
  readonly source: string;
  readonly bankId: string | null;
  readonly date: string;
  /** In minor units, negative for an expense. */
  readonly amount: number;
  readonly merchant: string;
}

/**
 * Ids that follow from the entries alone, so that a statement counts once, however often and by whom it is imported. Equal
 * entries of one file are told apart by how many came before.
 */
export class DerivedIds {
  private readonly seen = new Map<string, number>();

  /** A ULID: midnight UTC of the date, and a part of the hash of the rest. */
  next({ source, bankId, date, amount, merchant }: IdParts): string {
    const equal = JSON.stringify([source, bankId, date, amount, foldCase(merchant)]);
    const before = this.seen.get(equal) ?? 0;
    this.seen.set(equal, before + 1);
    const hash = createHash('sha256').update(`${equal}#${before}`).digest();
    // ULIDs begin with 1970.
    const time = Math.max(0, dayNumber(date) * MS_PER_DAY);
    const rest = BigInt(`0x${hash.subarray(0, REST_BYTES).toString('hex')}`);
    return encoded(BigInt(time), TIME_LENGTH) + encoded(rest, REST_LENGTH);
  }
}

function encoded(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest >>= 5n) text = DIGITS[Number(rest & 31n)]! + text;
  return text;
}

/** Whether the time of a ULID is midnight UTC, as that of a derived id is. */
export function isAtMidnight(id: string): boolean {
  let time = 0;
  for (const digit of id.slice(0, TIME_LENGTH)) time = time * 32 + DIGITS.indexOf(digit);
  return time % MS_PER_DAY === 0;
}
