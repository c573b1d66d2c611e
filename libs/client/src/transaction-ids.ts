/** Crockford's alphabet: digits and letters without I, L, O and U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

let lastTime = -1;
let random: number[] = [];

/**
 * A new id for a transaction, or for anything else that needs a key: a ULID. Each is greater than the one before it, even
 * within one millisecond or after the clock went back, so that transactions keep the order in which they were made.
 */
export function newTransactionId(): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    random = Array.from(crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS)), byte => byte % DIGITS.length);
    // Half of what the first digit can be is left to count up into.
    random[0]! %= DIGITS.length / 2;
  } else {
    const at = random.findLastIndex(digit => digit < DIGITS.length - 1);
    random = random.map((digit, index) => (index < at ? digit : index === at ? digit + 1 : 0));
  }
  return digitsOfTime(lastTime) + random.map(digit => DIGITS[digit]).join('');
}

function digitsOfTime(time: number): string {
  const digits: string[] = [];
  for (let rest = time; digits.length < TIME_DIGITS; rest = Math.floor(rest / DIGITS.length)) {
    digits.unshift(DIGITS[rest % DIGITS.length]!);
  }
  return digits.join('');
}
