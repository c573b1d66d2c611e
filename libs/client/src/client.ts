import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import { changesOf, type Change, type ChangesOptions } from './changes.js';
import type { components, paths } from './generated.js';
import { pagesOf, type ListParams, type PagedPath, type PageOf } from './pages.js';
import { retrying, type Fetch } from './retry.js';
import { syncOf, type SyncOptions, type SyncPage } from './sync.js';
import { newTransactionId } from './transaction-ids.js';

export { newTransactionId };
export { dataOf, LedgerError } from './ledger-error.js';
export type { Change, ChangesOptions } from './changes.js';
export type { SyncOptions, SyncPage } from './sync.js';

/** The bodies of the API by their names in its description: `Schemas['Month']`. */
export type Schemas = components['schemas'];

export interface ClientOptions {
  /** Where the service is: `https://ledger.example.org`, or a path of the same origin in a browser. Without `/v1`. */
  readonly url: string;
  /** A personal access token, or that of a session. A browser that signed in by cookie needs none. */
  readonly token?: string;
  /** The household that calls act on; otherwise the caller's default household. */
  readonly household?: string;
  /** How long a call waits altogether where it got 429 or 503 with `Retry-After`, in milliseconds; a minute by default. */
  readonly retryForMs?: number;
  /** Instead of the platform's `fetch`. */
  readonly fetch?: Fetch;
}

/** Calls by the paths of the API: `client.GET('/months/{month}', { params: { path: { month } } })`. */
export interface LedgerClient extends Client<paths> {
  /** Every page of a list, each read when it is asked for. Throws `LedgerError`. */
  pages<Path extends PagedPath>(
    path: Path,
    params: ListParams<Path>,
    signal?: AbortSignal,
  ): AsyncGenerator<PageOf<Path>, void, undefined>;
  /** The changes of the household as they happen, without loss and without end. Throws `LedgerError`. */
  changes(options?: ChangesOptions): AsyncGenerator<Change, void, undefined>;
  /** What changed since a revision, page by page, to keep a copy of the household. Throws `LedgerError`. */
  sync(options?: SyncOptions): AsyncGenerator<SyncPage, void, undefined>;
}

const RETRY_FOR_MS = 60_000;

/** A client of one service, for one caller and household. */
export function createClient(options: ClientOptions): LedgerClient {
  const {
    url,
    token,
    household,
    retryForMs = RETRY_FOR_MS,
    fetch = request => globalThis.fetch(request),
  } = options;
  const client = createFetchClient<paths>({
    baseUrl: `${url.replace(/\/+$/, '')}/v1`,
    fetch: retrying(fetch, retryForMs),
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(household !== undefined && { 'X-Service-Household': household }),
    },
  });
  client.use(REPEATABLE);
  const beyond: Omit<LedgerClient, keyof Client<paths>> = {
    pages: (path, params, signal) => pagesOf(client, path, params, signal),
    changes: options => changesOf(client, options),
    sync: options => syncOf(client, options),
  };
  return Object.assign(client, beyond);
}

/** Gives a write a key where it has none: sent again, it is recorded once. A new transaction has its id for that. */
const REPEATABLE: Middleware = {
  onRequest({ request, schemaPath }) {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const hasOwn = schemaPath === '/transactions' || request.headers.has(KEY);
    if (!isRead && !hasOwn && !schemaPath.startsWith('/auth/')) request.headers.set(KEY, newTransactionId());
    return request;
  },
};

const KEY = 'Idempotency-Key';
