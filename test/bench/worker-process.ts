import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../ledger-process.js';

interface Request {
  readonly call: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Reply {
  readonly call: number;
  readonly result?: unknown;
  readonly error?: string;
}

const MIB = 1024 * 1024;

/** The functions that a worker process offers, by name. */
type Offer = Readonly<Record<string, (argument: never) => unknown>>;

/** Makes this process answer its parent's calls until the parent lets it go. */
export function offer(functions: Offer): void {
  process.on('message', ({ call, name, argument }: Request) => {
    void answer(functions[name], argument).then(reply => process.send!({ call, ...reply }));
  });
  process.on('disconnect', () => process.exit(0));
}

async function answer(
  called: Offer[string] | undefined,
  argument: unknown,
): Promise<Pick<Reply, 'result' | 'error'>> {
  try {
    return { result: await called?.(argument as never) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Another process of the bench: work that must not share a processor, a heap or an event loop with the rest. */
export class WorkerProcess<Functions extends Offer> {
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private calls = 0;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (reply: Reply) => {
      this.waiting.get(reply.call)?.(reply);
      this.waiting.delete(reply.call);
    });
    child.on('exit', code => {
      for (const [call, settle] of this.waiting) settle({ call, error: `the process ended with ${code}` });
      this.waiting.clear();
    });
  }

  /** @param module the compiled file beside this one, which calls `offer` */
  static start<Functions extends Offer>(module: string, execArgv: string[] = []): WorkerProcess<Functions> {
    const file = fileURLToPath(new URL(module, import.meta.url));
    // What it prints is for people: standard output is kept for the figures.
    const child = fork(file, { execArgv: [...NODE_FLAGS, ...execArgv], stdio: ['ignore', 2, 2, 'ipc'] });
    return new WorkerProcess<Functions>(child);
  }

  async call<Name extends keyof Functions & string>(
    name: Name,
    argument: Parameters<Functions[Name]>[0],
  ): Promise<Awaited<ReturnType<Functions[Name]>>> {
    const call = (this.calls += 1);
    const reply = await new Promise<Reply>(resolve => {
      this.waiting.set(call, resolve);
      if (!this.child.connected) resolve({ call, error: 'the process has ended' });
      else this.child.send({ call, name, argument } satisfies Request);
    });
    if (reply.error !== undefined) throw new Error(`${name}: ${reply.error}`);
    return reply.result as Awaited<ReturnType<Functions[Name]>>;
  }

  /** The most memory that it has had, in MiB; null where the system does not tell. */
  peakMemory(): number | null {
    return peakMemoryOf(this.child.pid!);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}

/** The high-water mark of a process's resident memory in MiB, as Linux keeps it; null elsewhere. */
export function peakMemoryOf(pid: number): number | null {
  return statusOf(pid, /^VmHWM:\s+(\d+) kB$/m);
}

/** A process's resident memory in MiB, as Linux keeps it; null elsewhere. */
export function memoryOf(pid: number): number | null {
  return statusOf(pid, /^VmRSS:\s+(\d+) kB$/m);
}

function statusOf(pid: number, line: RegExp): number | null {
  try {
    const kibibytes = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? null : (Number(kibibytes) * 1024) / MIB;
  } catch {
    return null;
  }
}
