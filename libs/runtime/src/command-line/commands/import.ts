import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { createClient, dataOf, LedgerError, type LedgerClient, type Schemas } from '#client/client';
import { recordRows, type Imported } from '#client/record-rows';
import { decimalsOf } from '#http/currencies';
import { decimalText } from '#ledger/values';
import { householdIdFrom } from '../arguments.js';
import { AlreadyReported, CommandFailed } from '../failures.js';
import { count, counted } from '../output/formats.js';
import { showingProgress } from '../output/progress.js';
import type { Column, Terminal } from '../output/terminal.js';

interface ImportOptions {
  readonly url: string;
  readonly token: string;
  readonly household?: string;
  readonly source?: string;
  readonly dryRun?: true;
  readonly track?: true;
  readonly json?: true;
}

type Preview = Schemas['ImportPreview'];
type Row = Schemas['ImportRow'];

const columns = (money: (amount: number) => string): readonly Column<Row>[] => [
  { title: 'ROW', align: 'right', text: ({ row }) => String(row) },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'DATE', text: ({ operation }) => operation?.date ?? '' },
  { title: 'AMOUNT', align: 'right', text: ({ operation }) => (operation ? money(signed(operation)) : '') },
  { title: 'MERCHANT', text: ({ operation }) => operation?.merchant ?? '' },
  { title: 'CATEGORY', text: ({ category }) => category ?? '' },
  { title: 'REMARK', text: ({ problem, similar }) => problem ?? (similar.length > 0 ? LIKE_ENTERED : '') },
];

const LIKE_ENTERED = 'probably entered by hand';

function signed({ type, amount }: NonNullable<Row['operation']>): number {
  return type === 'expense' ? -amount : amount;
}

const EXAMPLES = `
The same file can be imported again: what was recorded before is passed over, and what was deleted since stays deleted.
Exit code 1 also says that the service refused some of the rows.

Examples:
  $ ledger import checking.csv --url https://ledger.example.org --token hbp_… --dry-run
  $ ledger import checking.ofx --source checking --track       # with LEDGER_URL and LEDGER_TOKEN in the environment
`;

export function importCommand(terminal: Terminal): Command {
  return new Command('import')
    .summary('import a bank statement through a running server')
    .description(
      'Imports a statement through the API of a running server: CSV, OFX, QFX, QIF or CAMT.053. Prints what is in it, and ' +
        'then records what is new, untracked.',
    )
    .argument('<file>', 'the statement')
    .addOption(new Option('--url <address>', 'where the server is').env('LEDGER_URL').makeOptionMandatory())
    .addOption(
      new Option(
        '--token <token>',
        'a personal access token with transactions:write; with account:read, amounts have decimals',
      )
        .env('LEDGER_TOKEN')
        .makeOptionMandatory(),
    )
    .option('--household <id>', 'the household; your default household where it is absent', householdIdFrom)
    .option(
      '--source <name>',
      'the account that the statement is of; rows of two accounts are never the same',
    )
    .option('--track', 'track what has a suggested item, by category or merchant')
    .option('--dry-run', 'print what is in the file, and record nothing')
    .option('--json', 'print one JSON document: {"counts": {...}, "imported": {...}, "rows": [...]}')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: ImportOptions) => {
      const { url, token, household } = options;
      const client = createClient({ url, token, ...(household !== undefined && { household }) });
      try {
        await importFile(terminal, client, file, options);
      } catch (error) {
        throw isUnreachable(error) ? new CommandFailed(`No server answers at ${url}.`) : error;
      }
    });
}

async function importFile(
  terminal: Terminal,
  client: LedgerClient,
  file: string,
  { source, track, dryRun, json, household }: ImportOptions,
): Promise<void> {
  const preview = await previewOf(client, file, source);
  if (!json) {
    const money = await moneyOf(terminal, client, household);
    await terminal.printTable(columns(money), [preview.rows], 'The file has no rows.');
    for (const what of preview.ambiguous) {
      terminal.remark(`The file leaves open which ${what} it has; it was read as ${preview[what]}.`);
    }
  }
  const imported = dryRun ? null : await record(terminal, client, preview.rows, track === true);
  if (json) await terminal.printJsonList('rows', [preview.rows], { counts: preview.counts, imported });
  else await terminal.print(imported === null ? wouldRecord(preview) : hasRecorded(preview, imported));
  if (imported !== null && imported.refused.length > 0) throw new AlreadyReported('rows were refused');
}

async function previewOf(client: LedgerClient, file: string, source: string | undefined): Promise<Preview> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new CommandFailed(`There is no file ${file}.`) : error;
  });
  return dataOf(
    client.POST('/imports/preview', {
      params: { query: { ...(source !== undefined && { source }) } },
      headers: { 'Content-Type': 'application/octet-stream' },
      // The types of a description know no bytes.
      body: bytes as unknown as string,
      bodySerializer: body => body,
    }),
  );
}

/** @throws LedgerError after it has said what was recorded before */
async function record(
  terminal: Terminal,
  client: LedgerClient,
  rows: readonly Row[],
  isTracked: boolean,
): Promise<Imported> {
  const wanted = rows.flatMap(({ row, state, operation }) =>
    state === 'new' && operation !== null
      ? [{ row, operation: isTracked ? operation : { ...operation, splits: [] } }]
      : [],
  );
  const imported: Imported = { recorded: 0, known: 0, refused: [] };
  const recorded = (operations: Schemas['BatchBody']['operations']): Promise<Schemas['Batch']> =>
    dataOf(client.POST('/transactions/batch', { body: { operations, skip_known: true } }));
  const step = { label: 'Importing', unit: 'transactions', total: wanted.length };
  try {
    await showingProgress(terminal, onStep =>
      recordRows(recorded, wanted, imported, done => onStep({ ...step, done })),
    );
  } catch (error) {
    terminal.remark(
      `Broken off after ${counted(imported.recorded, 'new transaction')}. Run it once more to go on.`,
    );
    throw error;
  }
  for (const { row, message } of imported.refused) terminal.remark(`Row ${row} was refused: ${message}`);
  return imported;
}

function wouldRecord({ counts }: Preview): string {
  return `Nothing was recorded. ${summary(counts.new, counts)}.`;
}

function hasRecorded({ counts }: Preview, { recorded, known, refused }: Imported): string {
  const now = { ...counts, known: counts.known + known };
  return `Recorded ${counted(recorded, 'transaction')}. ${summary(recorded, now)}, ${count(refused.length)} refused.`;
}

function summary(isNew: number, { known, deleted, invalid }: Preview['counts']): string {
  return `${count(isNew)} new, ${count(known)} known, ${count(deleted)} deleted before, ${count(invalid)} unreadable`;
}

/** Amounts as decimals of the household's currency; in minor units where the token may not look at it. */
async function moneyOf(
  terminal: Terminal,
  client: LedgerClient,
  household: string | undefined,
): Promise<(amount: number) => string> {
  try {
    const { households, default_household_id } = await dataOf(client.GET('/me'));
    const { currency } = households.find(({ id }) => id === (household ?? default_household_id))!;
    const decimals = decimalsOf(currency);
    return amount => decimalText(amount, decimals);
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'insufficient_scope') {
      terminal.remark(
        'Amounts are in minor units: the token has no account:read, which would tell the currency.',
      );
      return String;
    }
    throw error;
  }
}

/** As `fetch` fails in Node, with the reason as its cause. */
function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error;
}
