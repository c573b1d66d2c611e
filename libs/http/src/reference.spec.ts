import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApplication, type TestApplication } from './test-application.fixture.js';

type Json = Readonly<Record<string, unknown>>;

interface PageDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, Json>> };
}

interface Operation {
  readonly security?: readonly Json[];
  readonly parameters?: readonly Json[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers?: Json }>>;
}

describe('The reference page', () => {
  let api: TestApplication;
  before(async () => {
    api = await startTestApplication();
  });
  after(() => api.app.close());

  async function text(address: string): Promise<string> {
    const response = await fetch(new URL(address, api.origin));
    assert.equal(response.status, 200, address);
    return response.text();
  }

  async function loaded(): Promise<PageDocument> {
    return JSON.parse(await text('/docs/openapi.json')) as PageDocument;
  }

  function operations({ paths }: PageDocument): Operation[] {
    return Object.values(paths).flatMap(item =>
      Object.entries(item).flatMap(([method, operation]) => (method === 'servers' ? [] : [operation])),
    );
  }

  for (const path of ['/docs', '/docs/']) {
    it(`loads at ${path} what it names, whatever prefix a proxy adds`, async () => {
      const page = await text(path);
      const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '');
      assert.ok(sources.length >= 4);
      for (const source of sources) {
        assert.match(source, /^\.\//);
        const behindProxy = new URL(source, `https://proxy.example/ledger${path}`).pathname;
        assert.match(behindProxy, /^\/ledger\/docs\/[^/]+$/);
        const response = await fetch(api.origin + behindProxy.replace('/ledger', ''));
        assert.equal(response.status, 200, source);
        assert.match(response.headers.get('content-type') ?? '', /^(text\/(css|javascript); |image\/png)/);
        assert.ok((await response.text()).length > 100);
      }
    });

    it(`runs at ${path} neither scripts nor styles of another host, or that stand in it`, async () => {
      const response = await fetch(api.origin + path);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      const policy = response.headers.get('content-security-policy') ?? '';
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
      ]) {
        assert.ok(policy.split('; ').includes(part), part);
      }
      assert.doesNotMatch(policy, /unsafe|https?:|\*/);
      assert.doesNotMatch(await response.text(), /<script>|<style|\sstyle=|\son\w+=/);
    });
  }

  it('has no other files', async () => {
    for (const path of [
      '/docs/nothing.js',
      '/docs/swagger-ui.js',
      '/docs/docs/page.js',
      '/docs/package.json',
    ]) {
      assert.equal((await fetch(api.origin + path)).status, 404, path);
    }
  });

  it('keeps the token when it is loaded again, and finds operations by more than their tag', async () => {
    const script = await text('/docs/page.js');
    assert.match(script, /persistAuthorization: true/);
    assert.match(script, /filter: true/);
    assert.match(script, /opsFilter/);
    assert.match(script, /new URL\('openapi\.json', document\.currentScript\.src\)/);
  });

  it('asks for one credential, a bearer token, which every guarded operation takes', async () => {
    const document = await loaded();
    const schemes = Object.values(document.components.securitySchemes);
    assert.deepEqual(
      schemes.map(({ type, scheme }) => [type, scheme]),
      [['http', 'bearer']],
    );
    const needed = operations(document).map(({ security }) => JSON.stringify(security));
    assert.deepEqual([...new Set(needed)].sort(), ['[]', '[{"token":[]}]']);
  });

  it('calls the API below the prefix that the page has', async () => {
    const document = await loaded();
    const base = 'https://proxy.example/ledger/docs/openapi.json';
    assert.equal(new URL(document.servers[0]!.url, base).pathname, '/ledger/v1');
    const [health] = (document.paths['/health/live'] as unknown as PageDocument).servers;
    assert.equal(new URL(health!.url, base).pathname, '/ledger/');
  });

  it('has examples of the current month, where the description has a fixed one', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const example = ({ paths }: PageDocument): unknown => {
      const [parameter] = paths['/months/{month}']!['post']!.parameters!;
      return (parameter!['schema'] as Json)['example'];
    };
    assert.equal(example(await loaded()), month);
    const dates = (await text('/docs/openapi.json')).match(/"\d{4}-\d\d-15/g) ?? [];
    assert.ok(dates.length > 0 && dates.every(date => date === `"${month}-15`), dates.join());
    assert.equal(example(JSON.parse(await text('/openapi.json')) as PageDocument), '2026-01');
  });

  it('lists the errors of an operation once', async () => {
    const document = await loaded();
    for (const { responses } of operations(document)) {
      const errors = Object.keys(responses).filter(status => status === 'default' || Number(status) >= 400);
      assert.deepEqual(
        errors.filter(status => status !== '503'),
        ['default'],
      );
      assert.match(responses['default']!.description, /^Errors: 400 `invalid_json`, .*500 `internal`/);
    }
    const { responses } = document.paths['/things']!['post']!;
    assert.deepEqual(Object.keys(responses['200']!.headers ?? {}), ['Idempotent-Replay']);
  });
});
