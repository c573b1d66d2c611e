import { XMLParser } from 'fast-xml-parser';
import { otherCurrency, readPlainAmount } from './amounts.js';
import {
  ImportUnreadable,
  invalidEntry,
  requireRows,
  type ContentRules,
  type Entry,
  type ImportedFile,
} from './imported-file.js';
import { decodeEntities } from './texts.js';

/** A parsed element: text, or children by their names; lists are always arrays. */
type Node = string | { readonly [name: string]: Node | readonly Node[] | undefined };

const LISTS = new Set(['Stmt', 'Ntry', 'NtryDtls', 'TxDtls', 'Ustrd', 'Strd']);
/** Elements within one another; a statement has about fifteen. */
const DEPTH_MAX = 40;

/** Whether a text is an XML document with a statement of an account. */
export function isCamt053(text: string): boolean {
  return /<(?:[\w.-]+:)?BkToCstmrStmt[\s>]/.test(text.slice(0, 64 * 1024));
}

/**
 * Reads CAMT.053 of any version.
 * @throws ImportUnreadable
 */
export function readCamt053(text: string, rules: ContentRules): ImportedFile {
  const statements = list(child(child(parse(text), 'Document'), 'BkToCstmrStmt'), 'Stmt');
  const found = statements.flatMap(statement => list(statement, 'Ntry')).flatMap(detailsOf);
  requireRows(found.length);
  const entries = found.map((detail, index) => entryOf(detail, index + 1, rules));
  return { format: 'camt053', dateFormat: null, decimal: null, ambiguous: [], csv: null, entries };
}

function parse(text: string): Node {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    processEntities: false,
    jPath: false,
    maxNestedTags: DEPTH_MAX,
    isArray: name => LISTS.has(name),
  });
  try {
    return parser.parse(text, true) as Node;
  } catch {
    throw new ImportUnreadable('unknown_format');
  }
}

function child(node: Node | undefined, ...path: readonly string[]): Node | undefined {
  let at = node;
  for (const name of path) {
    if (typeof at !== 'object' || !Object.hasOwn(at, name)) return undefined;
    const next: Node | readonly Node[] | undefined = at[name];
    at = Array.isArray(next) ? (next as readonly Node[])[0] : (next as Node | undefined);
  }
  return at;
}

function list(node: Node | undefined, name: string): readonly Node[] {
  if (typeof node !== 'object' || !Object.hasOwn(node, name)) return [];
  const found = node[name];
  return Array.isArray(found) ? (found as readonly Node[]) : [found as Node];
}

/** The text of the first path that has one: of elements as `Refs/AcctSvcrRef`, an attribute as `@Ccy`, or `.`. */
function text(node: Node | undefined, ...paths: readonly string[]): string {
  for (const path of paths) {
    const found = path === '.' ? node : child(node, ...path.split('/'));
    const value = typeof found === 'object' ? found['#text'] : found;
    if (typeof value === 'string' && value !== '') return decodeEntities(value);
  }
  return '';
}

/** An entry of the statement, or one payment of those that it stands for. */
interface Detail {
  readonly entry: Node;
  readonly payment: Node | undefined;
  /** The element of the amount. */
  readonly amount: Node | undefined;
}

/** The payments of an entry, where each says its amount and direction; else the entry as a whole. */
function detailsOf(entry: Node): Detail[] {
  const payments = list(entry, 'NtryDtls').flatMap(details => list(details, 'TxDtls'));
  const details = payments.map(payment => ({
    entry,
    payment,
    amount: child(payment, 'Amt') ?? child(payment, 'AmtDtls', 'TxAmt', 'Amt'),
  }));
  const isBatch =
    details.length > 1 && details.every(({ amount, payment }) => amount && !isOtherDirection(entry, payment));
  return isBatch && addUp(details, entry)
    ? details
    : [{ entry, payment: payments[0], amount: child(entry, 'Amt') }];
}

function isOtherDirection(entry: Node, payment: Node): boolean {
  const direction = text(payment, 'CdtDbtInd');
  return direction !== '' && direction !== text(entry, 'CdtDbtInd');
}

/** Payments in another currency, or without charges, are less than the entry. */
function addUp(details: readonly Detail[], entry: Node): boolean {
  const units = (amount: Node | undefined): bigint | null => {
    const [, whole, fraction = ''] = /^([0-9]{1,15})(?:\.([0-9]{0,5}))?$/.exec(text(amount, '.')) ?? [];
    return whole === undefined ? null : BigInt(whole + fraction.padEnd(5, '0'));
  };
  const total = child(entry, 'Amt');
  let sum = 0n;
  for (const { amount } of details) {
    const part = units(amount);
    if (part === null || text(amount, '@Ccy') !== text(total, '@Ccy')) return false;
    sum += part;
  }
  return sum === units(total);
}

function entryOf({ entry, payment, amount }: Detail, row: number, rules: ContentRules): Entry {
  const status = text(entry, 'Sts/Cd', 'Sts');
  if (status === 'PDNG' || status === 'FUTR') return invalidEntry(row, 'The entry is pending.');
  if (status === 'INFO') return invalidEntry(row, 'The entry is only information.');
  const date = text(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm').slice(0, 10);
  if (!rules.isDate(date)) return invalidEntry(row, 'The date cannot be read.');
  const currency = text(amount, '@Ccy').slice(0, 3);
  if (currency !== rules.currency) return invalidEntry(row, otherCurrency(currency, rules));
  const direction = text(entry, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') return invalidEntry(row, 'The entry has no direction.');
  const read = readPlainAmount(text(amount, '.'), rules);
  if ('problem' in read) return invalidEntry(row, read.problem);
  const isExpense = direction === 'DBIT';
  return {
    row,
    problem: null,
    date,
    amount: isExpense ? -read.amount : read.amount,
    merchant: otherParty(payment, isExpense),
    note: noteOf(entry, payment),
    category: null,
    bankId: text(payment, 'Refs/AcctSvcrRef') || text(entry, 'AcctSvcrRef') || null,
    parts: [],
  };
}

/** Whom an expense went to, or an income came from. Later versions distinguish persons from agents. */
function otherParty(payment: Node | undefined, isExpense: boolean): string {
  const roles = isExpense ? ['Cdtr', 'UltmtCdtr'] : ['Dbtr', 'UltmtDbtr'];
  return text(
    child(payment, 'RltdPties'),
    ...roles.flatMap(role => [`${role}/Nm`, `${role}/Pty/Nm`, `${role}/Agt/FinInstnId/Nm`]),
  );
}

function noteOf(entry: Node, payment: Node | undefined): string {
  const remittance = child(payment, 'RmtInf');
  const lines = list(remittance, 'Ustrd').map(line => text(line, '.'));
  if (lines.length > 0) return lines.join(' ');
  return (
    text(remittance, 'Strd/AddtlRmtInf', 'Strd/CdtrRefInf/Ref') ||
    text(payment, 'AddtlTxInf') ||
    text(entry, 'AddtlNtryInf')
  );
}
