import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { peakMemoryOf } from './worker-process.js';

const PROGRAM = fileURLToPath(new URL('../../apps/standalone/src/main.js', import.meta.url));
const START_MS_MAX = 30_000;
/** Projecting a whole log that was appended behind its back may take a while. */
const READY_MS_MAX = 300_000;
const POLL_MS = 10;

/** The standalone server in a process of its own, as `npm start` runs it, its log in a file. */
export class LedgerServer {
  /** The most memory that any server of this run had, in MiB; null where the system does not tell. */
  static peakMemory: number | null = null;

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** Starts on a data directory and waits until it answers; it may still be catching up. */
  static async start(directory: string, execArgv: readonly string[] = []): Promise<LedgerServer> {
    const port = await freePort();
    const log = openSync(join(directory, 'server.log'), 'a');
    const environment = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: directory };
    const child = spawn(process.execPath, [...execArgv, PROGRAM], {
      cwd: directory,
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', log, log],
    });
    // Whatever ends the bench, no server outlives it.
    process.once('exit', () => child.kill('SIGKILL'));
    const server = new LedgerServer(`http://127.0.0.1:${port}`, child);
    await server.until('/health/live', START_MS_MAX);
    return server;
  }

  /** Waits until everything is projected. */
  async ready(): Promise<void> {
    await this.until('/health/ready', READY_MS_MAX);
  }

  /** Ends it as an operator would. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** One call of the API. @throws Error for any answer that is no success */
  async call(
    method: string,
    path: string,
    { token, householdId, body }: { token?: string; householdId?: string; body?: object } = {},
  ): Promise<string> {
    const response = await fetch(`${this.url}/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(householdId !== undefined && { 'x-service-household': householdId }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text;
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const peak = peakMemoryOf(this.child.pid!);
    if (peak !== null) LedgerServer.peakMemory = Math.max(peak, LedgerServer.peakMemory ?? 0);
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }

  private async until(path: string, msMax: number): Promise<void> {
    for (const deadline = performance.now() + msMax; performance.now() < deadline;) {
      if (this.child.exitCode !== null) throw new Error(`the server ended with ${this.child.exitCode}`);
      const response = await fetch(this.url + path).catch(() => null);
      await response?.arrayBuffer();
      if (response?.ok) return;
      await pause(POLL_MS);
    }
    throw new Error(`${path} was not answered with success within ${msMax} ms`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}
