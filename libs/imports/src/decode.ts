import { isUtf8 } from 'node:buffer';

export interface DecodedText {
  readonly text: string;
  /** By its name in the WHATWG Encoding Standard. */
  readonly encoding: string;
}

/** So much of a file shows which bytes of UTF-16 are zero. */
const SAMPLE_BYTES = 4_096;
/** Words that only a statement of a Japanese bank has. */
const JAPANESE_HEADER = /日付|年月日|取引|入金|出金|金額|摘要|利用/;

/** The text of a file: by its byte order mark, or by what its bytes can be. */
export function decode(bytes: Uint8Array): DecodedText {
  const encoding = markedEncoding(bytes) ?? utf16WithoutMark(bytes);
  if (encoding !== null) return decodeAs(bytes, encoding);
  if (isUtf8(bytes)) return decodeAs(bytes, 'utf-8');
  return japanese(bytes) ?? decodeAs(bytes, 'windows-1252');
}

function decodeAs(bytes: Uint8Array, encoding: string): DecodedText {
  const text = new TextDecoder(encoding).decode(bytes);
  return { text: encoding === 'windows-1252' ? text.replaceAll(CONTROLS, character) : text, encoding };
}

/** Node 20 decodes the bytes 0x80 to 0x9F of windows-1252 as Latin-1, which has controls there. */
const CONTROLS = /[\u0080-\u009f]/g;
const CHARACTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function character(control: string): string {
  return CHARACTERS[control.charCodeAt(0) - 0x80]!;
}

function markedEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** A text of mostly Western letters: every second byte is zero. */
function utf16WithoutMark(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const enough = sample.length / 4;
  if (odd > enough && even < odd / 8) return 'utf-16le';
  return even > enough && odd < even / 8 ? 'utf-16be' : null;
}

/** Most bytes of Western texts are also possible in Shift_JIS, so that words must decide. */
function japanese(bytes: Uint8Array): DecodedText | null {
  try {
    const text = new TextDecoder('shift_jis', { fatal: true }).decode(bytes);
    return JAPANESE_HEADER.test(text) ? { text, encoding: 'shift_jis' } : null;
  } catch {
    return null;
  }
}
