/** An amount in minor units (cents): always a safe integer, never a fraction. */
export type Amount = number;

/** The greatest amount of a transaction, a split, a plan or a target: 9,999,999,999.99. */
export const AMOUNT_MAX: Amount = 999_999_999_999;

/**
 * The exact sum, or null where it does not fit in ±(2^53 − 1).
 *
 * Doubles add safe integers exactly while every partial sum is safe; only where one is not, the sum is made
 * again in big integers, because later terms may bring it back into the range.
 */
export function exactSum(amounts: Iterable<Amount>): Amount | null {
  let sum = 0;
  for (const amount of amounts) {
    sum += amount;
    if (!Number.isSafeInteger(sum)) return bigSum(amounts);
  }
  return sum;
}

function bigSum(amounts: Iterable<Amount>): Amount | null {
  let sum = 0n;
  for (const amount of amounts) {
    if (!Number.isSafeInteger(amount)) return null;
    sum += BigInt(amount);
  }
  return sum >= BigInt(Number.MIN_SAFE_INTEGER) && sum <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(sum)
    : null;
}
