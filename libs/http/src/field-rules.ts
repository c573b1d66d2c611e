import { domainToASCII } from 'node:url';
import { isEmail } from 'class-validator';
import { CURRENCY_PATTERN, isCurrency } from './currencies.js';

/** What one field accepts. A rule sees a value after `normalise`, never `undefined` or `null`. */
export interface FieldRule {
  /** The same for the API description, with an example. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Converts the text of a query parameter, if it stands for more than text. Returns invalid text unchanged. */
  readonly fromText?: (text: string) => unknown;
  /** The value as it is stored and compared. Never throws; returns a value of the wrong type unchanged. */
  readonly normalise?: (raw: unknown) => unknown;
  /** A sentence that follows the field's name, or null for a value that is fine. */
  readonly problem: (value: unknown) => string | null;
}

/** A field with its rule. */
export interface CheckedField {
  readonly rule: FieldRule;
  /** The field may be absent. */
  readonly optional: boolean;
  readonly nullable: boolean;
}

/** What is wrong with the value of a field, absent and null included; null if nothing is. */
export function problemOf({ rule, optional, nullable }: CheckedField, value: unknown): string | null {
  if (value === undefined) return optional ? null : 'is missing';
  if (value === null) return nullable ? null : 'must not be null';
  return rule.problem(value);
}

/** Control characters, and halves of surrogate pairs, which are not text. */
export const NOT_TEXT = /[\p{Cc}\p{Cs}]/u;
/** The same, newline and tab excepted. */
const NOT_MULTILINE_TEXT = /(?![\n\t])[\p{Cc}\p{Cs}]/u;
/** Embeddings, overrides and isolates: they turn round the text behind them, also that of a sentence with the name. */
const TURNS_TEXT = /[\u202a-\u202e\u2066-\u2069]/;
const VISIBLE = /[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** Surrogate halves, where a text has any at all beyond the basic plane. */
const BEYOND_BASIC_PLANE = /[\ud800-\udfff]/;

/** Length in Unicode code points. */
export function codePoints(text: string): number {
  if (!BEYOND_BASIC_PLANE.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** As many code points NFC makes one of at most, as of those of U+1F82. */
const COMPOSED_MAX = 4;

/**
 * A text in NFC. One that is too long in any form stays as it is, to be refused: normalising takes time that grows with
 * the square of a run of combining marks, minutes for a body that is full of them.
 * @param max most code points that its rule allows
 * @param counted the part of it that these are counted of
 */
function inNfc(text: string, max: number, counted = text): string {
  return codePoints(counted) > max * COMPOSED_MAX ? text : text.normalize('NFC');
}

interface TextLimits {
  /** Fewest code points after trimming. */
  readonly min: number;
  /** Most code points after trimming and normalisation to NFC. */
  readonly max: number;
  /** Newlines and tabs are part of the text; CR LF becomes LF. */
  readonly multiline?: boolean;
  /** A text of nothing but white space becomes null. */
  readonly emptyIsNull?: boolean;
}

export function textRule({ min, max, multiline = false, emptyIsNull = false }: TextLimits): FieldRule {
  const notText = multiline ? NOT_MULTILINE_TEXT : NOT_TEXT;
  return {
    schema: { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max, example: 'Weekly shop' },
    normalise: raw => {
      if (typeof raw !== 'string') return raw;
      let text = raw.trim();
      if (multiline) text = text.replaceAll('\r\n', '\n');
      if (text === '' && emptyIsNull) return null;
      return inNfc(text, max);
    },
    problem: value => {
      if (typeof value !== 'string') return 'must be text';
      if (notText.test(value)) return 'must not have control characters or broken characters';
      return lengthProblem(value, min, max);
    },
  };
}

/** A text of 1 to `max` characters on one line that other people read: it can be seen, and leaves what surrounds it alone. */
export function nameRule(max: number): FieldRule {
  const text = textRule({ min: 1, max });
  return {
    ...text,
    schema: { ...text.schema, example: 'Groceries' },
    problem: value => {
      const problem = text.problem(value);
      if (problem !== null || typeof value !== 'string') return problem;
      if (TURNS_TEXT.test(value)) return 'must not have characters that change the direction of text';
      return VISIBLE.test(value) ? null : 'must have a visible character';
    },
  };
}

function lengthProblem(text: string, min: number, max: number): string | null {
  // A text has at least half as many code points as UTF-16 units, so that most texts need no counting.
  if (text.length >= min * 2 && text.length <= max) return null;
  const length = codePoints(text);
  if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} characters`;
  return length > max ? `must have at most ${max} characters` : null;
}

/** A ULID, as every id is one. */
export const ULID_PATTERN = '^[0-9A-HJKMNP-TV-Z]{26}$';

export const ULID_EXAMPLE = '01JZ8Q4T0V6W2X3Y4Z5A6B7C8D';

const ULID = new RegExp(ULID_PATTERN);

export function isUlid(value: unknown): value is string {
  return typeof value === 'string' && ULID.test(value);
}

const DATE_PATTERN = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const TIME_OF_DAY = '([01][0-9]|2[0-3]):[0-5][0-9]';
/** A date, or a time with `Z` or an offset; fractions of a second are optional. */
const MOMENT_PATTERN = `^${DATE_PATTERN}(T${TIME_OF_DAY}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]${TIME_OF_DAY}))?$`;

const DATE = new RegExp(`^${DATE_PATTERN}$`);
const MOMENT = new RegExp(MOMENT_PATTERN);

/** A day that the Gregorian calendar has, as `YYYY-MM-DD`, of the years 0001 to 9999. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !DATE.test(value)) return false;
  const year = Number(value.slice(0, 4));
  const month = Number(value.slice(5, 7));
  const day = Number(value.slice(8, 10));
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Which instant of its day, in UTC and to the millisecond, a plain date stands for. */
export type InstantOfDay = 'first' | 'last';

const TIMES = { first: 'T00:00:00.000Z', last: 'T23:59:59.999Z' } as const;

/**
 * The moment that a date or a time means, as `YYYY-MM-DDTHH:MM:SS.sssZ`, so that moments compare as texts do. What is finer
 * than a millisecond is cut off.
 * @returns null for a text that means none, or one before the year 0001 or after 9999 in UTC
 */
export function momentOf(text: string, ofDay: InstantOfDay): string | null {
  const date = text.slice(0, 10);
  if (!MOMENT.test(text) || !isDate(date)) return null;
  const time = text === date ? TIMES[ofDay] : text.slice(10);
  const [, seconds, fraction = '', zone] = /^(.{9})(?:\.([0-9]+))?(.+)$/.exec(time)!;
  const milliseconds = Date.parse(`${date}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  const moment = new Date(milliseconds).toISOString();
  return isDate(moment.slice(0, 10)) ? moment : null;
}

