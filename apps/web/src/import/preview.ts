import { dataOf } from '#client/client';
import { apiOf, type Schemas } from '../api/client.js';

export type PreviewRow = Schemas['ImportRow'];
export type RowState = PreviewRow['state'];
export type Preview = Schemas['ImportPreview'];

/** How the file is to be read, where it does not say so itself; empty texts leave it to the service. */
export type PreviewOptions = Readonly<Record<string, string>>;

/** Reads a file without recording anything. @throws LedgerError `import_unreadable` */
export function preview(household: string, file: Blob, options: PreviewOptions): Promise<Preview> {
  const query = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ''));
  return dataOf(
    apiOf(household).POST('/imports/preview', {
      params: { query },
      // The content decides what the file is.
      headers: { 'Content-Type': 'application/octet-stream' },
      // The types of a description know no bytes.
      body: file as unknown as string,
      bodySerializer: body => body,
    }),
  );
}
