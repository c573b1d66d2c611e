// What can be checked of docker/ without an engine: the compose files against the schema of their specification and
// against our own rules, the secrets that the script makes against the configuration that reads them, the health
// check against a server, and the Dockerfile against the files that it copies.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { parseMongoUrl } from '#storage/mongodb/mongo-url';
import { parseConnectionUrl } from '#storage/eventstoredb/connection-url';
import { parseConfiguration } from '#runtime/configuration';

/** Compiled tests stand in dist/test. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Service {
  readonly image?: string;
  readonly build?: unknown;
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly configs?: Readonly<Record<string, { readonly file: string }>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}

function text(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function composeFile(name: string): ComposeFile {
  return parse(text(`docker/${name}`), { merge: true }) as ComposeFile;
}

type Mapping = Readonly<Record<string, unknown>>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As the specification merges files: mappings by key, lists joined, commands and tests replaced. */
function merged(base: unknown, over: unknown, key = ''): unknown {
  if (isMapping(base) && isMapping(over)) {
    const keys = [...new Set([...Object.keys(base), ...Object.keys(over)])];
    return Object.fromEntries(keys.map(name => [name, merged(base[name], over[name], name)]));
  }
  const replaced = ['command', 'entrypoint', 'test'].includes(key);
  if (Array.isArray(base) && Array.isArray(over) && !replaced) {
    return [...new Set<unknown>([...(base as unknown[]), ...(over as unknown[])])];
  }
  return over === undefined ? base : over;
}

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
const { $schema: _, ...schema } = JSON.parse(text('test/fixtures/compose-spec/compose-spec.json')) as Mapping;
const validate = ajv.compile(schema);

