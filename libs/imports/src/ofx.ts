import { readPlainAmount, otherCurrency } from './amounts.js';
import {
  invalidEntry,
  requireRows,
  ROWS_MAX,
  type ContentRules,
  type Entry,
  type ImportedFile,
} from './imported-file.js';
import { decodeEntities } from './texts.js';

/**
 * Tags of OFX with the text behind each. SGML leaves out the end tags of values, XML does not; text that an end tag
 * closes is read with its start tag.
 */
const TAGS = /<(\/?)([A-Za-z][\w.:-]*)(?:\s[^<>]*)?>([^<]*(?:<!\[CDATA\[[^\]]*\]\]>[^<]*)*)/g;
const CDATA = /<!\[CDATA\[([^\]]*)\]\]>/g;
const TRANSACTIONS = new Set(['STMTTRN', 'STMTTRNP']);
/** What a transaction is made of. */
const VALUES = new Set(['TRNTYPE', 'DTPOSTED', 'DTUSER', 'TRNAMT', 'FITID', 'NAME', 'MEMO', 'CURSYM']);

/** Whether a text is OFX, 1.x (SGML) or 2.x (XML). */
export function isOfx(text: string): boolean {
  const beginning = text.slice(0, 4_096);
  return /^\s*OFXHEADER\s*:/i.test(beginning) || /<\?OFX\s/i.test(beginning) || /<OFX[\s>]/i.test(beginning);
}

/**
 * Reads OFX and QFX.
 * @throws ImportUnreadable
 */
export function readOfx(text: string, rules: ContentRules): ImportedFile {
  const reader = new TransactionReader();
  for (const [, slash, tag = '', raw = ''] of text.matchAll(TAGS)) {
    const name = tag.toUpperCase();
    if (slash === '/') reader.end(name);
    else reader.start(name, raw);
    if (reader.transactions.length > ROWS_MAX) break;
  }
  requireRows(reader.transactions.length);
  const entries = reader.transactions.map((transaction, index) => entryOf(transaction, index + 1, rules));
  return { format: 'ofx', dateFormat: null, decimal: null, ambiguous: [], csv: null, entries };
}

interface Transaction {
  readonly values: ReadonlyMap<string, string>;
  /** Of the account. */
  readonly currency: string;
  readonly isPending: boolean;
}

/** Follows the tags of a file, and keeps what belongs to transactions. */
class TransactionReader {
  readonly transactions: Transaction[] = [];
  private currency = '';
  private values: Map<string, string> | null = null;
  // What an original currency says is information: the amount is in the currency of the account.
  private isOriginal = false;

  start(name: string, raw: string): void {
    if (TRANSACTIONS.has(name)) {
      this.values = new Map();
      this.isOriginal = false;
      const { values, currency } = this;
      this.transactions.push({ values, currency, isPending: name === 'STMTTRNP' });
    } else if (name === 'CURDEF') this.currency = valueOf(raw);
    else if (name === 'ORIGCURRENCY') this.isOriginal = true;
    else if (VALUES.has(name) && !(this.isOriginal && name === 'CURSYM')) this.add(name, raw);
  }

  end(name: string): void {
    if (TRANSACTIONS.has(name) || name.startsWith('BANKTRANLIST')) this.values = null;
    else if (name === 'ORIGCURRENCY') this.isOriginal = false;
  }

  private add(name: string, raw: string): void {
    if (this.values?.has(name) === false) this.values.set(name, valueOf(raw));
  }
}

function valueOf(raw: string): string {
  if (raw.includes('<![CDATA[')) return raw.replaceAll(CDATA, '$1').trim();
  return decodeEntities(raw).trim();
}

function entryOf({ values, currency, isPending }: Transaction, row: number, rules: ContentRules): Entry {
  const value = (name: string): string => values.get(name) ?? '';
  if (isPending) return invalidEntry(row, 'The entry is pending.');
  const [, year, month, day] =
    /^([0-9]{4})([0-9]{2})([0-9]{2})/.exec(value('DTPOSTED') || value('DTUSER')) ?? [];
  const date = `${year}-${month}-${day}`;
  if (!rules.isDate(date)) return invalidEntry(row, 'The date cannot be read.');
  const stated = (value('CURSYM') || currency).toUpperCase();
  if (stated !== '' && stated !== rules.currency)
    return invalidEntry(row, otherCurrency(stated.slice(0, 3), rules));
  const read = readPlainAmount(value('TRNAMT'), rules);
  if ('problem' in read) return invalidEntry(row, read.problem);
  return {
    row,
    problem: null,
    date,
    amount: read.amount,
    merchant: value('NAME'),
    note: value('MEMO'),
    category: null,
    bankId: value('FITID') || null,
    parts: [],
  };
}
