import type { DateFormat } from './imported-file.js';

/** The longest cell that is looked at as a date. */
const LENGTH_MAX = 40;
/** Two digits from here on are of the last century. */
const LAST_CENTURY_FROM = 70;

const DAY = '(?<day>[0-9]{1,2})';
const MONTH = '(?<month>[0-9]{1,2})';
const NAME = '(?<name>\\p{L}{3,9})';
const FULL_YEAR = '(?<year>[0-9]{4})';
const YEAR = '(?<year>[0-9]{4}|[0-9]{2})';
const TIME = '(?:[T ,]+[0-9].*)?$';

/** How dates are written, by the order of their numbers. */
const FORMS: Readonly<Record<DateFormat, readonly RegExp[]>> = {
  YMD: [
    `${FULL_YEAR}[-./年 ] ?${MONTH}[-./月 ] ?${DAY}日?${TIME}`,
    '(?<year>[0-9]{4})(?<month>[0-9]{2})(?<day>[0-9]{2})(?:[0-9]{6}.*)?$',
    `(?<year>[0-9]{2})[-./ ]${MONTH}[-./ ]${DAY}${TIME}`,
  ].map(form),
  DMY: [
    `${DAY}[-./ ] ?${MONTH}[-./' ] ?${YEAR}\\.?${TIME}`,
    `${DAY}[-. ]{0,2}${NAME}[-., ]{1,2}${YEAR}${TIME}`,
  ].map(form),
  MDY: [`${MONTH}[-./ ] ?${DAY}[-./' ] ?${YEAR}${TIME}`, `${NAME}[. ]{1,2}${DAY},? ${FULL_YEAR}${TIME}`].map(
    form,
  ),
};

function form(pattern: string): RegExp {
  return new RegExp(`^${pattern}`, 'u');
}

/** The beginnings of names of months: English, German, French, Spanish, Portuguese, Italian, Dutch. */
const MONTH_NAMES: readonly string[] = [
  'jan janv ene gen',
  'feb fev',
  'mar mrz maa mrt',
  'apr avr abr',
  'may mai mag mei',
  'jun juin giu',
  'jul juil lug',
  'aug aou ago',
  'sep set',
  'oct okt ott out',
  'nov',
  'dec dez dic',
];

/**
 * The date of a cell, without its time of day.
 * @param isDate whether the calendar has it
 * @returns `YYYY-MM-DD`, or null for a cell that is not a date in this format
 */
export function readDate(cell: string, format: DateFormat, isDate: (text: string) => boolean): string | null {
  if (cell.length > LENGTH_MAX) return null;
  const text = cell.normalize('NFKC').trim();
  for (const form of FORMS[format]) {
    const { year = '', month, name = '', day = '' } = form.exec(text)?.groups ?? {};
    if (year === '') continue;
    const number = month ?? monthNamed(name);
    const date = [fullYear(year), number.padStart(2, '0'), day.padStart(2, '0')].join('-');
    return isDate(date) ? date : null;
  }
  return null;
}

/** Whether a cell is a date in any format. */
export function looksLikeDate(cell: string, isDate: (text: string) => boolean): boolean {
  return (['YMD', 'DMY', 'MDY'] as const).some(format => readDate(cell, format, isDate) !== null);
}

/** The number of a month; empty for a name of none. */
function monthNamed(name: string): string {
  const folded = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const index = MONTH_NAMES.findIndex(names => names.split(' ').some(known => folded.startsWith(known)));
  return index === -1 ? '' : String(index + 1);
}

function fullYear(year: string): string {
  if (year.length === 4) return year;
  return `${Number(year) >= LAST_CENTURY_FROM ? '19' : '20'}${year}`;
}

interface ChosenDateFormat {
  readonly format: DateFormat;
  /** Day and month can be exchanged in every cell. */
  readonly isAmbiguous: boolean;
}

/**
 * The format in which most cells are dates. Where day and month can be exchanged in all of them, the currency decides.
 * @param cells those that are not empty
 */
export function chooseDateFormat(
  cells: readonly string[],
  isDate: (text: string) => boolean,
  currency: string,
): ChosenDateFormat {
  const valid = (format: DateFormat): number =>
    cells.filter(cell => readDate(cell, format, isDate) !== null).length;
  const yearFirst = cells.filter(cell => readsYearFirst(cell, isDate)).length;
  const [dayFirst, monthFirst] = [valid('DMY'), valid('MDY')];
  if (yearFirst > 0 && yearFirst >= Math.max(dayFirst, monthFirst)) {
    return { format: 'YMD', isAmbiguous: false };
  }
  if (dayFirst === 0 && monthFirst === 0) return { format: 'YMD', isAmbiguous: false };
  if (dayFirst !== monthFirst) {
    return { format: dayFirst > monthFirst ? 'DMY' : 'MDY', isAmbiguous: false };
  }
  const usesPoints = cells.every(cell => cell.includes('.'));
  return { format: currency === 'USD' && !usesPoints ? 'MDY' : 'DMY', isAmbiguous: true };
}

/** With two digits for each number the year is hardly ever the first. */
function readsYearFirst(cell: string, isDate: (text: string) => boolean): boolean {
  return !/^\s*[0-9]{1,2}[^0-9]/.test(cell) && readDate(cell, 'YMD', isDate) !== null;
}