/** The largest amount of a transaction, split or plan, in minor units. */
export const AMOUNT_MAX = 999_999_999_999;
/** The longest name of anything, in code points. */
export const NAME_MAX = 100;
/** The longest merchant, in code points. */
export const MERCHANT_MAX = 200;
/** The longest note, in code points. */
export const NOTE_MAX = 2_000;
const EMAIL_MAX = 254;
/** RFC 1035 §2.3.4. */
const DOMAIN_LABEL = /^[a-z0-9-]{1,63}$/;
export const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;

const MONTH_PATTERN = '^[0-9]{4}-(0[1-9]|1[0-2])$';
/** A colour in lower case. */
export const COLOR_PATTERN = '^#[0-9a-f]{6}$';

const MONTH = new RegExp(MONTH_PATTERN);
const COLOR = new RegExp(COLOR_PATTERN);
const DECIMAL_INTEGER = /^(0|-?[1-9][0-9]{0,15})$/;
/** Characters that are invisible, or change how the text around them is read: in an address they deceive. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Z}\u2800]/u;
/** A month of the calendar as `YYYY-MM`. */
export function isMonth(value: unknown): value is string {
  return typeof value === 'string' && MONTH.test(value);
}

const matching = (
  accepts: (value: unknown) => boolean,
  sentence: string,
  schema: FieldRule['schema'] = {},
): FieldRule => ({
  schema: { type: 'string', ...schema },
  problem: value => (accepts(value) ? null : sentence),
});

