import { amountOfText } from '#ledger/values';
import { currencyIn } from './currency-marks.js';
import type { ContentRules, DecimalMark } from './imported-file.js';

/** The longest cell that is looked at as an amount. */
const LENGTH_MAX = 64;

/** An amount in minor units with its sign, or why a cell has none. */
export type ReadAmount = { readonly amount: number } | { readonly problem: string };

const MINUS = /^[-\u2010-\u2015\u2212\ufe63]$/;
/** Debit and credit, in English and German. */
const EXPENSE = new Set(['DR', 'DB', 'D', 'S']);
const INCOME = new Set(['CR', 'C', 'H']);
/** As `12.-` in Switzerland and `12,--` in Germany. */
const NO_CENTS = /([.,])[-\u2010-\u2015]{1,2}(?=\D*$)/;
const AROUND_NUMBER = /^(\D*?)([.,]?[0-9][0-9.,'’ ]*)(\D*)$/;
const TOKENS = /\p{L}*\p{Sc}|\p{L}+(?:\/\p{L}*)?|\S/gu;

/** Groups of three digits, or of two before the last three as in India. */
const GROUPED = {
  point: /^[0-9]{1,3}(?:[,'’ ][0-9]{2,3})*[,'’ ][0-9]{3}$/,
  comma: /^[0-9]{1,3}(?:[.'’ ][0-9]{2,3})*[.'’ ][0-9]{3}$/,
} as const;

const NO_AMOUNT = 'The amount cannot be read.';

/** The amount of a cell, by its text alone. */
export function readAmount(cell: string, mark: DecimalMark, rules: ContentRules): ReadAmount {
  const shape = shapeOf(cell);
  if (shape === null) return { problem: NO_AMOUNT };
  const { number, isNegative, currencies } = shape;
  const parts = numberParts(number, mark);
  if (parts === null) return { problem: NO_AMOUNT };
  for (const token of currencies) {
    const stated = currencyIn(token, rules);
    if (stated === null) return { problem: NO_AMOUNT };
    if (!stated.includes(rules.currency)) return { problem: otherCurrency(stated[0]!, rules) };
  }
  return amountOfParts(parts, isNegative, rules);
}

/** The sentence for an amount in a currency that is not the household's. */
export function otherCurrency(stated: string, { currency }: ContentRules): string {
  return `The amount is in ${stated}, and the household uses ${currency}.`;
}

/** An amount that a program wrote: a sign, digits, and one mark before the decimals. */
export function readPlainAmount(text: string, rules: ContentRules): ReadAmount {
  const [, sign = '', digits = ''] = /^([-+]?)([0-9.,]+)$/.exec(text.trim().slice(0, LENGTH_MAX)) ?? [];
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const whole = (at === -1 ? digits : digits.slice(0, at)).replaceAll(/[.,]/g, '');
  const fraction = at === -1 ? '' : digits.slice(at + 1);
  if (whole === '' && fraction === '') return { problem: NO_AMOUNT };
  return amountOfParts({ whole, fraction }, sign === '-', rules);
}

interface NumberParts {
  readonly whole: string;
  readonly fraction: string;
}

function amountOfParts(
  { whole, fraction }: NumberParts,
  isNegative: boolean,
  { currency, decimals, amountMax }: ContentRules,
): ReadAmount {
  if (fraction.length > decimals) return { problem: `The amount has more decimals than ${currency}.` };
  const amount = amountOfText(`${whole || '0'}${fraction && `.${fraction}`}`, decimals);
  if (amount === null || amount > amountMax) return { problem: 'The amount is too large.' };
  return { amount: isNegative && amount !== 0 ? -amount : amount };
}

interface Shape {
  readonly number: string;
  readonly isNegative: boolean;
  readonly currencies: readonly string[];
}

/** The digits of a cell, and what its signs and words mean. Null for a cell that is not an amount. */
function shapeOf(cell: string): Shape | null {
  if (cell.length > LENGTH_MAX) return null;
  let text = cell
    .normalize('NFKC')
    .trim()
    .replace(NO_CENTS, '$1')
    .replaceAll(/(\p{L})\./gu, '$1');
  const isInParentheses = text.startsWith('(') && text.endsWith(')');
  if (isInParentheses) text = text.slice(1, -1).trim();
  const [, before, number, after] = AROUND_NUMBER.exec(text) ?? [];
  if (before === undefined || number === undefined || after === undefined) return null;
  let signs = isInParentheses ? 1 : 0;
  let isExpense = false;
  const currencies: string[] = [];
  for (const [token] of `${before} ${after}`.matchAll(TOKENS)) {
    const word = token.toUpperCase();
    if (MINUS.test(token)) signs += 1;
    else if (EXPENSE.has(word)) isExpense = true;
    else if (token !== '+' && !INCOME.has(word)) currencies.push(token);
  }
  if (signs > 1 || currencies.length > 2) return null;
  return { number: number.trim(), isNegative: isExpense || signs === 1, currencies };
}

/** Null where the digits contradict the mark. */
function numberParts(number: string, mark: DecimalMark): NumberParts | null {
  const [whole = '', fraction = '', ...more] = number.split(mark === 'point' ? '.' : ',');
  if (more.length > 0 || !/^[0-9]*$/.test(fraction)) return null;
  if (!/^[0-9]*$/.test(whole) && !GROUPED[mark].test(whole)) return null;
  return { whole: whole.replaceAll(/[^0-9]/g, ''), fraction };
}

/** Whether a cell is an amount with some mark: digits with at most a sign, a currency and separators. */
export function looksLikeAmount(cell: string, rules: ContentRules): boolean {
  const shape = shapeOf(cell);
  if (shape === null || !shape.currencies.every(token => currencyIn(token, rules) !== null)) return false;
  return numberParts(shape.number, 'point') !== null || numberParts(shape.number, 'comma') !== null;
}

interface ChosenDecimal {
  readonly decimal: DecimalMark;
  /** Some cell means one amount with a point, and another with a comma. */
  readonly isAmbiguous: boolean;
}

/**
 * The mark with which most cells are amounts of the currency.
 * @param fallback where all cells are the same with either
 */
export function chooseDecimal(
  cells: readonly string[],
  rules: ContentRules,
  fallback: DecimalMark,
): ChosenDecimal {
  let [point, comma] = [0, 0];
  let differs = false;
  for (const cell of cells) {
    const number = shapeOf(cell)?.number;
    if (number === undefined) continue;
    const [withPoint, withComma] = [fit(number, 'point', rules), fit(number, 'comma', rules)];
    point += withPoint;
    comma += withComma;
    differs ||= withPoint === FITS && withComma === FITS && /[.,]/.test(number);
  }
  if (point !== comma) return { decimal: point > comma ? 'point' : 'comma', isAmbiguous: false };
  return { decimal: fallback, isAmbiguous: differs };
}

const FITS = 2;

/** How well digits go with a mark; too many decimals are better than separators that contradict it. */
function fit(number: string, mark: DecimalMark, { decimals }: ContentRules): number {
  const parts = numberParts(number, mark);
  if (parts === null) return 0;
  return parts.fraction.length <= decimals ? FITS : 1;
}