function schemaErrors(file: unknown): string[] {
  return validate(file) ? [] : (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`);
}

/** What our own rules find wrong. */
function faults(file: ComposeFile): string[] {
  return Object.entries(file.services).flatMap(([name, service]) =>
    [...faultsOfImage(service), ...faultsOfReferences(file, service), ...faultsOfSecrecy(service)].map(
      fault => `${name}: ${fault}`,
    ),
  );
}

function faultsOfImage(service: Service): string[] {
  const { image, build, healthcheck, restart, ports = [] } = service;
  const found: string[] = [];
  // A tag that names at least major and minor version; `${NAME:-1.2.3}` counts by its default.
  if (!/:(?:\$\{\w+:-)?v?\d+\.\d+[\w.-]*\}?$/.test(image ?? '')) found.push(`image ${image} is not pinned`);
  if (image?.startsWith('household-ledger:') && build === undefined) found.push('our own image is not built');
  const runsOnce = restart === 'no';
  if (!runsOnce && !healthcheck?.test?.length) found.push('no health check');
  if (restart === undefined) found.push('no restart policy');
  // `ledger projections verify`, run in the container, folds households below it.
  if (service.read_only && !service.tmpfs?.includes('/tmp')) found.push('no /tmp can be written');
  for (const port of ports)
    if (!port.startsWith('127.0.0.1:')) found.push(`port ${port} is open to the network`);
  return found;
}

function faultsOfReferences(file: ComposeFile, service: Service): string[] {
  const missing = (kind: string, names: readonly string[], declared: object = {}): string[] =>
    names.filter(name => !(name in declared)).map(name => `${kind} ${name} is not declared`);
  const volumes = (service.volumes ?? []).map(volume => volume.split(':')[0] ?? '');
  const awaited = Object.entries(service.depends_on ?? {});
  const unmet = awaited.filter(([name, { condition }]) => {
    const { healthcheck, restart } = file.services[name] ?? {};
    return condition === 'service_healthy' ? !healthcheck?.test : restart !== 'no';
  });
  return [
    ...missing('network', service.networks ?? [], file.networks),
    ...missing('volume', volumes, file.volumes),
    ...missing('secret', service.secrets ?? [], file.secrets),
    ...missing(
      'config',
      (service.configs ?? []).map(({ source }) => source),
      file.configs,
    ),
    ...missing(
      'service',
      awaited.map(([name]) => name),
      file.services,
    ),
    ...unmet.map(([name, { condition }]) => `${name} never becomes ${condition}`),
  ];
}

/** Secrets come as files: no variable holds one, and none is named that is not mounted. */
function faultsOfSecrecy({ environment = {}, secrets = [] }: Service): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const file = /^\/run\/secrets\/(.+)$/.exec(value)?.[1];
    if (file !== undefined)
      return secrets.includes(file) ? [] : [`${name} names a secret that is not mounted`];
    if (/PASSWORD|SECRET|TOKEN|_KEY$/.test(name)) return [`${name} holds a secret`];
    return /:\/\/[^/?#]*@/.test(value) ? [`${name} holds a URL with a password`] : [];
  });
}

/** An environment as Compose makes it where nothing is set but what must be. */
function withDefaults(environment: Service['environment'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([variable, value]) => [
      variable,
      value
        .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
        .replaceAll(/\$\{ALLOWED_EMAILS:\?[^}]*\}/g, 'you@example.org'),
    ]),
  );
}

const base = composeFile('compose.yaml');
const over = composeFile('compose.tls.yaml');
const secure = merged(base, over) as ComposeFile;
const standalone = composeFile('compose.standalone.yaml');

describe('the compose files', () => {
  it('fit the schema of the Compose Specification', () => {
    assert.deepEqual(schemaErrors(base), []);
    assert.deepEqual(schemaErrors(over), []);
    assert.deepEqual(schemaErrors(secure), []);
    assert.deepEqual(schemaErrors(standalone), []);
  });

  it('keep our rules, alone and one over the other', () => {
    assert.deepEqual(faults(base), []);
    assert.deepEqual(faults(secure), []);
    assert.deepEqual(faults(standalone), []);
  });

  it('need nothing but one container and one volume for one machine', () => {
    const { services, volumes, networks, secrets, configs } = standalone;
    assert.deepEqual(Object.keys(services), ['ledger']);
    assert.deepEqual(Object.keys(volumes ?? {}), ['data']);
    assert.deepEqual([networks, secrets, configs], [undefined, undefined, undefined]);
    const { eventStoreUrl, mongodbUrl, redisUrl, smtpUrl } = parseConfiguration(
      withDefaults(services['ledger']?.environment),
    );
    assert.deepEqual([eventStoreUrl, mongodbUrl, redisUrl, smtpUrl], [null, null, null, null]);
  });

  const broken: readonly (readonly [string, unknown, RegExp])[] = [
    ['an image without a version', { image: 'redis:latest' }, /image redis:latest is not pinned/],
    ['an image by its major version', { image: 'redis:7' }, /is not pinned/],
    ['a root that cannot be written and no /tmp', { read_only: true }, /no \/tmp can be written/],
    ['no health check', { healthcheck: { disable: true, test: [] } }, /no health check/],
    ['an open port', { ports: ['6379:6379'] }, /open to the network/],
    ['an unknown volume', { volumes: ['nowhere:/data'] }, /volume nowhere is not declared/],
    ['an unknown secret', { secrets: ['nothing'] }, /secret nothing is not declared/],
    ['an unknown network', { networks: ['other'] }, /network other is not declared/],
    [
      'an unknown service',
      { depends_on: { x: { condition: 'service_healthy' } } },
      /service x is not declared/,
    ],
    ['a password in the environment', { environment: { REDIS_PASSWORD: 'x' } }, /holds a secret/],
    ['a password in a URL', { environment: { URL: 'redis://:x@redis' } }, /URL with a password/],
    ['a secret not mounted', { environment: { X_FILE: '/run/secrets/secret_key' } }, /not mounted/],
  ];
  for (const [what, change, words] of broken) {
    it(`would be refused with ${what}`, () => {
      assert.match(faults(merged(base, { services: { redis: change } }) as ComposeFile).join('\n'), words);
    });
  }

  it('would be refused by the schema with a key that it does not know', () => {
    const wrong = merged(base, { services: { redis: { restarts: 'always' } } });
    assert.match(schemaErrors(wrong).join('\n'), /\/services\/redis must NOT have additional properties/);
  });

  it('run programs that exist', () => {
    const programs: Partial<ComposeFile['services']> = {
      ...secure.services,
      standalone: standalone.services['ledger'],
    };
    for (const name of ['api', 'projector', 'standalone']) {
      assert.deepEqual(programs[name]?.command, [`dist/apps/${name}/src/main.js`]);
      assert.ok(existsSync(join(ROOT, 'apps', name, 'src', 'main.ts')));
    }
  });

  it('set no variable that the service does not read', () => {
    const source = text('libs/runtime/src/configuration.ts');
    const set = { ...secure.services['api']?.environment, ...standalone.services['ledger']?.environment };
    for (const name of Object.keys(set)) {
      assert.ok(source.includes(`'${name.replace(/_FILE$/, '')}'`), `${name} is not read`);
    }
  });

  it('keep the append-only file and every job in Redis', () => {
    const command = JSON.stringify(parse(text('docker/compose.yaml')));
    assert.match(command, /--appendonly yes/);
    assert.match(command, /--maxmemory-policy noeviction/);
  });
});

describe('the secrets', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-secrets-'));
    cpSync(join(ROOT, 'docker', 'make-secrets.sh'), join(folder, 'make-secrets.sh'));
    makeSecrets();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function makeSecrets(): void {
    const { status, stderr } = spawnSync('sh', [join(folder, 'make-secrets.sh')], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }

  /** The environment of a service as a container would have it, with the secrets where the script put them. */
  function environmentOf(file: ComposeFile, name: string): Record<string, string> {
    const variables = Object.entries(withDefaults(file.services[name]?.environment));
    return Object.fromEntries(
      variables.map(([variable, value]) => [variable, value.replace('/run/secrets/', `${folder}/secrets/`)]),
    );
  }

  it('are all that the compose files mount, closed to other users', () => {
    const mounted = Object.values(secure.secrets ?? {}).map(({ file }) => file.replace('./secrets/', ''));
    assert.deepEqual(mounted.sort(), readdirSync(join(folder, 'secrets')).sort());
    assert.equal(statSync(join(folder, 'secrets')).mode & 0o077, 0);
  });

  it('stay when the script runs again', () => {
    const file = join(folder, 'secrets', 'secret_key');
    const first = readFileSync(file, 'utf8');
    makeSecrets();
    assert.equal(readFileSync(file, 'utf8'), first);
  });

  it('make a configuration that the service takes', () => {
    const { eventStoreUrl, mongodbUrl, smtpUrl, secretKey } = parseConfiguration(environmentOf(base, 'api'));
    assert.deepEqual(parseConnectionUrl(eventStoreUrl ?? '').security, { insecure: true });
    const { where, database } = parseMongoUrl(mongodbUrl ?? '');
    assert.deepEqual([where, database], ['mongodb:27017', 'household_ledger']);
    assert.equal(smtpUrl, null);
    assert.ok(secretKey && secretKey.length >= 32);
  });

  it('name the three nodes and their authority in the secure set', () => {
    const authority = join(folder, 'ca.crt');
    writeFileSync(authority, 'a certificate');
    const { eventStoreUrl } = parseConfiguration(environmentOf(secure, 'projector'));
    assert.ok(secure.services['projector']?.volumes?.includes('authority:/certificates:ro'));
    const connection = parseConnectionUrl((eventStoreUrl ?? '').replace('/certificates/ca.crt', authority));
    assert.ok(!connection.security.insecure);
    assert.equal(connection.credentials?.username, 'admin');
    const nodes = ['eventstore', 'eventstore2', 'eventstore3'];
    assert.equal(connection.where, nodes.map(node => `${node}:2113`).join(', '));
    for (const node of nodes) assert.ok(secure.services[node], `${node} is no service`);
  });
});

describe('the image', () => {
  const dockerfile = text('docker/Dockerfile');

  it('stands on one pinned image and does not run as root', () => {
    assert.match(dockerfile, /^ARG NODE_IMAGE=node:22\.\d+\.\d+-bookworm-slim$/m);
    const from = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    assert.deepEqual([...new Set(from)], ['${NODE_IMAGE}']);
    assert.equal([...dockerfile.matchAll(/^USER (\S+)/gm)].at(-1)?.[1], 'node');
    assert.match(dockerfile, /^HEALTHCHECK /m);
  });

  it('copies only files that exist and that .dockerignore lets in', () => {
    const allowed = text('.dockerignore')
      .split('\n')
      .filter(line => line.startsWith('!'));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    assert.ok(copied.length > 5);
    for (const path of copied) {
      assert.ok(existsSync(join(ROOT, path)), `${path} is not there`);
      assert.ok(allowed.includes(`!${path.replace(/^\.\//, '')}`), `${path} is kept out`);
    }
  });
});

