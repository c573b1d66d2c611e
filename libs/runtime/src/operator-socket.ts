import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { BackgroundLog } from '#engine/projector/background-log';
import { RebuildRefused, type RebuildCommand } from '#engine/rebuild/rebuild-work';
import {
  AdministrationRefused,
  type UserOutcome,
  type UserRequest,
} from '#identity/administration/user-administration';
import { isForOperators } from '#engine/households/store-failures';
import { SOCKET } from './data-files.js';

/** The shortest limit of the systems that we run on, macOS, with the zero at the end. */
const PATH_BYTES_MAX = 103;

/** What the server responds to a command: one JSON document. */
export type OperatorResponse =
  /** The id of the work, which goes on by itself; its progress is in the documents. */
  { readonly accepted: string } | { readonly user: UserOutcome } | { readonly refused: string };

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
  private constructor(
    private readonly log: BackgroundLog,
    private readonly work: OperatorWork,
    private readonly server: Server = createServer((request, response) => void this.serve(request, response)),
  ) {}

  /**
   * To be called by the process that holds the data directory: a socket that is there was left by a killed one. A server
   * that cannot listen serves all the same, and says so.
   */
  static async listen(directory: string, log: BackgroundLog, work: OperatorWork): Promise<OperatorSocket> {
    const socket = new OperatorSocket(log, work);
    try {
      await socket.open(socketPath(directory));
    } catch (error) {
      log.error('cannot listen for ledger commands', { error: String(error) });
    }
    return socket;
  }

  async close(): Promise<void> {
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
    const body = await this.responseTo(request);
    response.end(JSON.stringify(body));
  }

  private async responseTo(request: IncomingMessage): Promise<OperatorResponse> {
    try {
      const asked: unknown = JSON.parse(await text(request));
      if (request.url === USERS_PATH) return { user: await this.work.administer(asked as UserRequest) };
      return { accepted: await this.work.announce((asked as { readonly command: RebuildCommand }).command) };
    } catch (error) {
      const isExpected = isRefusal(error) || isForOperators(error);
      if (!isExpected) this.log.error('a ledger command failed', { error: String(error) });
      return { refused: isExpected ? error.message : 'The server failed; its log says why.' };
    }
  }
}