export const ulidRule = matching(
  isUlid,
  'must be a ULID: 26 characters of 0-9 and A-Z without I, L, O and U',
  { pattern: ULID_PATTERN, example: ULID_EXAMPLE },
);
export const monthRule = matching(isMonth, 'must be a month as YYYY-MM', {
  pattern: MONTH_PATTERN,
  example: '2026-01',
});
export const dateRule = matching(isDate, 'must be a calendar date as YYYY-MM-DD', {
  format: 'date',
  example: '2026-01-15',
});
export const currencyRule = matching(isCurrency, 'must be a currency code of ISO 4217, such as EUR', {
  pattern: CURRENCY_PATTERN,
  example: 'EUR',
});
export const booleanRule: FieldRule = {
  schema: { type: 'boolean', example: true },
  fromText: text => (text === 'true' ? true : text === 'false' ? false : text),
  problem: value => (typeof value === 'boolean' ? null : 'must be true or false'),
};

/** Any text, as it is. */
export const anyTextRule = matching(value => typeof value === 'string', 'must be text');

/** Any text, trimmed: an unknown token is `410 invalid_link`, as an expired one. */
export const linkTokenRule: FieldRule = {
  schema: { type: 'string', example: 'xYz…' },
  normalise: raw => (typeof raw === 'string' ? raw.trim() : raw),
  problem: anyTextRule.problem,
};

