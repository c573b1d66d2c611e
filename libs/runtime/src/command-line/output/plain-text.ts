/**
 * Characters that a terminal may act on instead of showing: control characters, the marks that turn the direction of
 * writing, and separators of lines and paragraphs.
 */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** The same without those that JSON has escaped already. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text of users for a line of a terminal: what could act on the terminal stands there as an escape. */
export function plainText(text: string): string {
  return text.replaceAll(UNSAFE, character => {
    if (character === '\n') return String.raw`\n`;
    if (character === '\t') return ' ';
    return escaped(character);
  });
}

/** JSON that says the same and may be shown on a terminal. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSAFE_IN_JSON, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
