/** A ULID: 26 characters of Crockford's base 32. */
export type Ulid = string;

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

export type Kind = 'income' | 'expense';

/** An amount in minor units of the household's currency: always a safe integer, never a fraction. */
export type Amount = number;

/**
 * The exact sum, or null where it does not fit in ±(2^53 − 1). Doubles add safe integers exactly while every partial sum
 * is safe; where one would not be, a big integer takes it, because later terms may bring the sum back into the range.
 */
export function exactSum(amounts: Iterable<Amount>): Amount | null {
  let sum = 0;
  let beyond = 0n;
  for (const amount of amounts) {
    if (!Number.isSafeInteger(amount)) return null;
    const next = sum + amount;
    if (Number.isSafeInteger(next)) {
      sum = next;
    } else {
      beyond += BigInt(sum);
      sum = amount;
    }
  }
  if (beyond === 0n) return sum;
  const total = beyond + BigInt(sum);
  return total >= BigInt(Number.MIN_SAFE_INTEGER) && total <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(total)
    : null;
}

/** As `exactSum`, but NaN where it does not fit: so is everything made of it, which is refused where it is shown. */
export function sumOrNaN(amounts: Iterable<Amount>): Amount {
  return exactSum(amounts) ?? Number.NaN;
}

/** An amount as a decimal number: `-1250` with two decimals, those of its currency, is `-12.50`. */
export function decimalText(amount: Amount, decimals: number): string {
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${amount < 0 ? '-' : ''}${whole}${fraction}`;
}

const DECIMAL = /^([0-9]+)(?:\.([0-9]+))?$/;

/** What a decimal number means: with two decimals `12.5` is 1250. Null for anything else, or that does not fit. */
export function amountOfText(text: string, decimals: number): Amount | null {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  const amount = Number(whole + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
}
