import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, dataOf, newTransactionId, type ClientOptions } from './client.js';

/** A service that gives these answers, the last one again and again, and keeps what it was asked. */
function service(...answers: readonly (() => Response)[]) {
  const requests: { readonly key: string | null; readonly body: unknown; readonly at: number }[] = [];
  const fetch: ClientOptions['fetch'] = async request => {
    const text = await request.text();
    const body: unknown = text === '' ? null : JSON.parse(text);
    requests.push({ key: request.headers.get('Idempotency-Key'), body, at: performance.now() });
    return answers[Math.min(requests.length, answers.length) - 1]!();
  };
  return { requests, client: createClient({ url: 'http://ledger.test', fetch }) };
}

function later(status: number, seconds: number): () => Response {
  const body = { code: 'unavailable', message: 'Later.', details: {}, request_id: 'r' };
  return () => Response.json(body, { status, headers: { 'Retry-After': String(seconds) } });
}

const done = (): Response => Response.json({});
const month = { params: { path: { month: '2026-01' } } };

describe('a call that is refused for a while', () => {
  it('is sent again after the time that the service names, with the same id', async () => {
    const { requests, client } = service(later(429, 1), later(503, 0), done);
    const id = newTransactionId();
    const body = {
      id,
      type: 'expense' as const,
      amount: 1,
      date: '2026-01-01',
      merchant: 'Bakery',
      splits: [],
    };
    await dataOf(client.POST('/transactions', { body }));
    assert.deepEqual(
      requests.map(request => request.body),
      [body, body, body],
    );
    assert.ok(requests[1]!.at - requests[0]!.at >= 990);
  });

  it('is sent again with the same key, its own or one made for it', async () => {
    const { requests, client } = service(later(503, 0), done);
    await dataOf(client.POST('/months/{month}', month));
    assert.match(requests[0]!.key ?? '', /^[0-9A-Z]{26}$/);
    assert.equal(requests[1]!.key, requests[0]!.key);
    const own = { params: { ...month.params, header: { 'Idempotency-Key': 'mine' } } };
    await dataOf(client.POST('/months/{month}', own));
    assert.equal(requests[2]!.key, 'mine');
  });

  it('gives up where it would have to wait longer than the caller does', async () => {
    const { requests, client } = service(later(429, 61), done);
    await assert.rejects(dataOf(client.GET('/me')), { status: 429 });
    assert.equal(requests.length, 1);
  });

  it('ends its wait when the caller does', async () => {
    const { client } = service(later(503, 30));
    const reason = new Error('left');
    const leaving = new AbortController();
    const call = client.GET('/me', { signal: leaving.signal });
    setTimeout(() => leaving.abort(reason), 20);
    await assert.rejects(call, reason);
  });

  it('is answered at once where the service names no time, and where reading has no key', async () => {
    const { requests, client } = service(() => new Response('', { status: 503 }));
    await assert.rejects(dataOf(client.GET('/me')), { status: 503, code: 'unreadable' });
    assert.deepEqual(
      requests.map(({ key }) => key),
      [null],
    );
  });
});
