// Reads a file in a thread of its own, and sends what it has found.
import { parentPort, workerData } from 'node:worker_threads';
import {
  ImportUnreadable,
  UnknownColumn,
  type ColumnField,
  type ImportedFile,
  type ImportOptions,
  type UnreadableReason,
} from '#imports/imported-file';
import { importRows, type ImportRow } from '#imports/import-rows';
import { readImport } from '#imports/read-import';
import { contentRules } from './content-rules.js';

/** What a thread has to do. */
export interface ReadTask {
  readonly bytes: Uint8Array;
  readonly options: ImportOptions;
  /** The account, folded. */
  readonly source: string;
  readonly currency: string;
}

/** What a thread sends: rows, and the file at the end; or why it cannot be read. */
export type ReadMessage =
  | { readonly rows: readonly ImportRow[] }
  | { readonly file: Omit<ImportedFile, 'entries'> }
  | { readonly reason: UnreadableReason; readonly columns: readonly string[] | null }
  | { readonly unknownColumn: ColumnField };

/** Each message is taken in one turn of the event loop of those who wait for it. */
const ROWS_PER_MESSAGE = 500;

function send(message: ReadMessage): void {
  parentPort?.postMessage(message);
}

function read({ bytes, options, source, currency }: ReadTask): void {
  const rules = contentRules(currency);
  const { entries, ...file } = readImport(bytes, options, rules);
  const rows = importRows(entries, source, rules);
  for (let at = 0; at < rows.length; at += ROWS_PER_MESSAGE)
    send({ rows: rows.slice(at, at + ROWS_PER_MESSAGE) });
  send({ file });
}

try {
  read(workerData as ReadTask);
} catch (error) {
  if (error instanceof ImportUnreadable) send({ reason: error.reason, columns: error.columns });
  else if (error instanceof UnknownColumn) send({ unknownColumn: error.field });
  else throw error;
}
