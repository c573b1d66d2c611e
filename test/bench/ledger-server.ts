import { join } from 'node:path';
import { LedgerProcess } from '../ledger-process.js';
import { memoryOf, peakMemoryOf } from './worker-process.js';

/** Projecting a whole log that was appended behind its back may take a while. */
const READY_MS_MAX = 900_000;

export interface ServerOptions {
  readonly app?: 'standalone' | 'api' | 'projector';
  readonly environment?: Readonly<Record<string, string>>;
}

/** A server in a process of its own, as an operator runs it, its log in a file. */
export class LedgerServer {
  /** The most memory that any server of this run had, in MiB; null where the system does not tell. */
  static peakMemory: number | null = null;

  private constructor(private readonly program: LedgerProcess) {}

  /** Starts on a data directory and waits until it answers; it may still be catching up. */
  static async start(directory: string, { app, environment }: ServerOptions = {}): Promise<LedgerServer> {
    const program = await LedgerProcess.start({
      directory,
      // A verification in the background would be measured too.
      environment: { LOG_LEVEL: 'info', VERIFY_EVERY: 'off', ...environment },
      log: join(directory, 'server.log'),
      ...(app && { app }),
    });
    return new LedgerServer(program);
  }

  get url(): string {
    return this.program.url;
  }

  /** Its memory at present, in MiB; null where the system does not tell. */
  get memory(): number | null {
    return memoryOf(this.program.child.pid!);
  }

  /** Waits until everything is projected. */
  async ready(): Promise<void> {
    await this.program.ready(READY_MS_MAX);
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
    const headers = householdId === undefined ? {} : { 'x-service-household': householdId };
    const options = { headers, ...(token !== undefined && { token }), ...(body && { body }) };
    const { status, text } = await this.program.send(method, path, options);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return text;
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const peak = peakMemoryOf(this.program.child.pid!);
    if (peak !== null) LedgerServer.peakMemory = Math.max(peak, LedgerServer.peakMemory ?? 0);
    await this.program.end(signal);
  }
}
