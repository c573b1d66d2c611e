import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mailedToken } from './mailed-token.js';
import { freePort } from './servers/free-port.js';

const PROGRAMS = fileURLToPath(new URL('../apps/', import.meta.url));
/** Longer than anything takes on a busy machine; waiting ends with the condition. */
const WAIT_MS_MAX = 120_000;
/** As in the npm scripts and the image. */
export const NODE_FLAGS = ['--max-old-space-size=1024'] as const;
/** Of every user whom `signUp` makes. */
export const PASSWORD = 'a-lighthouse-in-the-fog';

/** What a server program said before it ended, or that it did not end. */
export interface Ending {
  readonly code: number | null;
  readonly output: string;
}

interface ProcessOptions {
  readonly directory: string;
  readonly app?: 'standalone' | 'api' | 'projector';
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Flags for node itself. */
  readonly execArgv?: readonly string[];
  /** A file for what it says, which is kept in memory otherwise. */
  readonly log?: string;
}

/** A server program in a process of its own, as an operator runs it. */
export class LedgerProcess {
  private output = '';

  private constructor(
    readonly url: string,
    readonly child: ChildProcess,
  ) {
    const keep = (chunk: Buffer): void => {
      this.output = (this.output + chunk.toString()).slice(-100_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  /** Starts and waits until it answers. @throws Error when it ends instead */
  static async start(options: ProcessOptions): Promise<LedgerProcess> {
    const server = await LedgerProcess.spawn(options);
    await server.until(async () => (await fetch(`${server.url}/health/live`)).ok, 'to answer');
    return server;
  }

  /** Starts a program that is expected to end by itself. */
  static async ending(options: ProcessOptions): Promise<Ending> {
    const server = await LedgerProcess.spawn(options);
    await server.until(async () => server.child.exitCode !== null, 'to end');
    return { code: server.child.exitCode, output: server.output };
  }

  private static async spawn(options: ProcessOptions): Promise<LedgerProcess> {
    const { directory, app = 'standalone', args = [], environment, execArgv = [], log } = options;
    const port = await freePort();
    const output = log === undefined ? 'pipe' : openSync(log, 'a');
    const child = spawn(
      process.execPath,
      [...NODE_FLAGS, ...execArgv, join(PROGRAMS, app, 'src/main.js'), ...args],
      {
        cwd: directory,
        env: {
          PATH: process.env['PATH'],
          HOST: '127.0.0.1',
          PORT: String(port),
          DATA_DIR: directory,
          LOG_LEVEL: 'warn',
          ...environment,
        },
        stdio: ['ignore', output, output],
      },
    );
    // Whatever ends the tests, no server outlives them.
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    return new LedgerProcess(`http://127.0.0.1:${port}`, child);
  }

  get said(): string {
    return this.output;
  }

  /** One call of the API with its status and parsed body. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { status, headers, text } = await this.send(method, path, options);
    return { status, headers, body: text === '' ? {} : JSON.parse(text) };
  }

  /** `call` with the body as it came. */
  async send(
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
    const response = await fetch(`${this.url}/v1${path}`, {
      method,
      headers: {
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...(options.body && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body && { body: JSON.stringify(options.body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** A session's token of a new user, by way of the mailed link. */
  async signUp(directory: string, email = 'ann@example.com'): Promise<string> {
    await this.call('POST', '/auth/password/sign-up', { body: { email, password: PASSWORD, name: 'Ann' } });
    const token = await mailedToken(join(directory, 'outbox'), email, 'verify');
    const answer = await this.call('POST', '/auth/password/verify', { body: { token, client: 'mobile' } });
    if (answer.status !== 200) throw new Error(`verifying answered ${answer.status}`);
    return String(answer.body['token']);
  }

  /** Waits until it is ready. @throws Error after a bound, with what it lacks */
  async ready(msMax: number = WAIT_MS_MAX): Promise<void> {
    let lacks = 'no answer';
    const isReady = async (): Promise<boolean> => {
      const answer = await fetch(`${this.url}/health/ready`);
      lacks = await answer.text();
      return answer.ok;
    };
    try {
      await this.until(isReady, 'to be ready', msMax);
    } catch (error) {
      throw new Error(`not ready: ${lacks}`, { cause: error });
    }
  }

  /** Ends the process and waits for its end. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
    return this.child.exitCode;
  }

  /** Waits for a condition, which may throw meanwhile. @throws Error after a bound, with what the program said */
  async until(condition: () => Promise<boolean>, what: string, msMax: number = WAIT_MS_MAX): Promise<void> {
    for (const deadline = performance.now() + msMax; performance.now() < deadline;) {
      if (await condition().catch(() => false)) return;
      if (this.child.exitCode !== null && what !== 'to end') {
        throw new Error(`the program ended with ${this.child.exitCode}: ${this.output}`);
      }
      await pause(20);
    }
    throw new Error(`waited too long for the program ${what}: ${this.output}`);
  }
}

export interface CallOptions {
  readonly token?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}
