import { randomBytes } from 'node:crypto';
import { wireAddress, type MailMessage, type Mailbox } from './mailer.js';

const CRLF = '\r\n';
/** RFC 5322 §2.1.1: lines should stay within 78 characters, and must stay within 998. */
const LINE_LENGTH_SHOULD = 76;
const LINE_LENGTH_MUST = 998;
/** RFC 2047 §2: an encoded word has at most 75 characters. */
const ENCODED_WORD = { start: '=?UTF-8?Q?', end: '?=', lengthMax: 75 } as const;
/** A boundary holds `=_`, which quoted-printable text cannot, and enough chance not to be in other text. */
const BOUNDARY_BYTES = 15;

/**
 * A message as RFC 5322 text with both bodies: lines end in CRLF, everything is ASCII unless the address itself
 * is not. Bodies are 7bit where they can be, else quoted-printable, so that a simple reader finds the links.
 */
export function mimeMessage(from: Mailbox, message: MailMessage, date: Date): string {
  const boundary = `=_${randomBytes(BOUNDARY_BYTES).toString('hex')}`;
  return [
    ['From', mailbox(from)],
    ['To', wireAddress(message.to)],
    ['Subject', unstructured('Subject', message.subject)],
    ['Date', date.toUTCString().replace('GMT', '+0000')],
    ['Message-ID', messageId(from, message.id)],
    // RFC 3834: no out-of-office notes in answer.
    ['Auto-Submitted', 'auto-generated'],
    ['MIME-Version', '1.0'],
    ['Content-Type', `multipart/alternative;${CRLF} boundary="${boundary}"`],
  ]
    .map(([name, value]) => `${name}: ${value}${CRLF}`)
    .concat(
      CRLF,
      part(boundary, 'plain', message.text),
      part(boundary, 'html', message.html),
      `--${boundary}--${CRLF}`,
    )
    .join('');
}

/** The same for every repetition of a message, so that a mailbox can tell. */
function messageId(from: Mailbox, id: string): string {
  const address = wireAddress(from.address);
  return `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`;
}

function part(boundary: string, subtype: 'plain' | 'html', content: string): string {
  const lines = content.replace(/\r\n?/g, '\n').replace(/\n*$/, '').split('\n');
  const isPlain = lines.every(line => canStayAsItIs(line));
  return [
    `--${boundary}`,
    `Content-Type: text/${subtype}; charset=utf-8`,
    `Content-Transfer-Encoding: ${isPlain ? '7bit' : 'quoted-printable'}`,
    '',
    ...(isPlain ? lines : lines.flatMap(quotedPrintable)),
    '',
    '',
  ].join(CRLF);
}

/** Only a line with a link may be longer than lines should be, since breaking it would break the link. */
function canStayAsItIs(line: string): boolean {
  if (!/^[\t\x20-\x7e]*$/.test(line)) return false;
  return line.length <= LINE_LENGTH_SHOULD || (line.length <= LINE_LENGTH_MUST && /https?:\/\//.test(line));
}

/** RFC 2045 §6.7. @returns the encoded lines of one line */
function quotedPrintable(line: string): string[] {
  const units = Array.from(line, character =>
    /^[\t\x20-\x3c\x3e-\x7e]$/.test(character) ? character : hexOctets(character),
  );
  const last = units.at(-1);
  // White space at the end of a line would be dropped on the way.
  if (last === ' ' || last === '\t') units[units.length - 1] = hexOctets(last);
  const lines: string[] = [];
  let current = '';
  for (const unit of units) {
    if (current.length + unit.length > LINE_LENGTH_SHOULD - 1) {
      lines.push(`${current}=`);
      current = '';
    }
    current += unit;
  }
  return [...lines, current];
}

function hexOctets(text: string): string {
  return Array.from(
    Buffer.from(text, 'utf8'),
    octet => `=${octet.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

/** The text of a header, folded, as encoded words where it is not plain ASCII or looks like one. */
function unstructured(name: string, text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && !text.includes('=?');
  if (!isPlain) return encodedWords(text, name.length + 2);
  const words = text.split(' ');
  const isFoldable = words.every(word => word.length > 0 && word.length < LINE_LENGTH_SHOULD);
  if (!isFoldable) return encodedWords(text, name.length + 2);
  let column = name.length + 2;
  return words.reduce((header, word) => {
    column += 1 + word.length;
    if (column <= LINE_LENGTH_SHOULD) return `${header} ${word}`;
    column = 1 + word.length;
    return `${header}${CRLF} ${word}`;
  });
}

/** RFC 2047 with the Q encoding; no character is split between two words. @param column where the first begins */
function encodedWords(text: string, column: number): string {
  const words: string[] = [];
  const overhead = ENCODED_WORD.start.length + ENCODED_WORD.end.length;
  let current = '';
  let room = Math.min(ENCODED_WORD.lengthMax, LINE_LENGTH_SHOULD - column) - overhead;
  for (const character of text) {
    const unit = /^[A-Za-z0-9!*+/-]$/.test(character)
      ? character
      : character === ' '
        ? '_'
        : hexOctets(character);
    if (current.length + unit.length > room) {
      words.push(current);
      current = '';
      room = LINE_LENGTH_SHOULD - 1 - overhead;
    }
    current += unit;
  }
  return [...words, current].map(word => `${ENCODED_WORD.start}${word}${ENCODED_WORD.end}`).join(`${CRLF} `);
}

function mailbox({ name, address }: Mailbox): string {
  const onWire = wireAddress(address);
  if (name === '') return onWire;
  const isPlain = /^[A-Za-z0-9 !#$%&'*+/=^_`{|}~-]*$/.test(name) && name.length < LINE_LENGTH_SHOULD / 2;
  return `${isPlain ? name : encodedWords(name, 'From: '.length)} <${onWire}>`;
}
