/** Beyond it, normalising a run of combining marks would take time that grows with its square. */
const MARKS_IN_A_ROW = /(\p{M}{30})\p{M}+/gu;
/** Controls, halves of surrogate pairs, and what turns the text around it round. */
const REMOVED = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text of a file as a transaction may have it: on one line, without controls.
 * @param max most code points; the rest is cut off
 */
export function cleanText(raw: string, max: number): string {
  // Most texts are short. A code point has at most two units, and a run of spaces becomes one.
  const beginning = raw.length > max * 8 ? raw.slice(0, max * 8) : raw;
  const oneLine = beginning.replaceAll(/\s+/g, ' ').replaceAll(REMOVED, '').replaceAll(/ {2,}/g, ' ').trim();
  const text = oneLine.replaceAll(MARKS_IN_A_ROW, '$1').normalize('NFC');
  if (text.length <= max) return text;
  return Array.from(text).slice(0, max).join('').trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const LAST_CODE_POINT = 0x10ffff;

/** Replaces the predefined entities and numbered characters of XML; others stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,4}));/gi,
    (whole, hex, decimal, name) => {
      if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : '';
    },
  );
}
