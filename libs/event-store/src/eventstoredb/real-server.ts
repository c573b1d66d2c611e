import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A server that a test has started: on loopback, on a free port, with its data in a temporary directory. */
export interface RealEventStoreDb {
  readonly url: string;
  readonly port: number;
  /** SIGKILL ends it as a crash does; SIGSTOP freezes it, SIGCONT lets it go on. */
  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Starts it again after SIGKILL, on its data and at its port. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface RealServerOptions {
  /** Files of a certificate; without them the server is insecure. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authorities: string };
  /** Bytes of one append. */
  readonly maxAppendSize?: number;
}

const PROGRAMS = ['eventstored', 'kurrentd'];
const READY_MS_MAX = 60_000;
const READY_POLL_MS = 100;
const READY_ANSWER_MS_MAX = 2_000;
/** A server takes seconds to begin to listen: meanwhile somebody else may have taken the port that was free. */
const STARTS_MAX = 3;

/**
 * Starts a server where `eventstored` or `kurrentd` is on the PATH.
 * @returns null where neither is
 */
export async function startEventStoreDb(options: RealServerOptions = {}): Promise<RealEventStoreDb | null> {
  const program = findProgram();
  if (program === null) return null;
  for (let starts = 1; ; starts++) {
    const directory = await mkdtemp(join(tmpdir(), 'ledger-eventstoredb-'));
    const server = new StartedServer(program, directory, await freePort(), options);
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.stop();
      if (!(error instanceof EndedAtOnce) || starts === STARTS_MAX) throw error;
    }
  }
}

/** The server ended before it was ready. */
class EndedAtOnce extends Error {
  override readonly name = 'EndedAtOnce';
}

/** Whether a server can be started here. Where not, prints the one line that `npm test` repeats at its end. */
export function canStartEventStoreDb(): boolean {
  if (findProgram() !== null) return true;
  console.log('SKIPPED: tests on a real EventStoreDB: neither eventstored nor kurrentd is on the PATH');
  return false;
}

class StartedServer implements RealEventStoreDb {
  readonly url: string;
  private process: ChildProcess | undefined;

  constructor(
    private readonly program: string,
    private readonly directory: string,
    readonly port: number,
    private readonly options: RealServerOptions,
  ) {
    this.url = `esdb://127.0.0.1:${port}?tls=${options.tls !== undefined}`;
  }

  async start(): Promise<void> {
    const child = spawn(this.program, this.arguments(), { stdio: 'ignore', env: environment() });
    // Whatever ends the tests, the server goes with them.
    process.once('exit', this.killNow);
    this.process = child;
    const deadline = performance.now() + READY_MS_MAX;
    while (!(await this.isReady())) {
      if (hasEnded(child))
        throw new EndedAtOnce(`${this.program} ended: ${child.exitCode ?? child.signalCode}`);
      if (performance.now() > deadline) throw new Error(`${this.program} was not ready in time`);
      await pause(READY_POLL_MS);
    }
  }

  async kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const child = this.process;
    if (child === undefined || hasEnded(child)) return this.forget();
    const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
    child.kill(signal);
    if (signal !== 'SIGKILL') return;
    await ended;
    this.forget();
  }

  async restart(): Promise<void> {
    await this.kill('SIGKILL');
    await this.start();
  }

  async stop(): Promise<void> {
    await this.kill('SIGKILL');
    await rm(this.directory, { recursive: true, force: true });
  }

  private arguments(): string[] {
    const { directory, port } = this;
    const { tls, maxAppendSize } = this.options;
    const security = tls
      ? [
          `--certificate-file=${tls.certificate}`,
          `--certificate-private-key-file=${tls.key}`,
          `--trusted-root-certificates-path=${tls.authorities}`,
        ]
      : ['--insecure'];
    return [
      ...security,
      '--node-ip=127.0.0.1',
      `--node-port=${port}`,
      `--db=${join(directory, 'db')}`,
      `--log=${join(directory, 'log')}`,
      // Sizes for a test: the defaults set hundreds of megabytes aside.
      '--stream-existence-filter-size=0',
      '--chunks-cache-size=0',
      ...(maxAppendSize === undefined ? [] : [`--max-append-size=${maxAppendSize}`]),
    ];
  }

  private async isReady(): Promise<boolean> {
    if (this.options.tls) return acceptsConnections(this.port);
    try {
      // Whoever has taken the port may not answer at all.
      const signal = AbortSignal.timeout(READY_ANSWER_MS_MAX);
      const response = await fetch(`http://127.0.0.1:${this.port}/health/live`, { signal });
      return response.ok;
    } catch {
      return false;
    }
  }

  private forget(): void {
    this.process = undefined;
    process.removeListener('exit', this.killNow);
  }

  private readonly killNow = (): void => {
    this.process?.kill('SIGKILL');
  };
}

/** In the C locale: in some others, as the Turkish one, EventStoreDB does not know its own options. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    LC_ALL: 'C',
    EVENTSTORE_TELEMETRY_OPTOUT: 'true',
    KURRENTDB_TELEMETRY_OPTOUT: 'true',
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function findProgram(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
  for (const folder of folders) {
    for (const name of PROGRAMS) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>(resolve => server.close(() => resolve()));
  return port;
}

async function acceptsConnections(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    const settle = (accepted: boolean): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
