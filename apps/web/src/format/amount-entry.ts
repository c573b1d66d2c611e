/** The largest amount that the service takes, in minor units. */
const LARGEST_AMOUNT = 999_999_999_999;

export interface EntryFormat {
  /** How many decimals the currency has. */
  readonly decimals: number;
  /** The decimal separator of the person's language, which decides where `1.234` can be read in two ways. */
  readonly decimalSeparator: '.' | ',';
}

const SPACES_AND_SYMBOLS = /[\s\u00A0\u202F\p{Sc}\p{Cf}]/gu;
const MINUS_SIGNS = /[−–]/g;
const GROUPING_MARKS = /['’_]/g;

/**
 * The minor units of what a person typed: `12,50`, `12.5`, `1'234.50`, `1.234,56`, `€ 12`, and sums such as
 * `12.50 + 3 - 1`. @returns undefined for what cannot be read, or is beyond what the service takes
 */
export function parseAmount(text: string, format: EntryFormat): number | undefined {
  const compact = text.replace(SPACES_AND_SYMBOLS, '').replace(MINUS_SIGNS, '-');
  const terms = compact.match(/[+-]?[^+-]+/g);
  if (!terms || terms.join('') !== compact) return undefined;
  let sum = 0;
  for (const term of terms) {
    const value = parseTerm(term.replace(/^[+-]/, ''), format);
    if (value === undefined) return undefined;
    sum += term.startsWith('-') ? -value : value;
    if (Math.abs(sum) > LARGEST_AMOUNT) return undefined;
  }
  return sum === 0 ? 0 : sum;
}

function parseTerm(text: string, format: EntryFormat): number | undefined {
  const plain = text.replace(GROUPING_MARKS, '');
  if (!/^[\d.,]+$/.test(plain) || !/\d/.test(plain)) return undefined;
  const at = decimalPosition(plain, format);
  const whole = at === undefined ? plain : plain.slice(0, at);
  const fraction = at === undefined ? '' : plain.slice(at + 1);
  if (fraction.length > format.decimals || !isGrouped(whole)) return undefined;
  const digits = whole.replace(/[.,]/g, '') + fraction.padEnd(format.decimals, '0');
  const value = Number(digits);
  return value <= LARGEST_AMOUNT ? value : undefined;
}

/** Where the decimal separator is: the last of two kinds; a single one unless it can only separate thousands. */
function decimalPosition(text: string, { decimals, decimalSeparator }: EntryFormat): number | undefined {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (last === -1) return undefined;
  const separator = text[last];
  const isOnly = text.indexOf(separator!) === last;
  const other = separator === '.' ? ',' : '.';
  if (!isOnly) return undefined;
  if (text.includes(other)) return last;
  const following = text.length - last - 1;
  const couldBeThousands = following === 3 && last > 0;
  if (!couldBeThousands) return last;
  return decimals >= 3 && separator === decimalSeparator ? last : undefined;
}

/** Whether separators, if any, are of one kind and stand where thousands, lakhs or crores end. */
function isGrouped(whole: string): boolean {
  return (
    /^\d*$/.test(whole) ||
    /^\d{1,3}(,\d{2,3})*,\d{3}$/.test(whole) ||
    /^\d{1,3}(\.\d{2,3})*\.\d{3}$/.test(whole)
  );
}

/** An amount as a decimal with a point: 1250 with two decimals is `12.50`. */
export function toDecimal(minor: number, decimals: number): string {
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${minor < 0 ? '-' : ''}${whole}${fraction}`;
}
