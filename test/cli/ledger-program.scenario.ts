import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAMS = fileURLToPath(new URL('../../apps/', import.meta.url));
const WAIT_MS_MAX = 120_000;

/** How a run of the program ended. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LedgerOptions {
  readonly directory: string;
  /** The app whose program is run; absent: `ledger` itself. */
  readonly program?: 'cli' | 'standalone';
  readonly environment?: Readonly<Record<string, string>>;
  /** An open file that takes the results in place of a pipe. */
  readonly output?: number;
  /** One that takes what is said besides. */
  readonly errorOutput?: number;
}

/** Runs `ledger` as an operator does, to its end. */
export async function ledger(args: readonly string[], options: LedgerOptions): Promise<Ending> {
  const running = new RunningLedger(args, options);
  return running.ended();
}

/** What `ledger … --json` printed, after it ended as expected. @throws Error when it ended otherwise */
export async function ledgerJson<T>(
  args: readonly string[],
  options: LedgerOptions & { readonly code?: number },
): Promise<T> {
  const { code, stdout, stderr } = await ledger([...args, '--json'], options);
  if (code !== (options.code ?? 0)) throw new Error(`ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as T;
}

/** A `ledger` that may still be at work. */
export class RunningLedger {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], options: LedgerOptions) {
    const { directory, program = 'cli', environment, output, errorOutput } = options;
    this.child = spawn(process.execPath, [join(PROGRAMS, program, 'src/main.js'), ...args], {
      cwd: directory,
      env: { PATH: process.env['PATH'], DATA_DIR: directory, ...environment },
      stdio: ['ignore', output ?? 'pipe', errorOutput ?? 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    const kill = (): boolean => this.child.kill('SIGKILL');
    process.once('exit', kill);
    this.child.once('exit', () => process.off('exit', kill));
  }

  async ended(): Promise<Ending> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  /** Waits until the program has printed what is wanted. @throws Error after a bound */
  async until(wanted: () => boolean): Promise<void> {
    for (const deadline = performance.now() + WAIT_MS_MAX; performance.now() < deadline;) {
      if (wanted()) return;
      if (this.child.exitCode !== null) break;
      await pause(20);
    }
    throw new Error(`the program did not print what was wanted: ${this.stdout}${this.stderr}`);
  }
}
