import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { propertyRuns } from '../../../test/property-runs.js';
import { ERRORS, type ErrorCode } from './api-error.js';
import { BODY_BYTES_MAX, UNREAD_BYTES_MAX } from './request-reader.js';
import { shownEventId } from './path-params.js';
import { REQUEST_ID_MAX } from './request-log.js';
import { startTestApplication, type TestApplication } from './test-application.fixture.js';

const ID = '01JZ8Q4T0V6W2X3Y4Z5A6B7C8D';
/** An event's id. */
const EVENT = '5f0c2a3e-7d1b-4c7e-9a55-0b1f6a1d2c3e';
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const thing = {
  id: ID,
  type: 'expense',
  amount: 1250,
  date: '2026-01-02',
  merchant: 'Grocer',
  splits: [{ item_id: ID, amount: 1250 }],
};

let api: TestApplication;
before(async () => {
  api = await startTestApplication();
});
after(() => api.app.close());

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** Sends a request as a signed-in caller, a body as JSON unless it is text or bytes already. */
async function send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
  const response = await fetch(api.origin + path, {
    method,
    headers: {
      authorization: 'Bearer x',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: raw ? (body as string | Uint8Array | ReadableStream) : JSON.stringify(body),
      duplex: 'half' as const,
    }),
  });
  return answerOf(response.status, response.headers, await response.text());
}

