// The examples for people who run the service themselves: each proxy takes its configuration and serves by it, and
// systemd takes the unit.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { LedgerProcess } from './ledger-process.js';
import { freePort } from './servers/free-port.js';
import { serverOnPath } from './servers/server-on-path.js';
import { until } from './until.js';

/** Compiled tests stand in dist/test. */
const EXAMPLES = fileURLToPath(new URL('../../docs/self-hosting/', import.meta.url));
const NAME = 'money.example.org';
/** Far less than any buffer of a proxy waits. */

function example(name: string): string {
  return readFileSync(join(EXAMPLES, name), 'utf8');
}

/** What is replaced must be there, so that an example that changed is still tested. */
function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((changed, [from, to]) => {
    assert.ok(changed.includes(from), `${from} is not in the example`);
    return changed.replaceAll(from, to);
  }, text);
}

function lacking(...programs: readonly string[]): string | false {
  const missing = programs.filter(program => serverOnPath(program) === null);
  if (missing.length === 0) return false;
  const reason = `${missing.join(' and ')} not on the PATH`;
  console.log(`SKIPPED: an example for self-hosters: ${reason}`);
  return reason;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

interface Proxy {
  readonly name: string;
  readonly programs: readonly string[];
  /** @returns the process that serves TLS at the port, and leads to the server */
  start(directory: string, port: number, serverPort: string): ChildProcess;
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    programs: ['nginx', 'openssl'],
    start: (directory, port, serverPort) => {
      const [certificate, key] = [join(directory, 'fullchain.pem'), join(directory, 'privkey.pem')];
      const subject = ['-subj', `/CN=${NAME}`, '-days', '2', '-keyout', key, '-out', certificate];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], {
        stdio: 'ignore',
      });
      const site = replaced(example('nginx.conf'), {
        'listen 80;': `listen 127.0.0.1:0;`,
        'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
        [`/etc/letsencrypt/live/${NAME}`]: directory,
        '127.0.0.1:3000': `127.0.0.1:${serverPort}`,
      }).replace('listen 127.0.0.1:0;', `listen unix:${join(directory, 'plain.sock')};`);
      writeFileSync(join(directory, 'site.conf'), site);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = temporary.map(each => `${each}_temp_path ${join(directory, each)};`).join(' ');
      writeFileSync(
        join(directory, 'nginx.conf'),
        `daemon off; pid ${join(directory, 'pid')}; error_log stderr; events {}\n` +
          `http { access_log off; ${paths} include ${join(directory, 'site.conf')}; }\n`,
      );
      const args = ['-e', 'stderr', '-p', directory, '-c', join(directory, 'nginx.conf')];
      const { status, stderr } = spawnSync('nginx', ['-t', ...args], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      return spawn('nginx', args, { stdio: 'ignore' });
    },
  },
  {
    name: 'Caddy',
    programs: ['caddy'],
    start: (directory, port, serverPort) => {
      const file = join(directory, 'Caddyfile');
      const validated = spawnSync(
        'caddy',
        ['validate', '--adapter', 'caddyfile', '--config', join(EXAMPLES, 'Caddyfile')],
        { encoding: 'utf8' },
      );
      assert.equal(validated.status, 0, validated.stderr);
      const site = replaced(example('Caddyfile'), {
        [`\n${NAME} {\n`]: `\nhttps://${NAME}:${port} {\n\ttls internal\n\tbind 127.0.0.1\n`,
        '127.0.0.1:3000': `127.0.0.1:${serverPort}`,
      });
      const globals = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n';
      writeFileSync(file, globals + site);
      const home = join(directory, 'caddy');
      mkdirSync(home);
      const env = { PATH: process.env['PATH'], HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
      return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' });
    },
  },
];