/** Any letter case in, lower case out. */
export const colorRule: FieldRule = {
  schema: { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$', example: '#3f7cac' },
  normalise: raw => (typeof raw === 'string' ? raw.trim().toLowerCase() : raw),
  problem: value =>
    typeof value === 'string' && COLOR.test(value) ? null : 'must be a colour as #RRGGBB in hexadecimal',
};

/** A moment, normalised to `YYYY-MM-DDTHH:MM:SS.sssZ`. @param ofDay what a plain date means */
export function momentRule(ofDay: InstantOfDay): FieldRule {
  return {
    schema: { type: 'string', pattern: MOMENT_PATTERN, example: '2026-01-15T18:30:00.000Z' },
    // The `+` of an offset that a client did not encode arrives as a space.
    fromText: text => text.replace(/ (?=\d\d:\d\d$)/, '+'),
    normalise: raw => (typeof raw === 'string' ? (momentOf(raw, ofDay) ?? raw) : raw),
    problem: value =>
      typeof value === 'string' && momentOf(value, ofDay) !== null
        ? null
        : 'must be a time as YYYY-MM-DDTHH:MM:SS, with Z or an offset as +02:00, or a date as YYYY-MM-DD',
  };
}

/** Whole numbers: `12.0` and `12e0` are the JSON number 12; `"12"` is none. */
export function integerRule(min: number, max: number): FieldRule {
  return {
    ...rangeRule(min, max, Number.isInteger, 'must be a whole number'),
    schema: { type: 'integer', minimum: min, maximum: max, example: min },
    fromText: text => (DECIMAL_INTEGER.test(text) ? Number(text) : text),
  };
}

export function numberRule(min: number, max: number): FieldRule {
  return rangeRule(min, max, Number.isFinite, 'must be a number');
}

function rangeRule(
  min: number,
  max: number,
  isOne: (value: unknown) => boolean,
  sentence: string,
): FieldRule {
  return {
    schema: { type: 'number', minimum: min, maximum: max, example: min },
    // JSON has a negative zero, which no figure should become.
    normalise: raw => (raw === 0 ? 0 : raw),
    problem: value => {
      if (!isOne(value)) return sentence;
      return (value as number) < min || (value as number) > max ? `must be from ${min} to ${max}` : null;
    },
  };
}

/**
 * Trimmed; the letter case is kept, and comparisons of addresses ignore it. What is before the `@` may be longer than the
 * 64 octets of RFC 5321. Refused is what no server takes: more than 254 octets, a label of a domain with more than 63, or
 * a domain that DNS cannot have, which may be read as another or as several addresses; and what looks like another
 * address by characters that cannot be seen. A byte order mark is one of these, though JavaScript trims it.
 */
export const emailRule: FieldRule = {
  schema: { type: 'string', format: 'email', maxLength: EMAIL_MAX, example: 'ada@example.org' },
  normalise: raw => (typeof raw === 'string' && !raw.includes('\ufeff') ? inNfc(raw.trim(), EMAIL_MAX) : raw),
  problem: value => {
    if (typeof value !== 'string') return 'must be an e-mail address';
    if (codePoints(value) > EMAIL_MAX) return `must have at most ${EMAIL_MAX} characters`;
    if (UNSEEN.test(value)) return 'must not have invisible characters or spaces';
    return isEmail(value, { ignore_max_length: true }) && canBeSent(value)
      ? null
      : 'must be an e-mail address';
  },
};

function canBeSent(address: string): boolean {
  if (address.includes('"') || NOT_TEXT.test(address) || Buffer.byteLength(address) > EMAIL_MAX) return false;
  const labels = domainToASCII(address.slice(address.lastIndexOf('@') + 1)).split('.');
  return labels.every(label => DOMAIN_LABEL.test(label));
}

/**
 * Passwords are normalised but never trimmed; white space around one does not count towards its length.
 * @param min fewest code points; 0 for signing in, where only right and wrong count
 */
export function passwordRule(min: number): FieldRule {
  return {
    schema: {
      type: 'string',
      format: 'password',
      ...(min > 0 && { minLength: min }),
      maxLength: PASSWORD_MAX,
      example: 'a good long password',
    },
    normalise: raw => (typeof raw === 'string' ? inNfc(raw, PASSWORD_MAX, raw.trim()) : raw),
    problem: value => {
      if (typeof value !== 'string') return 'must be text';
      if (NOT_TEXT.test(value)) return 'must not have control characters or broken characters';
      const length = codePoints(value.trim());
      if (length > PASSWORD_MAX) return `must have at most ${PASSWORD_MAX} characters`;
      return length < min ? `must have at least ${min} characters` : null;
    },
  };
}

export function enumRule(values: readonly string[]): FieldRule {
  const allowed = new Set<unknown>(values);
  const sentence = `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;
  return {
    schema: { type: 'string', enum: [...values], example: values[0] },
    problem: value => (allowed.has(value) ? null : sentence),
  };
}

export interface ListLimits {
  readonly min?: number;
  readonly max: number;
}

/** A list whose elements follow one rule, each value at most once. */
export function listRule(element: FieldRule, limits: ListLimits): FieldRule {
  const { example: _example, ...items } = element.schema;
  return boundedList(limits, { type: 'array', items, uniqueItems: true }, list => {
    const seen = new Set<unknown>();
    for (const [index, one] of list.entries()) {
      const wrong = one === null ? 'must not be null' : element.problem(one);
      if (wrong !== null) return `element ${index} ${wrong}`;
      if (seen.has(one)) return `must not contain ${String(one)} twice`;
      seen.add(one);
    }
    return null;
  });
}

/** A list of objects; the objects' own fields are checked one by one. @param uniqueBy the field whose values differ */
export function objectListRule(limits: ListLimits, uniqueBy?: string): FieldRule {
  return boundedList(limits, {}, list => {
    if (uniqueBy === undefined) return null;
    const seen = new Set<string>();
    for (const one of list) {
      const key = (one as Readonly<Record<string, unknown>> | null)?.[uniqueBy];
      if (typeof key !== 'string') continue;
      if (seen.has(key)) return `must not contain ${key.slice(0, 100)} twice`;
      seen.add(key);
    }
    return null;
  });
}

function boundedList(
  { min = 0, max }: ListLimits,
  schema: FieldRule['schema'],
  problem: (list: readonly unknown[]) => string | null,
): FieldRule {
  return {
    schema: { ...schema, maxItems: max, ...(min > 0 && { minItems: min }) },
    problem: value => {
      if (!Array.isArray(value)) return 'must be a list';
      if (value.length > max) return `must have at most ${max} elements`;
      if (value.length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} elements`;
      return problem(value);
    },
  };
}

export const objectRule: FieldRule = {
  schema: {},
  problem: value =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be an object',
};