function answerOf(status: number, headers: globalThis.Headers, text: string): Answer {
  const isJson = headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  return { status, headers, text, json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

/** Asserts the one shape of every error. */
function assertError(answer: Answer, code: ErrorCode): Record<string, unknown> {
  assert.equal(answer.json['code'], code, answer.text);
  assert.equal(answer.status, ERRORS[code].status);
  assert.deepEqual(Object.keys(answer.json), ['code', 'message', 'details', 'request_id']);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(typeof answer.json['message'], 'string');
  assert.equal(answer.json['request_id'], answer.headers.get('x-request-id'));
  assert.ok(answer.json['request_id']);
  assert.equal(answer.headers.get('www-authenticate'), answer.status === 401 ? 'Bearer' : null);
  return answer.json['details'] as Record<string, unknown>;
}

function assertInvalid(answer: Answer, ...paths: readonly string[]): void {
  const { fields } = assertError(answer, 'validation_failed') as {
    fields: { path: string; message: string }[];
  };
  assert.deepEqual(
    fields.map(({ path }) => path),
    paths,
  );
  for (const { message } of fields) assert.ok(message.length > 0);
}

/** Writes bytes to a connection of its own and reads every answer until the server closes, or `until` holds. */
function exchange(
  bytes: string | Uint8Array,
  until: (text: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket: Socket = connect(api.port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (until(text)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', error => (text === '' ? reject(error) : resolve(text)));
  });
}

/** Splits what a raw connection answered; several answers come one after the other. */
function parseRaw(text: string): Answer[] {
  const answers: Answer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    assert.ok(end > 0, `no whole answer: ${rest.slice(0, 200)}`);
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Headers(lines.map(line => line.split(/: (.*)/).slice(0, 2) as [string, string]));
    const length = Number(headers.get('content-length') ?? 0);
    answers.push(answerOf(Number(statusLine.split(' ')[1]), headers, rest.slice(end + 4, end + 4 + length)));
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

const whole = (count: number) => (text: string) =>
  text.split('HTTP/1.1').length - 1 >= count && /\r\n\r\n(\{.*\})?$/s.test(text);

describe('bodies', () => {
  it('come as instances with their fields normalised', async () => {
    const answer = await send('POST', '/v1/things', { ...thing, merchant: ' Grocer ' });
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.json, { received: thing, isInstance: true });
  });

  it('that are not JSON are refused', async () => {
    const invalidUtf8 = Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    for (const body of [
      '{',
      '{"a":}',
      'name=x',
      ' ',
      '{}{}',
      '\ufeff\ufeff{}',
      '\ufeff',
      '{\ufeff}',
      "{'a':1}",
      'NaN',
      invalidUtf8,
      '[1,',
    ]) {
      assertError(await send('PATCH', `/v1/things/${ID}`, body), 'invalid_json');
    }
    assertError(await send('PATCH', `/v1/things/${ID}`, '['.repeat(500_000)), 'invalid_json');
  });

  it('may begin with a byte order mark', async () => {
    const { json } = await send('PATCH', `/v1/things/${ID}`, '\ufeff{"name":"\ufeffx"}');
    assert.deepEqual(json['received'], { name: 'x' });
  });

  it('that are no object are refused', async () => {
    for (const body of ['null', '1', '"x"', '[]', '[{}]', 'true']) {
      assertInvalid(await send('PATCH', `/v1/things/${ID}`, body), 'body');
    }
  });

  it('of another content type are refused, and none needs a content type', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'x',
      ',',
      '/',
    ];
    for (const type of types) {
      assertError(
        await send('PATCH', `/v1/things/${ID}`, '{}', { 'content-type': type }),
        'unsupported_media_type',
      );
    }
    const untyped = `PATCH /v1/things/${ID} HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\nContent-Length: 2\r\n\r\n{}`;
    const [answer] = parseRaw(await exchange(untyped, whole(1)));
    assert.ok(answer);
    assertError(answer, 'unsupported_media_type');
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;charset="UTF-8"',
      'application/json; charset=utf8',
      'application/json; charset=us-ascii',
      'application/json; profile=x; charset=utf-8',
    ]) {
      assert.equal((await send('PATCH', `/v1/things/${ID}`, '{}', { 'content-type': type })).status, 200);
    }
    const plain = { 'content-encoding': 'Identity' };
    assert.equal((await send('PATCH', `/v1/things/${ID}`, '{}', plain)).status, 200);
    const gzip = { 'content-encoding': 'gzip' };
    assertError(await send('PATCH', `/v1/things/${ID}`, '{}', gzip), 'unsupported_media_type');
    const noBody = { 'content-type': 'text/plain' };
    assert.equal((await send('PATCH', `/v1/things/${ID}`, undefined, noBody)).status, 200);
  });

  it('over the limit are refused, announced or not, and the refusal is read', async () => {
    const fits = JSON.stringify({ name: 'x' }).padEnd(BODY_BYTES_MAX, ' ');
    assert.equal((await send('PATCH', `/v1/things/${ID}`, fits)).status, 200);
    assertError(await send('PATCH', `/v1/things/${ID}`, `${fits} `), 'payload_too_large');
    assertError(await send('PATCH', `/v1/things/${ID}`, fits.repeat(8)), 'payload_too_large');
    const stream = new Blob([fits, ' ']).stream();
    assertError(await send('PATCH', `/v1/things/${ID}`, stream), 'payload_too_large');
  });

  it('that arrive in pieces, or chunked, are read whole', async () => {
    const text = JSON.stringify({ name: 'naïve 😀' });
    const bytes = Buffer.from(text);
    const stream = new ReadableStream({
      async start(controller) {
        for (const byte of bytes) {
          controller.enqueue(Uint8Array.of(byte));
          await new Promise(setImmediate);
        }
        controller.close();
      },
    });
    const answer = await send('PATCH', `/v1/things/${ID}`, stream);
    assert.deepEqual(answer.json['received'], { name: 'naïve 😀' });
  });

  it('are refused where the route takes none, unless they are empty', async () => {
    assert.equal((await send('POST', '/v1/months/2026-01')).status, 201);
    assert.equal((await send('POST', '/v1/months/2026-01', {})).status, 201);
    assert.equal((await send('POST', '/v1/months/2026-01', '')).status, 201);
    assertInvalid(await send('POST', '/v1/months/2026-01', { month: 'x' }), 'month');
    assertInvalid(await send('DELETE', `/v1/things/${ID}`, { a: 1 }), 'a');
    assertError(await send('POST', '/v1/months/2026-01', 'x'), 'invalid_json');
    assertInvalid(await send('POST', '/v1/months/2026-01', []), 'body');
  });

  it('are not read before the guards have let the caller in', async () => {
    const withoutCredential = async (body: string, type = 'application/json') => {
      const response = await fetch(`${api.origin}/v1/things`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
        duplex: 'half',
      });
      return answerOf(response.status, response.headers, await response.text());
    };
    for (const body of ['{', '{}', 'x'.repeat(BODY_BYTES_MAX * 3)]) {
      assertError(await withoutCredential(body), 'unauthenticated');
      assertError(await withoutCredential(body, 'text/plain'), 'unauthenticated');
      assertError(await withoutCredential(body, ';;'), 'unauthenticated');
    }
    const head =
      'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';
    const [answer] = parseRaw(await exchange(head, whole(1)));
    assert.ok(answer);
    assertError(answer, 'unauthenticated');
  });

  it('that nobody read leave the connection usable', async () => {
    const body = 'x'.repeat(70_000);
    const refused = `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const next = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
    const [first, second] = parseRaw(await exchange(refused + next, whole(2)));
    assert.ok(first && second);
    assertError(first, 'unauthenticated');
    assert.deepEqual(second.json, { status: 'ok' });
  });

  it('without an end are cut off', async () => {
    const head = 'POST /v1/things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const cut = await new Promise<number>(resolve => {
      let sent = 0;
      const socket = connect(api.port, '127.0.0.1', () => socket.write(head, more));
      const more = (): void => {
        if (socket.destroyed) return;
        socket.write(
          Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
          more,
        );
        sent += chunk.length;
      };
      socket
        .on('error', () => socket.destroy())
        .on('close', () => resolve(sent))
        .resume();
    });
    assert.ok(cut >= UNREAD_BYTES_MAX && cut < UNREAD_BYTES_MAX * 3, `${cut}`);
  });

  it('are asked for only when they are wanted', async () => {
    const ask = (authorization: string) =>
      `PATCH /v1/things/${ID} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`;
    const refused = await exchange(ask(''), whole(1));
    assert.match(refused, /^HTTP\/1\.1 401/);
    const wanted = await exchange(ask('Authorization: x\r\n'), text => text.includes('\r\n\r\n'));
    assert.match(wanted, /^HTTP\/1\.1 100 Continue/);
    const other = await exchange('GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n', whole(1));
    assert.match(other, /^HTTP\/1\.1 200/);
  });
});

describe('path and query', () => {
  it("take an event's id, and the UUID that it stands for in any letter case", async () => {
    for (const [sent, read] of [
      [ID, ID],
      [EVENT, shownEventId(EVENT)],
      [EVENT.toUpperCase(), shownEventId(EVENT)],
    ]) {
      const { status, json } = await send('POST', `/v1/activity/${sent}/undo`);
      assert.deepEqual([status, json['received']], [202, { eventId: read }]);
    }
  });

  it('that are malformed are refused by name, together with the body', async () => {
    assertInvalid(await send('PATCH', '/v1/things/xyz', { color: 'red', a: 1 }), 'thingId', 'color', 'a');
    assertInvalid(await send('POST', '/v1/months/2026-13?x=1', { y: 1 }), 'month', 'x', 'y');
    for (const id of ['not-a-uuid', EVENT.replaceAll('-', ''), `${EVENT}0`, ID.toLowerCase()]) {
      assertInvalid(await send('POST', `/v1/activity/${id}/undo`), 'eventId');
    }
    assertInvalid(await send('DELETE', `/v1/things/${ID.toLowerCase()}`), 'thingId');
    assertInvalid(await send('DELETE', `/v1/things/${ID}%2F..`), 'thingId');
    assertInvalid(await send('DELETE', `/v1/things/${'9'.repeat(5000)}`), 'thingId');
  });

  it('take each declared parameter once', async () => {
    const { json } = await send(
      'GET',
      `/v1/things?view=tracked&q=${encodeURIComponent(' %_\\.* ')}&limit=200`,
    );
    assert.deepEqual(json['received'], { view: 'tracked', q: '%_\\.*', limit: 200 });
    assertInvalid(await send('GET', '/v1/things?view=tracked&view=tracked'), 'view');
    assertInvalid(await send('GET', '/v1/things?view=tracked&views=x&__proto__=1'), 'views', '__proto__');
    assertInvalid(await send('GET', '/v1/things'), 'view');
    assertInvalid(await send('GET', '/v1/things?view=tracked&limit[]=5'), 'limit[]');
    assertInvalid(await send('GET', `/v1/things?view=tracked&q=${'😀'.repeat(101)}`), 'q');
    assert.equal((await send('GET', `/v1/things?view=tracked&q=${'😀'.repeat(100)}`)).status, 200);
    assertInvalid(await send('GET', '/v1/things?view=tracked&q=%00'), 'q');
    assertInvalid(await send('DELETE', `/v1/things/${ID}?force=true`), 'force');
  });

  it('that do not decode name nothing', async () => {
    for (const path of ['/v1/%zz', '/%', '/%41%ff']) {
      assertError(await send('GET', path), 'not_found');
    }
    assertInvalid(await send('DELETE', '/v1/things/%c3%28?force=%zz'), 'thingId', 'force');
    for (const text of ['%FF', '%zz', 'a%', '%E0%A4%A', '%C0%80', '%ED%A0%80']) {
      assertInvalid(await send('GET', `/v1/things?view=tracked&q=${text}`), 'q');
      assertInvalid(await send('GET', `/v1/things?view=tracked&${text}=1&q=x`), text);
    }
    assert.equal((await send('GET', '/v1/things?view=tracked&q=%25%2b%E2%82%AC+1')).status, 200);
    const [nowhere] = parseRaw(
      await exchange('GET http:///v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    );
    assertInvalid(nowhere!, 'path');
  });
});

describe('errors', () => {
  it('of unknown routes are the same', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nope'],
      ['GET', '/'],
      ['GET', '/things'],
      ['GET', '/v1/things/'],
      ['PUT', '/v1/nope'],
      ['PATCH', '/v1/things/'],
      ['PROPFIND', '/v1/things/x/y'],
      ['GET', '/docs/../package.json'],
      ['GET', '/docs/%2e%2e/package.json'],
    ] as const) {
      assert.deepEqual(assertError(await send(method, path), 'not_found'), { resource: 'route' });
    }
    assert.deepEqual(assertError(await send('POST', '/v1/nope', '{'), 'not_found'), { resource: 'route' });
  });

  it('of a wrong method name those that the path takes, for every caller', async () => {
    for (const [method, path, allowed] of [
      ['PUT', '/v1/things', 'GET, HEAD, POST'],
      ['PROPFIND', '/v1/things?view=tracked', 'GET, HEAD, POST'],
      ['PUT', '/v1/%74hings', 'GET, HEAD, POST'],
      ['GET', '/v1/things/not-an-id', 'DELETE, PATCH'],
      ['POST', '/v1/things/%zz', 'DELETE, PATCH'],
      ['DELETE', '/v1/months/2026-01', 'POST'],
      ['POST', '/health/live', 'GET, HEAD'],
      ['POST', '/docs', 'GET, HEAD'],
    ] as const) {
      for (const headers of [{}, { authorization: '' }]) {
        const answer = await send(method, path, method === 'PUT' ? '{' : undefined, headers);
        assert.deepEqual(assertError(answer, 'method_not_allowed'), {});
        assert.equal(answer.headers.get('allow'), allowed, path);
      }
    }
  });

  it('of the libraries below are known by their shape', async () => {
    const refusal = await send('GET', '/v1/failures?kind=refusal');
    assert.deepEqual(assertError(refusal, 'month_full'), { n: 1 });
    assert.equal(refusal.json['message'], 'Pay the rent first.');
    assert.deepEqual(assertError(await send('GET', '/v1/failures?kind=not-found'), 'not_found'), {
      resource: 'month',
    });
    const unavailable = await send('GET', '/v1/failures?kind=unavailable');
    assertError(unavailable, 'unavailable');
    assert.match(unavailable.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/);
    assert.ok(!unavailable.text.includes('internals'));
  });

  it('of our own making tell nothing, and are logged once with their stack', async () => {
    for (const kind of ['bug', 'text', 'forbidden', 'unknown-refusal']) {
      const answer = await send('GET', `/v1/failures?kind=${kind}`);
      assert.deepEqual(assertError(answer, 'internal'), {});
      assert.ok(!answer.text.includes('secret'));
      const lines = api.log.filter(
        line => line['request_id'] === answer.json['request_id'] && line['msg'] === 'request failed',
      );
      assert.equal(lines.length, 1);
      assert.ok(JSON.stringify(lines[0]).includes('secret internals'));
    }
  });

  it('of what is no HTTP have the same shape, on a connection that is then closed', async () => {
    for (const [bytes, code] of [
      ['NONSENSE\r\n\r\n', 'malformed_request'],
      ['FETCH /v1/things HTTP/1.1\r\nHost: x\r\n\r\n', 'malformed_request'],
      ['GET /v1/things HTTP/1.1\r\n\r\n', 'malformed_request'],
      ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 'malformed_request'],
      [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'headers_too_large'],
      [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
    ] as const) {
      const [answer] = parseRaw(await exchange(bytes));
      assert.ok(answer, bytes.slice(0, 50));
      assertError(answer, code);
      assert.equal(answer.headers.get('connection'), 'close');
    }
  });
});

describe('request ids', () => {
  it('are the caller’s own where they may be', async () => {
    for (const own of ['a', 'trace-1:2/3', '~'.repeat(REQUEST_ID_MAX)]) {
      const answer = await send('GET', '/v1/nope', undefined, { 'x-request-id': own });
      assert.equal(answer.json['request_id'], own);
      assertError(answer, 'not_found');
    }
  });

  it('are new ULIDs otherwise, on every kind of answer', async () => {
    const seen = new Set<string>();
    for (const own of ['', 'two words', 'tab\there', 'x'.repeat(REQUEST_ID_MAX + 1), 'é']) {
      const { headers } = await send('GET', '/v1/nope', undefined, { 'x-request-id': own });
      seen.add(headers.get('x-request-id') ?? '');
    }
    for (const [method, path] of [
      ['GET', '/health/live'],
      ['OPTIONS', '/v1/things'],
      ['DELETE', `/v1/things/${ID}`],
      ['GET', '/v1/%zz'],
      ['HEAD', '/docs'],
    ] as const) {
      seen.add((await send(method, path)).headers.get('x-request-id') ?? '');
    }
    assert.equal(seen.size, 10);
    for (const id of seen) assert.match(id, ULID);
  });
});

describe('methods and origins', () => {
  it('answers HEAD as GET without a body', async () => {
    const { status, text, headers } = await send('HEAD', '/v1/things?view=tracked');
    assert.deepEqual([status, text], [200, '']);
    assert.ok(Number(headers.get('content-length')) > 0);
    assert.equal((await send('HEAD', '/v1/nope')).status, 404);
    const onlyPost = await send('HEAD', '/v1/months/2026-01');
    assert.deepEqual([onlyPost.status, onlyPost.text, onlyPost.headers.get('allow')], [405, '', 'POST']);
  });

  it('answers OPTIONS anywhere with 204 and lets any origin call, never with credentials', async () => {
    const origin = { origin: 'https://elsewhere.example', 'access-control-request-method': 'PATCH' };
    for (const path of ['/v1/things', `/v1/things/${ID}`, '/v1/nope']) {
      const { status, headers } = await send('OPTIONS', path, undefined, origin);
      assert.equal(status, 204);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('access-control-allow-credentials'), null);
      assert.match(headers.get('access-control-allow-methods') ?? '', /PATCH/);
      const allowed =
        path === '/v1/nope' ? null : path === '/v1/things' ? 'GET, HEAD, POST' : 'DELETE, PATCH';
      assert.equal(headers.get('allow'), allowed);
      for (const name of [
        'Authorization',
        'Content-Type',
        'X-Service-Household',
        'Idempotency-Key',
        'If-Match',
      ]) {
        assert.ok(headers.get('access-control-allow-headers')?.includes(name), name);
      }
    }
    for (const path of ['/v1/things?view=tracked', '/v1/nope', '/v1/%zz']) {
      const { headers } = await send('GET', path, undefined, origin);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      for (const name of [
        'X-Request-Id',
        'Idempotent-Replay',
        'Dry-Run',
        'Retry-After',
        'X-RateLimit-Reset',
        'ETag',
      ]) {
        assert.ok(headers.get('access-control-expose-headers')?.includes(name), name);
      }
    }
  });

  it('lets no answer be framed, sniffed, kept by a shared cache or told to others as the page before', async () => {
    for (const [method, path] of [
      ['GET', '/health/live'],
      ['GET', '/v1/things?view=tracked'],
      ['DELETE', `/v1/things/${ID}`],
      ['OPTIONS', '/v1/things'],
      ['GET', '/v1/nope'],
      ['GET', '/v1/failures?kind=bug'],
      ['GET', '/v1/%zz'],
    ] as const) {
      const { headers } = await send(method, path);
      assert.deepEqual(
        ['cache-control', 'content-security-policy', 'referrer-policy', 'x-content-type-options'].map(name =>
          headers.get(name),
        ),
        ['private, no-cache', "default-src 'none'; frame-ancestors 'none'", 'no-referrer', 'nosniff'],
        path,
      );
    }
  });

  it('answers HTTP/1.0, which has no Host', async () => {
    const [answer] = parseRaw(await exchange('GET /health/live HTTP/1.0\r\n\r\n'));
    assert.deepEqual(answer?.json, { status: 'ok' });
  });

  it('answers with the status that the route declares, or chooses', async () => {
    assert.equal((await send('POST', '/v1/months/2026-01')).status, 201);
    const replay = await send('POST', '/v1/months/2026-02');
    assert.deepEqual([replay.status, replay.headers.get('idempotent-replay')], [200, 'true']);
    const removed = await send('DELETE', `/v1/things/${ID}`);
    assert.deepEqual([removed.status, removed.text, removed.headers.get('content-type')], [204, '', null]);
  });
});

describe('the log', () => {
  it('has one line a request, with the route’s pattern and no content', async () => {
    const id = 'log-1';
    await send('GET', '/v1/things?view=tracked&q=secret-search', undefined, {
      'x-request-id': id,
      authorization: 'Bearer secret-token',
      cookie: 'session=secret-cookie',
    });
    await send('PATCH', `/v1/things/${ID}`, { password: 'secret-password' }, { 'x-request-id': id });
    const lines = api.log.filter(line => line['request_id'] === id);
    assert.deepEqual(
      lines.map(({ method, route, status, user_id }) => ({ method, route, status, user_id })),
      [
        { method: 'GET', route: '/v1/things', status: 200, user_id: 'user-1' },
        { method: 'PATCH', route: '/v1/things/:thingId', status: 200, user_id: 'user-1' },
      ],
    );
    assert.ok(lines.every(({ ms }) => typeof ms === 'number'));
    assert.ok(!JSON.stringify(api.log).includes('secret-'));
  });

  it('warns of our own faults, and is silent about what machines ask every few seconds', async () => {
    const levels: unknown[] = [];
    for (const path of [
      '/v1/failures?kind=bug',
      '/v1/failures?kind=unavailable',
      '/v1/nope',
      '/health/live',
    ]) {
      const id = `level-of-${path.replaceAll('/', '-')}`;
      await send('GET', path, undefined, { 'x-request-id': id });
      const lines = api.log.filter(line => line['request_id'] === id && line['msg'] === 'request');
      levels.push(lines.map(({ level }) => level));
    }
    assert.deepEqual(levels, [[40], [40], [30], []]);
  });
});

describe('the API reference', () => {
  it('is a valid OpenAPI 3.1 document with every route, its access, errors and examples', async () => {
    const { json, headers } = await send('GET', '/openapi.json');
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    const result = await new Validator().validate(json);
    assert.deepEqual(result.errors, undefined);
    assert.ok(result.valid);
    assert.equal(json['openapi'], '3.1.0');
    const paths = json['paths'] as Record<string, Record<string, Record<string, unknown>>>;
    const create = paths['/things']?.['post'];
    assert.deepEqual(create?.['x-required-scope'], ['transactions:write']);
    assert.deepEqual(create?.['security'], [
      { token: ['transactions:write'] },
      { session: [] },
      { cookie: [] },
    ]);
    assert.deepEqual(
      Object.keys(create?.['responses'] as object).map(Number),
      [200, 201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
    );
    assert.deepEqual(paths['/things']?.['get']?.['security'], [
      { token: ['budget:read'] },
      { token: ['transactions:read'] },
      { session: [] },
      { cookie: [] },
    ]);
    assert.deepEqual(paths['/things/{thingId}']?.['delete']?.['security'], [{ session: [] }, { cookie: [] }]);
    assert.deepEqual(paths['/activity/{eventId}/undo']?.['post']?.['security'], []);
    assert.ok(paths['/health/ready']);
  });

  it('says by what a bearer token is known', async () => {
    const { json } = await send('GET', '/openapi.json');
    const { securitySchemes } = json['components'] as {
      readonly securitySchemes: Record<string, { readonly bearerFormat?: string }>;
    };
    const formats = Object.entries(securitySchemes).map(([name, { bearerFormat }]) => [name, bearerFormat]);
    assert.deepEqual(formats, [
      ['token', 'hbp_…'],
      ['session', 'hbs_…'],
      ['cookie', undefined],
    ]);
  });
});

describe('whatever is sent', () => {
  const anyPath = fc.oneof(
    fc.constantFrom('/v1/things', `/v1/things/${ID}`, '/v1/months/2026-01', '/v1/things?view=tracked'),
    fc.webPath().map(path => `/v1${path}`),
    fc.string({ maxLength: 50 }).map(text => `/v1/things?view=tracked&q=${encodeURIComponent(text)}`),
  );
  const anyBody = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json({ maxDepth: 4 }),
    fc.jsonValue().map(value => JSON.stringify({ ...thing, splits: value, note: value })),
  );

  it('is never answered with a fault of ours', async () => {
    const method = fc.constantFrom('POST', 'PATCH', 'PUT', 'DELETE', 'PROPFIND');
    const type = fc.constantFrom(
      'application/json',
      'text/plain',
      'application/json; charset=utf-16',
      'a/b;c="',
    );
    await fc.assert(
      fc.asyncProperty(method, anyPath, anyBody, type, async (verb, path, body, contentType) => {
        const answer = await send(verb, path, body, { 'content-type': contentType });
        assert.ok(answer.status < 500, answer.text);
        if (answer.status >= 400) assertError(answer, answer.json['code'] as ErrorCode);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('as raw bytes is answered or cut off, and the server lives on', async () => {
    const raw = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc
        .string({ unit: 'binary-ascii', maxLength: 200 })
        .map(text => Buffer.from(`GET /v1/${text} HTTP/1.1\r\n${text}\r\n\r\n`)),
    );
    await fc.assert(
      fc.asyncProperty(raw, async bytes => {
        // Two line ends after garbage make the parser give its verdict at once.
        const text = await exchange(
          Buffer.concat([bytes, Buffer.from('\r\n\r\n\r\n\r\n')]),
          answer => answer !== '',
        );
        assert.match(text, /^HTTP\/1\.1 [24]/);
      }),
      { numRuns: propertyRuns(100) },
    );
    assert.equal((await send('GET', '/health/live')).status, 200);
  });
});
