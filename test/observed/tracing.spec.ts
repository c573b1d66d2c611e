// What a collector of traces is told by the whole server, and what the server makes of a collector that is away.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LedgerProcess } from '../ledger-process.js';
import { Budget } from '../processes/budget.scenario.js';
import { forgetReadModels } from '../forgotten-read-models.js';
import { freePort } from '../servers/free-port.js';
import { TraceCollector, type CollectedSpan } from './trace-collector.scenario.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

/** Prints, when the program ends, how many modules of OpenTelemetry's SDK it had loaded; its threads load this as well. */
const COUNTING = `data:text/javascript,${encodeURIComponent(
  "import { createRequire } from 'node:module'; import { isMainThread } from 'node:worker_threads'; if (isMainThread) process.on('exit', () => { const loaded = Object.keys(createRequire('file:///').cache).filter(file => /@opentelemetry.(sdk-trace|otlp|exporter)/.test(file)); process.stderr.write(`otel modules: ${loaded.length};`); });",
)}`;

describe('tracing', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tracing-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const start = (endpoint: string): Promise<LedgerProcess> =>
    LedgerProcess.start({ directory, environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });

  it('tells of a request below its caller, with the command, and the commit of its events and documents below it', async () => {
    const collector = await TraceCollector.start();
    const server = await start(collector.url);
    const token = await server.signUp(directory, 'ada.of.the.traces@example.com');
    const budget = await Budget.begin(server, token);
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, 'X-Request-Id': 'asked-by-a-test' };
    const name = 'A name nobody else has';
    const added = await server.call('POST', '/months/2026-01/groups', { token, body: { name }, headers });
    assert.equal(added.status, 201);
    await budget.get(server, '/transactions?view=tracked&q=sought-text');
    assert.equal((await server.call('POST', '/months/2026-01/groups', { body: { name } })).status, 401);
    // What is gathered is sent at the end, without waiting for the next batch.
    assert.equal(await server.end('SIGTERM'), 0);
    const spans = collector.spans();
    await collector.stop();

    const ours = spans.filter(({ traceId }) => traceId === TRACE);
    const request = only(ours, 'POST /v1/months/:month/groups');
    assert.deepEqual([request.parentSpanId, request.kind], [CALLER, 2]);
    assert.deepEqual(request.attributes, {
      'http.request.method': 'POST',
      'http.route': '/v1/months/:month/groups',
      'http.response.status_code': 201,
      'ledger.request_id': 'asked-by-a-test',
    });
    const command = only(ours, 'execute AddGroup');
    assert.equal(command.parentSpanId, request.spanId);
    const commit = only(ours, 'commit events');
    assert.equal(commit.parentSpanId, command.spanId);
    const { 'ledger.events': events, 'ledger.documents': documents } = commit.attributes;
    assert.deepEqual([events, Number(documents) > 0], [1, true]);
    assert.ok(
      ours.some(
        span => span.attributes['db.operation.name'] === 'get' && span.parentSpanId === request.spanId,
      ),
    );
    assert.ok(!spans.some(span => span.name.includes('/health')));
    const refused = spans.find(span => span.attributes['http.response.status_code'] === 401)!;
    assert.notEqual(refused.traceId, TRACE);
    assert.deepEqual([...collector.paths], ['/v1/traces']);
    for (const secret of [token, name, 'ada.of.the', 'Ann', 'a-lighthouse', 'sought-text', 'Bakery']) {
      assert.ok(!collector.bodies.join().includes(secret), `${secret} was sent`);
    }
  });

  it('tells of the events that a start finds to project', async () => {
    const collector = await TraceCollector.start();
    const first = await start(collector.url);
    await Budget.begin(first, await first.signUp(directory, 'bea@example.com'));
    assert.equal(await first.end('SIGTERM'), 0);
    // Without read models all of the log is projected again.
    forgetReadModels(directory);
    const second = await start(collector.url);
    await second.ready();
    assert.equal(await second.end('SIGTERM'), 0);
    const spans = collector.spans();
    await collector.stop();
    assert.ok(spans.some(span => span.name === 'project events' && span.parentSpanId === undefined));
  });

  it('does not disturb requests or the end while the collector is away', async () => {
    const silent = await TraceCollector.start(false);
    const endpoints = { absent: `http://127.0.0.1:${await freePort()}`, silent: `${silent.url}/` };
    for (const [collector, endpoint] of Object.entries(endpoints)) {
      const server = await start(endpoint);
      const token = await server.signUp(directory, `${collector}@example.com`);
      const budget = await Budget.begin(server, token);
      for (let call = 0; call < 30; call++) assert.equal((await budget.spend(server)).status, 201);
      if (collector === 'absent') {
        await server.until(
          async () => server.said.includes('traces cannot be sent'),
          'to tell of lost traces',
        );
      } else await server.until(async () => silent.bodies.length > 0, 'to send traces');
      assert.equal(await server.end('SIGTERM'), 0);
    }
    await silent.stop();
  });

  it('loads nothing of it without a collector', async () => {
    const collector = await TraceCollector.start();
    const counts: number[] = [];
    for (const environment of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }]) {
      const server = await LedgerProcess.start({ directory, environment, execArgv: ['--import', COUNTING] });
      await server.ready();
      assert.equal(await server.end('SIGTERM'), 0);
      counts.push(Number(/otel modules: (\d+);/.exec(server.said)?.[1]));
    }
    await collector.stop();
    assert.equal(counts[0], 0);
    assert.ok(counts[1]! > 10);
  });
});

function only(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.filter(span => span.name === name);
  assert.equal(found.length, 1, `${name} among ${spans.map(span => span.name).join(', ')}`);
  return found[0]!;
}
