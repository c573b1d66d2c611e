import { parse } from 'csv-parse/sync';
import { ImportUnreadable, type Delimiter } from '../imported-file.js';

/** A line of a CSV file, or several where a quoted cell has line ends. */
export interface CsvRecord {
  /** From 1; the first one of several. */
  readonly line: number;
  readonly cells: readonly string[];
}

const CHARACTERS: Readonly<Record<Delimiter, string>> = { comma: ',', semicolon: ';', tab: '\t' };
/** The longest record, in characters: a quote that is never closed would swallow the rest. */
const RECORD_LENGTH_MAX = 64 * 1024;
/** Columns beyond these are left out. */
const COLUMNS_MAX = 500;

interface ParsedRecord {
  readonly record: readonly string[];
  /** Lines up to the end of the record. */
  readonly info: { readonly lines: number };
}

/**
 * The records of a text with LF as line end, but those without anything. Where its quotes do not pair, they are letters.
 * @param to at most so many
 * @throws ImportUnreadable
 */
export function readRecords(text: Buffer, delimiter: Delimiter, to: number): CsvRecord[] {
  try {
    return recordsOf(text, delimiter, to, '"');
  } catch {
    try {
      return recordsOf(text, delimiter, to, null);
    } catch {
      throw new ImportUnreadable('unknown_format');
    }
  }
}

function recordsOf(text: Buffer, delimiter: Delimiter, to: number, quote: '"' | null): CsvRecord[] {
  const parsed = parse(text, {
    delimiter: CHARACTERS[delimiter],
    record_delimiter: '\n',
    quote,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: RECORD_LENGTH_MAX,
    info: true,
    to,
  }) as unknown as readonly ParsedRecord[];
  return parsed.map(({ record, info }) => ({
    line: info.lines - record.reduce((sum, cell) => sum + lineEnds(cell), 0),
    cells: record.length > COLUMNS_MAX ? record.slice(0, COLUMNS_MAX) : record,
  }));
}

function lineEnds(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) count += 1;
  return count;
}
