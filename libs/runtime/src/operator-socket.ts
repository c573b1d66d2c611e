import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { BackgroundLog } from '#engine/projector/background-log';
import type { RebuildProgress } from '#engine/rebuild/rebuild-lease';
import { RebuildRefused, type RebuildCommand } from '#engine/rebuild/rebuild-work';
import type { Documents } from '#storage/documents/documents';
import {
  AdministrationRefused,
  type UserOutcome,
  type UserRequest,
} from '#identity/administration/user-administration';
import { isForOperators } from '#engine/households/store-failures';
import { CommandWatch, PROGRESS_POLL_MS, type OperatorOutcome } from './command-watch.js';
import { SOCKET } from './data-files.js';

/** The shortest limit of the systems that we run on, macOS, with the zero at the end. */
const PATH_BYTES_MAX = 103;

/** What the command line sends: one JSON document. */
export interface OperatorRequest {
  readonly command: RebuildCommand;
  /** The id of the work where it began before and is only followed; else null. */
  readonly accepted: string | null;
}

/** What the server responds: one JSON document a line. The last one is an outcome or a refusal. */
export type OperatorLine =
  | { readonly accepted: string }
  | { readonly progress: RebuildProgress }
  | { readonly outcome: OperatorOutcome }
  | { readonly user: UserOutcome }
  | { readonly refused: string };

/** Where commands about the read models are sent, and those about users. */
export const PROJECTIONS_PATH = '/projections';
export const USERS_PATH = '/users';

/** What a server does for operators. */
interface OperatorWork {
  /** Begins the work of a command. @returns the id of the work */
  readonly announce: (command: RebuildCommand) => Promise<string>;
  readonly administer: (request: UserRequest) => Promise<UserOutcome>;
}

function isRefusal(error: unknown): error is Error {
  return error instanceof RebuildRefused || error instanceof AdministrationRefused;
}

/** Where the server of a data directory listens for the `ledger` command. */
export function socketPath(directory: string): string {
  const path = resolve(directory, SOCKET);
  const name = `household-ledger-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return Buffer.byteLength(path) <= PATH_BYTES_MAX ? path : join(tmpdir(), `${name}.sock`);
}

/** How the `ledger` command has work done by the server that holds a data directory: only that may write its stores. */
export class OperatorSocket {
  private readonly stopping = new AbortController();

  private constructor(
    private readonly documents: Documents,
    private readonly log: BackgroundLog,
    private readonly work: OperatorWork,
    private readonly server: Server = createServer((request, response) => void this.serve(request, response)),
  ) {}

  /**
   * To be called by the process that holds the data directory: a socket that is there was left by a killed one. A server
   * that cannot listen serves all the same, and says so.
   */
  static async listen(
    directory: string,
    documents: Documents,
    log: BackgroundLog,
    work: OperatorWork,
  ): Promise<OperatorSocket> {
    const socket = new OperatorSocket(documents, log, work);
    try {
      await socket.open(socketPath(directory));
    } catch (error) {
      log.error('cannot listen for ledger commands', { error: String(error) });
    }
    return socket;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    if (!this.server.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async open(path: string): Promise<void> {
    if (process.platform !== 'win32') rmSync(path, { force: true });
    // The socket is made before `listen` returns, and must never be open to other users.
    const former = process.umask(0o177);
    try {
      this.server.listen(path);
    } finally {
      process.umask(former);
    }
    await once(this.server, 'listening');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Content-Type', 'application/x-ndjson');
    const write = (line: OperatorLine): void => void response.write(`${JSON.stringify(line)}\n`);
    try {
      const asked: unknown = JSON.parse(await text(request));
      if (request.url === USERS_PATH) write({ user: await this.work.administer(asked as UserRequest) });
      else await this.follow(asked as OperatorRequest, response, write);
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      const isExpected = isRefusal(error) || isForOperators(error);
      if (!isExpected) this.log.error('a ledger command failed', { error: String(error) });
      write({ refused: isExpected ? error.message : 'The server failed; its log says why.' });
    }
    response.end();
  }

  /** Reports the progress until the work or the connection ends; the work goes on without a listener. */
  private async follow(
    { command, accepted }: OperatorRequest,
    response: ServerResponse,
    write: (line: OperatorLine) => void,
  ): Promise<void> {
    const id = accepted ?? (await this.work.announce(command));
    write({ accepted: id });
    const watch = new CommandWatch(this.documents, id, command);
    while (!response.destroyed) {
      const outcome = await watch.look(progress => write({ progress }));
      if (outcome) return write({ outcome });
      await pause(PROGRESS_POLL_MS, undefined, { signal: this.stopping.signal });
    }
  }
}
