import type { Client } from 'openapi-fetch';
import type { components, paths } from './generated.js';
import { dataOf } from './ledger-error.js';

export type SyncPage = components['schemas']['SyncPage'];

export interface SyncOptions {
  /** The `revision` of the last page of the sync before; everything without it. */
  readonly since?: number;
  /** How many transactions a page has at most. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/**
 * What changed since a revision, page by page: applied one after the other they bring a copy up to date. The last one has
 * the `revision` to go on from.
 * @throws LedgerError
 */
export async function* syncOf(
  client: Client<paths>,
  { since, limit, signal }: SyncOptions = {},
): AsyncGenerator<SyncPage, void, undefined> {
  let cursor: string | null = null;
  do {
    const query = { ...(cursor === null ? { since } : { cursor }), limit };
    const page: SyncPage = await dataOf(client.GET('/sync', { params: { query }, signal } as never));
    yield page;
    cursor = page.cursor;
  } while (cursor !== null);
}
