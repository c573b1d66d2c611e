import type { Client } from 'openapi-fetch';
import type { paths } from './generated.js';
import { dataOf } from './ledger-error.js';

type Listing<Path extends keyof paths> = paths[Path] extends {
  get: {
    parameters: infer Parameters;
    responses: {
      200: { content: { 'application/json': infer Page extends { next_cursor: string | null } } };
    };
  };
}
  ? { readonly parameters: Parameters; readonly page: Page }
  : never;

/** The paths of the API that answer a page with `next_cursor`. */
export type PagedPath = {
  [Path in keyof paths]: [Listing<Path>] extends [never] ? never : Path;
}[keyof paths];

/** What a list takes: `{ query: { view: 'untracked' } }`. */
export type ListParams<Path extends PagedPath> = Listing<Path>['parameters'];

export type PageOf<Path extends PagedPath> = Listing<Path>['page'];

/**
 * Every page of a list, each read when it is asked for.
 * @throws LedgerError
 */
export async function* pagesOf<Path extends PagedPath>(
  client: Client<paths>,
  path: Path,
  params: ListParams<Path>,
  signal?: AbortSignal,
): AsyncGenerator<PageOf<Path>, void, undefined> {
  const given = params as { readonly query?: Readonly<Record<string, unknown>> };
  for (let cursor: string | null | undefined; cursor !== null;) {
    const init = { params: { ...given, query: { ...given.query, cursor } }, signal };
    const page = (await dataOf(client.GET(path, init as never))) as PageOf<Path>;
    yield page;
    cursor = page.next_cursor;
  }
}