describe('the compiled code in the image', () => {
  const pattern = /-regex '([^']+)' -delete/.exec(text('docker/Dockerfile'))?.[1] ?? '';
  const removed = new RegExp(`^${pattern}$`);
  const files = ['apps', 'libs'].flatMap(folder =>
    readdirSync(join(ROOT, 'dist', folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.js'))
      .map(name => join('dist', folder, name)),
  );
  const kept = files.filter(path => !removed.test(path));

  it('is none that only specs need', () => {
    assert.ok(files.some(path => removed.test(path)));
    const ofSpecs = /^import .* from '(node:test|#test-servers\/[^']*|#[^']*\.(fixture|scenario|contract))'/m;
    assert.deepEqual(
      kept.filter(path => path.endsWith('.spec.js') || ofSpecs.test(text(path))),
      [],
    );
  });

  it('is all that it imports itself', () => {
    const missing = kept.flatMap(path =>
      [...text(path).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
        .map(([, to = '']) => join(path, '..', to))
        .filter(to => removed.test(to)),
    );
    assert.deepEqual(missing, []);
  });
});

describe('the health check of the image', () => {
  async function check(status: number | null): Promise<{ readonly code: number; readonly output: string }> {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/health/ready' ? (status ?? 500) : 404;
      response.end('{"status":"said here"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    if (status === null) await new Promise(resolve => server.close(resolve));
    const child = spawn(process.execPath, [join(ROOT, 'docker', 'health-check.mjs'), '/health/ready'], {
      env: { PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    if (status !== null) await new Promise(resolve => server.close(resolve));
    return { code, output };
  }

  it('passes where the server answers 200', async () => {
    assert.deepEqual(await check(200), { code: 0, output: '' });
  });

  it('fails and repeats what the server says where it answers 503', async () => {
    const { code, output } = await check(503);
    assert.equal(code, 1);
    assert.match(output, /answered 503: .*said here/);
  });

  it('fails where nothing listens', async () => {
    const { code, output } = await check(null);
    assert.equal(code, 1);
    assert.match(output, /did not answer/);
  });
});
