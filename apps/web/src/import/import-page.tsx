import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { RecordableRow } from '#client/record-rows';
import { hasCode, sentenceOf } from '../api/sentences.js';
import { useSession } from '../shell/household-context.js';
import { useTitle } from '../shell/title.js';
import { readListsAgain } from '../transactions/transaction-commands.js';
import { SelectField, TextField } from '../ui/field.js';
import { sayDone } from '../ui/toasts.js';
import { PreviewTable } from './preview-table.js';
import { preview, type Preview, type PreviewOptions, type PreviewRow } from './preview.js';
import { runImport, undoImport, type UndoableImport } from './run-import.js';

const BYTES_MAX = 8 * 1024 * 1024;

/** Why a file cannot be read, by the reason of the service. */
const UNREADABLE: Readonly<Record<string, string>> = {
  unknown_format:
    'This is no statement that we can read. Export CSV, OFX, QFX, QIF or CAMT.053 from your bank.',
  no_rows: 'There are no transactions in this file.',
  no_date_column: 'We cannot tell which column is the date. Choose it below.',
  no_amount_column: 'We cannot tell which column is the amount. Choose it below.',
  too_many_rows: 'This file has more than 20,000 rows. Split it, or export a shorter time.',
};

/** A file, what would come of it, and the import. */
export default function ImportPage() {
  useTitle('Import');
  const { household } = useSession();
  const [file, setFile] = useState<File | null>(null);
  const [options, setOptions] = useState<PreviewOptions>({ source: 'default' });
  const read = useMutation({
    mutationFn: (from: { readonly file: File; readonly options: PreviewOptions }) =>
      preview(household.id, from.file, from.options),
    meta: { showsErrors: true },
  });
  const readAgain = (part: PreviewOptions): void => {
    const next = { ...options, ...part };
    setOptions(next);
    if (file) read.mutate({ file, options: next });
  };
  const isTooLarge = file !== null && file.size > BYTES_MAX;
  return (
    <div className="import">
      <div className="page-head">
        <h1>Import a file</h1>
      </div>
      <p className="quiet">
        Choose a statement from your bank, or an export of YNAB, Actual or this budget. You see what it holds
        before anything is recorded, and a statement never counts twice.
      </p>
      <FileField
        onChoose={chosen => {
          setFile(chosen);
          if (chosen.size <= BYTES_MAX) read.mutate({ file: chosen, options });
        }}
      />
      {isTooLarge && (
        <p className="form-error" role="alert">
          This file is larger than 8 MB. Export a shorter time.
        </p>
      )}
      {read.isPending && <p className="loading">Reading {file?.name} …</p>}
      {read.error && (
        <p className="form-error" role="alert">
          {hasCode(read.error, 'import_unreadable')
            ? (UNREADABLE[String(read.error.details['reason'])] ?? read.error.message)
            : sentenceOf(read.error)}
        </p>
      )}
      {file && (read.data || hasCode(read.error, 'import_unreadable')) && (
        <Options
          options={options}
          result={read.data}
          columns={columnsOf(read.data, read.error)}
          onChange={readAgain}
        />
      )}
      {read.data && <Review key={read.submittedAt} result={read.data} onRead={() => readAgain({})} />}
    </div>
  );
}

function columnsOf(result: Preview | undefined, error: unknown): readonly string[] {
  const columns: unknown =
    result?.csv?.columns ?? (hasCode(error, 'import_unreadable') ? error.details['columns'] : []);
  return Array.isArray(columns) ? (columns as readonly string[]) : [];
}

function FileField({ onChoose }: { readonly onChoose: (file: File) => void }) {
  const id = useId();
  return (
    <div className="field file-field">
      <label htmlFor={id}>File</label>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,.ofx,.qfx,.qif,.xml,text/csv,text/plain,application/xml"
        onChange={event => {
          const [chosen] = event.target.files ?? [];
          if (chosen) onChoose(chosen);
        }}
      />
    </div>
  );
}

const COLUMN_FIELDS = ['date', 'amount', 'debit', 'credit', 'merchant', 'note', 'category'] as const;
const DATE_FORMATS = [
  { value: '', name: 'As found' },
  { value: 'YMD', name: 'Year, month, day' },
  { value: 'DMY', name: 'Day, month, year' },
  { value: 'MDY', name: 'Month, day, year' },
];

interface OptionsProperties {
  readonly options: PreviewOptions;
  readonly result: Preview | undefined;
  readonly columns: readonly string[];
  readonly onChange: (part: PreviewOptions) => void;
}

