import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { jsonElements } from '#http/answer-in-parts';
import type { ImportRow, ProposedTransaction } from '#imports/import-rows';
import { foldSource } from '#imports/read-import';
import { ownTurn } from '#concurrency/turns';
import type { HouseholdInCurrency } from '../household-call.js';
import { HouseholdReads } from '../household-reads.js';
import type {
  ImportCountsResponse,
  ImportOperationResponse,
  ImportPreviewResponse,
  ImportRowResponse,
} from './import-preview.response.js';
import { importOptions, type ImportQuery } from './import-query.js';
import { ImportThreads, type ReadFile } from './import-threads.js';
import { RecordedImports } from './recorded-imports.js';
import { SuggestedSplits } from './suggested-splits.js';

/** Rows that are made or written in one turn of the event loop. */
const ROWS_PER_TURN = 500;

/** What importing a file would record, as the JSON of an `ImportPreviewResponse` in parts. */
export class PreviewImport extends Query<AsyncGenerator<string>> {
  constructor(
    readonly household: HouseholdInCurrency,
    readonly bytes: Uint8Array,
    readonly query: ImportQuery,
  ) {
    super();
  }
}

/** A row that can be recorded. */
type ValidRow = ImportRow & { readonly transaction: ProposedTransaction };

@QueryHandler(PreviewImport)
export class PreviewImportHandler implements IQueryHandler<PreviewImport> {
  constructor(
    private readonly threads: ImportThreads,
    private readonly reads: HouseholdReads,
    private readonly recorded: RecordedImports,
    private readonly splits: SuggestedSplits,
  ) {}

  /** @throws ApiError `import_unreadable`, `validation_failed`, `unavailable`; DocumentsUnavailable */
  async execute({ household, bytes, query }: PreviewImport): Promise<AsyncGenerator<string>> {
    const { householdId, currency } = household;
    const source = foldSource(query.source);
    const task = { bytes, options: importOptions(query), source, currency };
    const [file, rows] = await this.threads.read(task, async read => [
      read.file,
      await this.compared(householdId, read.rows),
    ]);
    return textOf({ ...headOf(file, source), counts: countsOf(rows) }, rows);
  }

  /** The rows with what the household knows of them. */
  private async compared(householdId: string, rows: ReadFile['rows']): Promise<ImportRowResponse[]> {
    await this.reads.ready(householdId);
    const valid = rows.filter((row): row is ValidRow => row.transaction !== null);
    const transactions = valid.map(({ transaction }) => transaction);
    const recorded = await this.recorded.recorded(householdId, transactions);
    const similarTo = await this.recorded.similar(householdId, transactions);
    const splitsOf = await this.splits.for(householdId, valid);
    const compared: ImportRowResponse[] = [];
    for (const [index, row] of rows.entries()) {
      if (index % ROWS_PER_TURN === 0) await ownTurn();
      const { transaction, category } = row;
      const state = transaction === null ? 'invalid' : (recorded.get(transaction.id) ?? 'new');
      if (transaction === null || (state === 'new' && row.isDeleted)) {
        const problem = row.problem ?? 'The transaction was deleted where the file comes from.';
        compared.push({ row: row.row, state: 'invalid', problem, operation: null, category, similar: [] });
        continue;
      }
      const operation = operationOf(transaction, splitsOf({ ...row, transaction }));
      const similar = similarTo(transaction).filter(id => id !== transaction.id);
      compared.push({ row: row.row, state, problem: null, operation, category, similar });
    }
    return compared;
  }
}

function operationOf(
  { id, type, amount, date, merchant, note, budgetMonth }: ProposedTransaction,
  splits: ImportOperationResponse['splits'],
): ImportOperationResponse {
  return { op: 'create', id, type, amount, date, merchant, note, splits, budget_month: budgetMonth };
}

function headOf(
  { format, dateFormat, decimal, ambiguous, csv }: ReadFile['file'],
  source: string,
): Omit<ImportPreviewResponse, 'counts' | 'rows'> {
  return { format, source, date_format: dateFormat, decimal, ambiguous, csv };
}

function countsOf(rows: readonly ImportRowResponse[]): ImportCountsResponse {
  const counts = { new: 0, known: 0, deleted: 0, invalid: 0 };
  for (const { state } of rows) counts[state] += 1;
  return counts;
}

async function* textOf(
  head: Omit<ImportPreviewResponse, 'rows'>,
  rows: readonly ImportRowResponse[],
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  yield* jsonElements(pagesOf(rows));
  yield ']}';
}

async function* pagesOf(rows: readonly ImportRowResponse[]): AsyncGenerator<readonly ImportRowResponse[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_TURN) {
    await ownTurn();
    yield rows.slice(at, at + ROWS_PER_TURN);
  }
}
