/** An amount in minor units (cents): always a safe integer, never a fraction. */
export type Amount = number;

/**
 * The exact sum, or null where it does not fit in ±(2^53 − 1).
 *
 * Doubles add safe integers exactly while every partial sum is safe; only where one would not be, what has been
 * added so far goes into a big integer, because later terms may bring the sum back into the range.
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
