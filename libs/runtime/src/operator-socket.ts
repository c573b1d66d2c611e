import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { BackgroundLog } from '#engine/projector/background-log';
import { RebuildRefused, type RebuildCommand } from '#engine/rebuild/rebuild-work';
import {
  AdministrationRefused,
  type UserOutcome,
  type UserRequest,
} from '#identity/administration/user-administration';
import { isForOperators } from '#engine/households/store-failures';
import type { Closing } from './closing.js';
import { DataDirectoryLock } from './data-directory-lock.js';
import { SOCKET } from './data-files.js';

/** The shortest limit of the systems that we run on, macOS, with the zero at the end. */
const PATH_BYTES_MAX = 103;

/** What the server responds to a command: one JSON document. */
type OperatorResponse = { readonly result: unknown } | { readonly refused: string };

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
  const server = createServer((asking, response) => {
    void respond(asking, log, work).then(body => response.end(JSON.stringify(body)));
  });
  try {
    await listen(server, socketPath(directory));
  } catch (error) {
    log.error({ error: String(error) }, 'cannot listen for ledger commands');
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
  asking: IncomingMessage,
  log: BackgroundLog,
  work: OperatorWork,
): Promise<OperatorResponse> {
  try {
    const asked: unknown = JSON.parse(await text(asking));
    if (asking.url === USERS_PATH) return { result: await work[USERS_PATH](asked as UserRequest) };
    return { result: await work[PROJECTIONS_PATH](asked as { readonly command: RebuildCommand }) };
  } catch (error) {
    const isRefusal = error instanceof RebuildRefused || error instanceof AdministrationRefused;
    if (isRefusal || isForOperators(error)) return { refused: error.message };
    log.error({ error: String(error) }, 'a ledger command failed');
    return { refused: 'The server failed; its log says why.' };
  }
}

/** How long a server is given to listen: it may have just started, and what holds the directory may be a command. */
const REACHED_MS_MAX = 10_000;
const POLL_MS = 200;
/** A server that has not responded by then is stuck. */
const RESPONSE_MS_MAX = 30_000;

/** How a server fails that does not listen, or is gone. */
const GONE = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

const NO_RESPONSE =
  'The data directory is in use, but its server does not respond. It hangs or is not ready, or another `ledger` command is running. Try again later.';

/** The server that holds the data directory does not do what it was asked to; one sentence for the operator. */
export class NotDoneByServer extends Error {
  override readonly name = 'NotDoneByServer';
}

/**
 * Sends a command to the server that holds a data directory.
 * @returns the result of the server's work, or the lock of the directory where no process holds it
 * @throws NotDoneByServer, the signal's reason
 */
export async function reachServer<Path extends keyof OperatorWork>(
  directory: string,
  path: Path,
  command: Parameters<OperatorWork[Path]>[0],
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<OperatorWork[Path]>> | DataDirectoryLock> {
  for (const deadline = performance.now() + REACHED_MS_MAX; ;) {
    const lock = DataDirectoryLock.takeIfFree(directory);
    if (lock) return lock;
    const response = await askServer(directory, path, command, signal);
    if (response && 'refused' in response) throw new NotDoneByServer(response.refused);
    if (response) return response.result as Awaited<ReturnType<OperatorWork[Path]>>;
    if (performance.now() > deadline) throw new NotDoneByServer(NO_RESPONSE);
    await pause(POLL_MS, undefined, { signal });
  }
}

/** @returns null where no server listens, or it ends before it responds */
export async function askServer(
  directory: string,
  path: string,
  command: object,
  signal?: AbortSignal,
): Promise<OperatorResponse | null> {
  const to = { socketPath: socketPath(directory), path, method: 'POST', agent: false, signal };
  const sent = request({ ...to, headers: { 'Content-Type': 'application/json' } });
  sent.setTimeout(RESPONSE_MS_MAX, () => sent.destroy(new NotDoneByServer(NO_RESPONSE)));
  sent.end(JSON.stringify(command));
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return JSON.parse(await text(response)) as OperatorResponse;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Error && 'code' in error && GONE.has(String(error.code))) return null;
    throw error;
  } finally {
    sent.destroy();
  }
}
