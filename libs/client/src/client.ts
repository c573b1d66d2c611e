import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './generated.js';

export { newTransactionId } from './transaction-ids.js';
export { dataOf, LedgerError } from './ledger-error.js';

/** The bodies of the API by their names in its description: `Schemas['Month']`. */
export type Schemas = components['schemas'];

export interface ClientOptions {
  /** Where the service is: `https://ledger.example.org`, or a path of the same origin in a browser. Without `/v1`. */
  readonly url: string;
  /** A personal access token, or that of a session. A browser that signed in by cookie needs none. */
  readonly token?: string;
  /** The household that calls act on; otherwise the caller's default household. */
  readonly household?: string;
  /** Instead of the platform's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Calls by the paths of the API: `client.GET('/months/{month}', { params: { path: { month } } })`. */
export type LedgerClient = Client<paths>;

/** A client of one service, for one caller and household. */
export function createClient({ url, token, household, fetch }: ClientOptions): LedgerClient {
  return createFetchClient<paths>({
    baseUrl: `${url.replace(/\/+$/, '')}/v1`,
    ...(fetch && { fetch }),
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(household !== undefined && { 'X-Service-Household': household }),
    },
  });
}