/** How the file is read. It opens where the file leaves something open. */
function Options({ options, result, columns, onChange }: OptionsProperties) {
  const isOpen = result === undefined || result.ambiguous.length > 0;
  const [source, setSource] = useState(options['source'] ?? '');
  const value = (name: string): string => options[name] ?? '';
  return (
    <details className="card import-options" open={isOpen}>
      <summary>How to read this file</summary>
      {result?.ambiguous.includes('date_format') && (
        <p className="form-error">
          The dates can be read in two ways, as no day is above 12. Check a date that you know.
        </p>
      )}
      <div className="option-fields">
        <TextField
          label="Account"
          hint="Use the same name for every statement of one account."
          maxLength={100}
          value={source}
          onChange={setSource}
          onBlur={() => {
            if (source !== value('source')) onChange({ source });
          }}
        />
        <SelectField
          label="Date order"
          value={value('date_format')}
          options={DATE_FORMATS}
          onChange={date_format => onChange({ date_format })}
        />
        <SelectField
          label="Decimals"
          value={value('decimal')}
          options={[
            { value: '', name: 'As found' },
            { value: 'point', name: '1,234.56' },
            { value: 'comma', name: '1.234,56' },
          ]}
          onChange={decimal => onChange({ decimal })}
        />
        {columns.length > 0 && (
          <>
            <SelectField
              label="Signs"
              value={value('flip')}
              options={[
                { value: '', name: 'Expenses are negative' },
                { value: 'true', name: 'Expenses are positive' },
              ]}
              onChange={flip => onChange({ flip })}
            />
            {COLUMN_FIELDS.map(field => (
              <SelectField
                key={field}
                label={`Column of the ${field}`}
                value={value(field)}
                options={[
                  { value: '', name: 'As found' },
                  ...columns.map((name, at) => ({ value: String(at + 1), name: name || `Column ${at + 1}` })),
                ]}
                onChange={column => onChange({ [field]: column })}
              />
            ))}
          </>
        )}
      </div>
    </details>
  );
}

/** Rows that are imported unless somebody says otherwise: new ones that are not likely to have been entered by hand. */
function isWanted({ state, similar }: PreviewRow): boolean {
  return state === 'new' && similar.length === 0;
}

function Review({ result, onRead }: { readonly result: Preview; readonly onRead: () => void }) {
  const { household } = useSession();
  const [wanted, setWanted] = useState<ReadonlySet<number>>(
    () => new Set(result.rows.filter(isWanted).map(({ row }) => row)),
  );
  const [done, setDone] = useState(0);
  const run = useMutation({
    mutationFn: () => runImport(household.id, recordable(result.rows, wanted), setDone),
    onSuccess: imported => {
      void readListsAgain(household.id);
      sayDone(`Imported ${countOf(imported.recorded)}.`);
    },
  });
  if (run.isSuccess) return <Finished imported={run.data} />;
  const { counts } = result;
  return (
    <section className="review" aria-label="Preview">
      <p className="review-counts">
        <strong>{counts.new} new</strong>, {counts.known} known already, {counts.deleted} deleted before,{' '}
        {counts.invalid} that cannot be read
      </p>
      <PreviewTable rows={result.rows} wanted={wanted} onWant={setWanted} />
      {run.isPending && (
        <progress aria-label="Import" max={wanted.size} value={done}>
          {done} of {wanted.size}
        </progress>
      )}
      <div className="form-actions is-sticky">
        <p className="review-chosen">{countOf(wanted.size)} chosen</p>
        <button type="button" className="button" disabled={run.isPending} onClick={onRead}>
          Read the file again
        </button>
        <button
          type="button"
          className="button is-primary"
          disabled={wanted.size === 0 || run.isPending}
          onClick={() => run.mutate()}
        >
          Import
        </button>
      </div>
    </section>
  );
}

function countOf(transactions: number): string {
  return `${transactions} ${transactions === 1 ? 'transaction' : 'transactions'}`;
}

/** What was deleted comes back by its restoration; everything else is recorded. */
function recordable(rows: readonly PreviewRow[], wanted: ReadonlySet<number>): readonly RecordableRow[] {
  return rows.flatMap(({ row, state, operation }): RecordableRow[] => {
    if (!wanted.has(row) || operation === null) return [];
    return [{ row, operation: state === 'deleted' ? { op: 'restore', id: operation.id } : operation }];
  });
}

function Finished({ imported }: { readonly imported: UndoableImport }) {
  const { household } = useSession();
  const undo = useMutation({
    mutationFn: () => undoImport(household.id, imported),
    onSuccess: () => sayDone('The import was undone.'),
  });
  const { recorded, refused, eventIds } = imported;
  return (
    <div className="card finished">
      <h2>Imported {countOf(recorded)}</h2>
      {refused.length > 0 && (
        <div className="form-error" role="alert">
          <p>{refused.length === 1 ? 'One row was refused:' : `${refused.length} rows were refused:`}</p>
          <ul>
            {refused.map(({ row, message }) => (
              <li key={row}>
                Row {row}: {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      <p>Those without a budget item wait among the untracked ones.</p>
      <div className="form-actions is-start">
        <Link className="button is-primary" to="/transactions">
          Track them
        </Link>
        <button
          type="button"
          className="button"
          disabled={eventIds.length === 0 || undo.isPending || undo.isSuccess}
          onClick={() => undo.mutate()}
        >
          Undo
        </button>
      </div>
    </div>
  );
}
