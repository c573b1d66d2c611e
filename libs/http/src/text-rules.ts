/**
 * What one field accepts. A rule sees a value after `normalise`, never `undefined` or `null`: whether a field may
 * be absent or null is the field's own matter (`fields.ts`).
 */
export interface FieldRule {
  /** What the text of a query parameter means, where it is more than text. Text that means nothing is answered as it is. */
  readonly fromText?: (text: string) => unknown;
  /** The value as it is stored and compared. Never throws; a value of the wrong type is answered as it is. */
  readonly normalise?: (raw: unknown) => unknown;
  /** A sentence that follows the field's name, or null for a value that is fine. */
  readonly problem: (value: unknown) => string | null;
}

/** Control characters, and halves of surrogate pairs, which are no text. */
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
 * A text in NFC. One that is too long whatever NFC makes of it stays as it is, to be refused: normalising takes time
 * that grows with the square of a run of combining marks, minutes for a body that is full of them.
 * @param max most code points that its rule allows
 * @param counted the part of it that these are counted of
 */
export function inNfc(text: string, max: number, counted = text): string {
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
