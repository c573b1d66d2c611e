import { parseAmount, toDecimal, type EntryFormat } from './amount-entry.js';
import { decimalsOf } from './currencies.js';
import { browserLanguage } from './language.js';

/** Writes and reads amounts of one currency in one language. Amounts are integers in minor units. */
export interface Money {
  readonly currency: string;
  readonly decimals: number;
  /** `1,234.50`: for columns of figures. */
  plain(minor: number): string;
  /** `$1,234.50`: where the currency is to be said. */
  full(minor: number): string;
  /** What a person typed, in minor units; undefined where it cannot be read. */
  parse(text: string): number | undefined;
}

const made = new Map<string, Money>();

export function moneyOf(currency: string, language: string = browserLanguage()): Money {
  const key = `${currency} ${language}`;
  let money = made.get(key);
  if (!money) made.set(key, (money = makeMoney(currency, language)));
  return money;
}

function makeMoney(currency: string, language: string): Money {
  const decimals = decimalsOf(currency);
  // Latin digits: an amount can be typed as it is shown.
  const fixed = {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    numberingSystem: 'latn',
  };
  const plain = new Intl.NumberFormat(language, fixed);
  const full = new Intl.NumberFormat(language, {
    ...fixed,
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const entry: EntryFormat = { decimals, decimalSeparator: decimalSeparatorOf(plain) };
  // Intl formats decimal strings exactly; a number would have to be divided first.
  const format = (numbers: Intl.NumberFormat) => (minor: number) =>
    numbers.format(toDecimal(minor, decimals) as Intl.StringNumericLiteral).replace('-', '−');
  return {
    currency,
    decimals,
    plain: format(plain),
    full: format(full),
    parse: text => parseAmount(text, entry),
  };
}

function decimalSeparatorOf(numbers: Intl.NumberFormat): '.' | ',' {
  const example = new Intl.NumberFormat(numbers.resolvedOptions().locale, {
    minimumFractionDigits: 1,
    numberingSystem: 'latn',
  });
  return example.formatToParts(1.5).find(part => part.type === 'decimal')?.value === ',' ? ',' : '.';
}
