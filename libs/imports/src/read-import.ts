import { foldCase } from '#projections/transaction-document';
import { isCamt053, readCamt053 } from './camt053.js';
import { readCsv } from './csv/read-csv.js';
import { decode, type DecodedText } from './decode.js';
import {
  ImportUnreadable,
  requireRows,
  type ContentRules,
  type ImportedFile,
  type ImportFormat,
  type ImportOptions,
} from './imported-file.js';
import { isOfx, readOfx } from './ofx.js';
import { isQif, readQif } from './qif.js';

/**
 * Reads a statement. Its content decides what it is, unless the options do.
 * @throws ImportUnreadable, UnknownColumn
 */
export function readImport(bytes: Uint8Array, options: ImportOptions, rules: ContentRules): ImportedFile {
  const decoded = decode(bytes);
  const { text } = decoded;
  if (text.includes('\0')) throw new ImportUnreadable('unknown_format');
  if (text.trim() === '') throw new ImportUnreadable('no_rows');
  const format = options.format ?? formatOf(text);
  const file = readAs(format, decoded, options, rules);
  requireRows(file.entries.length, file.csv?.columns ?? null);
  return file;
}

/** The name of an account, for comparing. */
export function foldSource(source: string): string {
  return foldCase(source.trim().replaceAll(/\s+/g, ' '));
}

function formatOf(text: string): ImportFormat {
  if (isOfx(text)) return 'ofx';
  if (isQif(text)) return 'qif';
  if (isCamt053(text)) return 'camt053';
  if (/^\s*<[!?A-Za-z]/.test(text) || isBinary(text)) throw new ImportUnreadable('unknown_format');
  return 'csv';
}

function readAs(
  format: ImportFormat,
  decoded: DecodedText,
  options: ImportOptions,
  rules: ContentRules,
): ImportedFile {
  const { text } = decoded;
  if (format === 'csv') return readCsv(decoded, options, rules);
  if (format === 'qif') {
    if (!isQif(text)) throw new ImportUnreadable('unknown_format');
    return readQif(text, options, rules);
  }
  // It may define entities without end.
  if (/<!DOCTYPE/i.test(text)) throw new ImportUnreadable('unknown_format');
  if (format === 'ofx' ? !isOfx(text) : !isCamt053(text)) throw new ImportUnreadable('unknown_format');
  return format === 'ofx' ? readOfx(text, rules) : readCamt053(text, rules);
}

/** More than one character of a hundred is a control. */
function isBinary(text: string): boolean {
  const sample = text.slice(0, 16 * 1024);
  return sample.replaceAll(/[^\p{Cc}]|\s/gu, '').length > sample.length / 100;
}
