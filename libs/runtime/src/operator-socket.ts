import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
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
import type { Closing } from './closing.js';
import { SOCKET } from './data-files.js';

/** The shortest limit of the systems that we run on, macOS, with the zero at the end. */
const PATH_BYTES_MAX = 103;

/** What the server responds to a command: one JSON document. */
export type OperatorResponse = { readonly result: unknown } | { readonly refused: string };

/** Where commands about the read models are sent, and those about users. */
export const PROJECTIONS_PATH = '/projections';
export const USERS_PATH = '/users';

/** What a server does for operators, by the path of a command. */
export interface OperatorWork {
  /** Begins the work of a command, which goes on by itself. @returns its id: its progress is in the documents */
  readonly [PROJECTIONS_PATH]: (asked: { readonly command: RebuildCommand }) => Promise<string>;
  readonly [USERS_PATH]: (asked: UserRequest) => Promise<UserOutcome>;
}

/** Where the server of a data directory listens for the `ledger` command. */
export function socketPath(directory: string): string {
  const path = resolve(directory, SOCKET);
  const name = `household-ledger-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return Buffer.byteLength(path) <= PATH_BYTES_MAX ? path : join(tmpdir(), `${name}.sock`);
}

/**
 * Lets the `ledger` command have work done by this server, which holds the data directory: only that may write its
 * stores. A socket that is there was left by a killed one. A server that cannot listen serves all the same, and says so.
 * @returns how to stop
 */
export async function listenForOperators(
  directory: string,
  log: BackgroundLog,
  work: OperatorWork,
): Promise<Closing> {
  const server = createServer((request, response) => {
    void respond(request, log, work).then(body => response.end(JSON.stringify(body)));
  });
  try {
    await listen(server, socketPath(directory));
  } catch (error) {
    log.error('cannot listen for ledger commands', { error: String(error) });
  }
  return async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}

async function listen(server: Server, path: string): Promise<void> {
  if (process.platform !== 'win32') rmSync(path, { force: true });
  // The socket is made before `listen` returns, and must never be open to other users.
  const former = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(former);
  }
  await once(server, 'listening');
}

async function respond(
  request: IncomingMessage,
  log: BackgroundLog,
  work: OperatorWork,
): Promise<OperatorResponse> {
  try {
    const asked: unknown = JSON.parse(await text(request));
    if (request.url === USERS_PATH) return { result: await work[USERS_PATH](asked as UserRequest) };
    return { result: await work[PROJECTIONS_PATH](asked as { readonly command: RebuildCommand }) };
  } catch (error) {
    const isRefusal = error instanceof RebuildRefused || error instanceof AdministrationRefused;
    if (isRefusal || isForOperators(error)) return { refused: error.message };
    log.error('a ledger command failed', { error: String(error) });
    return { refused: 'The server failed; its log says why.' };
  }
}
