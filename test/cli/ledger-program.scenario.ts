import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Terminal } from '#runtime/command-line/output/terminal';
import { runCommand } from '#runtime/command-line/run-ledger';

const PROGRAMS = fileURLToPath(new URL('../../apps/', import.meta.url));
const WAIT_MS_MAX = 120_000;

/** How a run of the program ended. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LedgerOptions {
  /** Where it is run, and the data directory unless the environment names another. */
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ProcessOptions extends LedgerOptions {
  /** The app whose program is run; absent: `ledger` itself. */
  readonly program?: 'cli' | 'standalone';
  /** An open file that takes the results in place of a pipe. */
  readonly output?: number;
  /** One that takes what is said besides. */
  readonly errorOutput?: number;
}

// Each run has a log of its own, which waits for the end of the process.
for (const emitter of [process, process.stderr]) emitter.setMaxListeners(0);

/** One run in this process at a time: directory and environment are those of the process. */
let lastRun: Promise<unknown> = Promise.resolve();

/** Runs `ledger` in this process, to its end: for everything that does not depend on a process of its own. */
export function ledger(args: readonly string[], options: LedgerOptions): Promise<Ending> {
  const run = lastRun.then(() => runHere(args, options));
  lastRun = run.catch(() => undefined);
  return run;
}

async function runHere(args: readonly string[], options: LedgerOptions): Promise<Ending> {
  const [formerDirectory, formerEnvironment] = [process.cwd(), process.env];
  const [out, err] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(out), text(err)]);
  process.chdir(options.directory);
  process.env = environmentOf(options);
  try {
    const code = await runCommand(args, new Terminal(out, err), () => Promise.reject(new Error('no demo')));
    out.end();
    err.end();
    const [stdout, stderr] = await said;
    return { code, stdout, stderr };
  } finally {
    process.chdir(formerDirectory);
    process.env = formerEnvironment;
  }
}

function environmentOf({ directory, environment }: LedgerOptions): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], DATA_DIR: directory, ...environment };
}

/** Runs `ledger` in a process of its own, as an operator does, to its end. */
export async function ledgerProcess(args: readonly string[], options: ProcessOptions): Promise<Ending> {
  return new RunningLedger(args, options).ended();
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

  constructor(args: readonly string[], options: ProcessOptions) {
    const { directory, program = 'cli', output, errorOutput } = options;
    this.child = spawn(process.execPath, [join(PROGRAMS, program, 'src/main.js'), ...args], {
      cwd: directory,
      env: environmentOf(options),
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
