import { LedgerError } from '#client/client';
import { APP_BASE } from '../api/client.js';
import type { NewTransaction } from '../transactions/draft.js';
import { authorized } from '../session/lost-session.js';

export type RowState = 'new' | 'known' | 'deleted' | 'invalid';

export interface PreviewRow {
  readonly row: number;
  readonly state: RowState;
  /** Why it is invalid. */
  readonly problem: string | null;
  readonly operation: ({ readonly op: 'create' } & NewTransaction) | null;
  readonly category: string | null;
  /** Transactions that are probably the same, entered by hand. */
  readonly similar: readonly string[];
}

export interface Preview {
  readonly format: 'csv' | 'ofx' | 'qif' | 'camt053';
  readonly source: string;
  readonly date_format: 'YMD' | 'DMY' | 'MDY' | null;
  readonly decimal: 'point' | 'comma' | null;
  /** What the file leaves open. */
  readonly ambiguous: readonly string[];
  readonly csv: {
    readonly header: boolean;
    readonly skip: number;
    readonly columns: readonly (string | { readonly name: string })[];
    readonly mapping: Readonly<Record<string, string | number | null>>;
  } | null;
  readonly rows: readonly PreviewRow[];
  readonly counts: Readonly<Record<RowState, number>>;
}

/** How the file is to be read, where it does not say so itself; empty texts leave it to the service. */
export type PreviewOptions = Readonly<Record<string, string>>;

/** Reads a file without recording anything. @throws LedgerError `import_unreadable` */
export async function preview(household: string, file: Blob, options: PreviewOptions): Promise<Preview> {
  const query = new URLSearchParams(Object.entries(options).filter(([, value]) => value !== ''));
  const response = await authorized(
    new Request(`${APP_BASE}v1/imports/preview?${query}`, {
      method: 'POST',
      // The content decides what the file is.
      headers: { 'Content-Type': 'application/octet-stream', 'X-Service-Household': household },
      body: file,
    }),
  );
  const answer = (await response.json().catch(() => undefined)) as unknown;
  if (!response.ok) throw LedgerError.of(response, answer);
  return answer as Preview;
}
