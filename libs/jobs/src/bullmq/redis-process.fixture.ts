import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const REDIS_PASSWORD = 's3cret-of-redis';

/** Whether Debian's `redis-server`, or another, is on the PATH. */
export function hasRedisServer(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A Redis of our own on a free loopback port, with a password and its data in a temporary folder. */
export class RedisProcess {
  private readonly directory = mkdtempSync(join(tmpdir(), 'redis-'));
  private process: ChildProcess | undefined;

  private constructor(readonly port: number) {}

  /** Not started yet. */
  static async onFreePort(): Promise<RedisProcess> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return new RedisProcess(port);
  }

  get url(): string {
    return `redis://:${REDIS_PASSWORD}@127.0.0.1:${this.port}`;
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const options = {
      port: String(this.port),
      bind: '127.0.0.1',
      requirepass: REDIS_PASSWORD,
      dir: this.directory,
      appendonly: 'yes',
      appendfsync: 'always',
      save: '',
    };
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.process = child;
    for await (const chunk of child.stdout) {
      if (String(chunk).includes('Ready to accept connections')) break;
    }
  }

  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }

  /** As a power cut would, but for what the kernel holds. */
  async kill(): Promise<void> {
    const child = this.process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true });
  }
}
