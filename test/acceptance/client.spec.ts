import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  createClient,
  dataOf,
  LedgerError,
  newTransactionId,
  type ClientOptions,
  type LedgerClient,
  type Schemas,
} from '#client/client';
import { useService, type Household } from './household.scenario.js';

describe('the client', () => {
  const service = useService();
  let home: Household;
  let options: ClientOptions;
  let client: LedgerClient;

  before(async () => {
    home = await service.household();
    options = { url: home.service.origin, token: home.user.token, household: home.id };
    client = createClient(options);
  });

  it('calls as the caller, on the household that it was made for', async () => {
    const month: Schemas['Month'] = await dataOf(
      client.POST('/months/{month}', { params: { path: { month: '2026-01' } } }),
    );
    assert.equal(month.month, '2026-01');
    assert.deepEqual(
      (await dataOf(client.GET('/months'))).months.map(({ month }) => month),
      ['2026-01'],
    );
    const elsewhere = createClient({ ...options, household: (await service.household()).id });
    assert.deepEqual((await dataOf(elsewhere.GET('/months'))).months, []);
  });

  it('takes the address of the service with a slash at its end', async () => {
    const { response } = await createClient({ ...options, url: `${options.url}/` }).GET('/me');
    assert.equal(response.status, 200);
  });

  it('throws a refusal with its code, details and request id', async () => {
    const path = { transactionId: newTransactionId() };
    const call = client.GET('/transactions/{transactionId}', { params: { path } });
    await assert.rejects(dataOf(call), (error: unknown) => {
      assert.ok(error instanceof LedgerError);
      const { status, code, message, details, requestId } = error;
      assert.deepEqual([status, code, details], [404, 'not_found', { resource: 'transaction' }]);
      assert.ok(message !== '' && requestId !== null);
      return true;
    });
  });

  it('throws what is no answer of the service, as of a proxy, with its status', async () => {
    const proxied = createClient({
      ...options,
      fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    });
    await assert.rejects(dataOf(proxied.GET('/me')), { status: 502, code: 'unreadable' });
  });

  it('reads a list page by page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const body = {
        id: newTransactionId(),
        type: 'expense',
        amount: 5,
        date: '2026-01-01',
        merchant: 'Bakery',
      } as const;
      await dataOf(client.POST('/transactions', { body: { ...body, splits: [] } }));
      ids.unshift(body.id);
    }
    const pages: string[][] = [];
    for await (const { transactions } of client.pages('/transactions', {
      query: { view: 'untracked', limit: 2 },
    })) {
      pages.push(transactions.map(({ id }) => id));
    }
    assert.deepEqual(pages, [ids.slice(0, 2), ids.slice(2)]);
  });

  it('reads what changed since a revision, in as many pages as it takes', async () => {
    const read = async (since?: number) => {
      const pages: Schemas['SyncPage'][] = [];
      for await (const page of client.sync({ ...(since !== undefined && { since }), limit: 2 }))
        pages.push(page);
      return pages;
    };
    const pages = await read();
    assert.ok(pages.length > 1);
    const listed = await dataOf(client.GET('/transactions', { params: { query: { view: 'all' } } }));
    assert.deepEqual(
      new Set(pages.flatMap(({ transactions }) => transactions.map(({ id }) => id))),
      new Set(listed.transactions.map(({ id }) => id)),
    );
    const revision = pages.at(-1)!.revision!;
    assert.deepEqual(
      (await read(revision)).map(({ months, transactions, revision }) => [months, transactions, revision]),
      [[[], [], revision]],
    );
  });

  it('follows what others change', async () => {
    let connect: () => void;
    const connected = new Promise<void>(resolve => (connect = resolve));
    const changes = client.changes({ onConnection: () => connect() });
    const next = changes.next();
    await connected;
    await dataOf(client.POST('/months/{month}', { params: { path: { month: '2026-02' } } }));
    const { value } = await next;
    assert.deepEqual(value?.months, ['2026-02']);
    await changes.return();
  });
});