for (const proxy of PROXIES) {
  describe(`the example for ${proxy.name}`, { skip: lacking(...proxy.programs) }, () => {
    let directory: string;
    let server: LedgerProcess;
    let running: ChildProcess;
    let port: number;
    let token: string;

    before(async () => {
      directory = mkdtempSync(join(tmpdir(), 'self-hosting-'));
      const data = join(directory, 'data');
      const environment = {
        DATA_DIR: data,
        APP_URL: `https://${NAME}`,
        TRUST_PROXY: 'loopback',
        LOG_LEVEL: 'info',
      };
      server = await LedgerProcess.start({ directory, environment });
      token = await server.signUp(data);
      for (const month of ['2026-01', '2026-02']) await server.call('POST', `/months/${month}`, { token });
      port = await freePort();
      running = proxy.start(directory, port, new URL(server.url).port);
      await until(async () => (await send('/health/live').catch(() => null))?.statusCode === 200);
    });
    after(async () => {
      if (running.exitCode === null) {
        const ended = once(running, 'exit');
        running.kill('SIGTERM');
        await ended;
      }
      await server.end('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    });

    async function send(
      path: string,
      { method = 'GET', headers = {}, body }: Sent = {},
    ): Promise<IncomingMessage> {
      const sent = request({
        host: '127.0.0.1',
        port,
        path,
        method,
        servername: NAME,
        // Made for this test, by nobody whom the machine trusts.
        rejectUnauthorized: false,
        headers: {
          host: NAME,
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      sent.end(body && JSON.stringify(body));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return answer;
    }

    async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      return Buffer.concat(parts);
    }

    it('serves the API, compressed, and takes its ETags back', async () => {
      const compressed = { 'accept-encoding': 'gzip' };
      const month = await send('/v1/months/2026-01', { headers: compressed });
      assert.equal(month.headers['content-encoding'], 'gzip');
      const { groups } = JSON.parse(gunzipSync(await bytesOf(month)).toString()) as {
        readonly groups: readonly { readonly items: readonly { readonly id: string }[] }[];
      };
      const tag = month.headers.etag!;
      const again = await send('/v1/months/2026-01', { headers: { ...compressed, 'if-none-match': tag } });
      assert.equal(again.statusCode, 304);
      const itemId = groups.flatMap(({ items }) => items)[0]!.id;
      const plan = async (planned: number): Promise<number | undefined> => {
        const headers = { 'if-match': tag };
        const sent = { method: 'PATCH', headers, body: { planned } };
        return (await send(`/v1/months/2026-01/items/${itemId}`, sent)).statusCode;
      };
      assert.equal(await plan(1_000), 200);
      assert.equal(await plan(2_000), 412, 'it is not what was seen any more');
    });

    it('hands events on at once', async () => {
      const stream = await send('/v1/changes', { headers: { 'accept-encoding': 'gzip' } });
      assert.match(stream.headers['content-type'] ?? '', /^text\/event-stream/);
      assert.equal(stream.headers['content-encoding'], undefined);
      let said = '';
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await until(() => said.includes(': heartbeat'));
      await server.call('POST', '/months/2026-03', { token });
      await until(() => said.includes('2026-03'));
      stream.destroy();
    });

    it('says who asks and how, and nothing that a client claims of that', async () => {
      const body = { email: 'ann@example.com', password: 'a-lighthouse-in-the-fog', client: 'web' };
      const claims = {
        'x-forwarded-proto': 'http',
        'x-forwarded-for': '192.0.2.7',
        origin: `https://${NAME}`,
      };
      const answer = await send('/v1/auth/password/sign-in', { method: 'POST', headers: claims, body });
      assert.equal(answer.statusCode, 200, (await bytesOf(answer)).toString());
      assert.match(String(answer.headers['set-cookie']), /; Secure\b/);
    });

    it('keeps metrics to the machine', async () => {
      assert.equal((await send('/metrics')).statusCode, 404);
      assert.equal((await fetch(`${server.url}/metrics`)).status, 200);
    });
  });
}

describe('the unit for systemd', { skip: lacking('systemd-analyze') }, () => {
  it('is taken by systemd, and runs a program that exists', () => {
    const directory = mkdtempSync(join(tmpdir(), 'unit-'));
    try {
      const unit = example('household-ledger.service');
      const program = / (dist\/apps\/\S+)$/m.exec(unit)?.[1] ?? '';
      assert.ok(existsSync(fileURLToPath(new URL(`../../${program}`, import.meta.url))), program);
      const file = join(directory, 'household-ledger.service');
      // Node may be elsewhere on this machine.
      writeFileSync(file, replaced(unit, { '/usr/bin/node': process.execPath }));
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
