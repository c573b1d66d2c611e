import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.js';

/** Longer than a server takes to start on a busy machine; waiting ends as soon as it is ready. */
const READY_MS_MAX = 180_000;
const READY_POLL_MS = 50;
/** A server takes a while to begin to listen: meanwhile somebody else may have taken the port that was free. */
const STARTS_MAX = 3;

/** Where a server is to stand. */
export interface ServerPlace {
  /** The path of its program. */
  readonly program: string;
  /** On loopback. */
  readonly port: number;
}

/** A server that a test starts: on loopback, with its data in a temporary directory. */
export abstract class ServerProcess {
  readonly port: number;
  protected readonly directory: string;
  private readonly program: string;
  private child: ChildProcess | undefined;

  constructor({ program, port }: ServerPlace) {
    this.program = program;
    this.port = port;
    this.directory = mkdtempSync(join(tmpdir(), `ledger-${basename(program)}-`));
  }

  /** Starts it, on its data and at its port, and waits until it can be used. @throws EndedAtOnce */
  async start(): Promise<void> {
    const child = spawn(this.program, this.arguments(), { stdio: 'ignore', env: this.environment() });
    // Whatever ends the tests, the server goes with them.
    process.once('exit', this.killNow);
    this.child = child;
    const deadline = performance.now() + READY_MS_MAX;
    for (;;) {
      const { isReady, cause } = await this.askWhetherReady();
      if (hasEnded(child)) throw new EndedAtOnce(this.program, child, cause);
      if (isReady) return;
      if (performance.now() > deadline) throw new Error(`${this.program} was not ready in time`, { cause });
      await pause(READY_POLL_MS);
    }
  }

  /** Ends it as a crash does: what the kernel holds stays. */
  async kill(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    process.removeListener('exit', this.killNow);
    if (child === undefined || hasEnded(child)) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** From now on it takes connections and answers nothing. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
    // The signal reaches each thread a moment later, in which it could still answer.
    while (this.child?.pid !== undefined && !isStopped(this.child.pid));
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  /** Kills it and starts it again. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Ends it and removes its data. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }

  protected abstract arguments(): string[];

  protected environment(): NodeJS.ProcessEnv {
    return process.env;
  }

  /** Whether it can be used. May throw where it cannot, but never waits for long. */
  protected abstract isReady(): Promise<boolean>;

  private async askWhetherReady(): Promise<{ readonly isReady: boolean; readonly cause?: unknown }> {
    try {
      return { isReady: await this.isReady() };
    } catch (cause) {
      return { isReady: false, cause };
    }
  }

  private readonly killNow = (): void => {
    this.child?.kill('SIGKILL');
  };
}

/** Starts a server at a port that is free, and at another where it ends at once. @throws what its last start threw */
export async function startOnFreePort<Server extends ServerProcess>(
  make: (port: number) => Server,
): Promise<Server> {
  for (let starts = 1; ; starts += 1) {
    const server = make(await freePort());
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.stop();
      if (!(error instanceof EndedAtOnce) || starts === STARTS_MAX) throw error;
    }
  }
}

/** The server ended before it could be used. */
class EndedAtOnce extends Error {
  override readonly name = 'EndedAtOnce';

  constructor(program: string, { exitCode, signalCode }: ChildProcess, cause: unknown) {
    super(`${program} ended: ${exitCode ?? signalCode}`, { cause });
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Whether every thread of a process is stopped; where the system does not tell, it counts as stopped. */
function isStopped(pid: number): boolean {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return true;
  return readdirSync(threads).every(thread =>
    /\) [TtZX] /.test(readFileSync(`${threads}/${thread}/stat`, 'utf8')),
  );
}
