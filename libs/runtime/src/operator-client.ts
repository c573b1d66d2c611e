import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { DataDirectoryLock } from './data-directory-lock.js';
import { socketPath, type OperatorResponse, type OperatorWork } from './operator-socket.js';

/** How long a server is given to listen: it may have just started, and what holds the directory may be a command. */
const REACHED_MS_MAX = 10_000;
const POLL_MS = 200;
/** A server that has not responded by then is stuck. */
const RESPONSE_MS_MAX = 30_000;

/** The server that holds the data directory does not listen, or is gone. */
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
  const headers = { 'Content-Type': 'application/json' };
  const sent = request({
    socketPath: socketPath(directory),
    path,
    method: 'POST',
    headers,
    agent: false,
    signal,
  });
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
