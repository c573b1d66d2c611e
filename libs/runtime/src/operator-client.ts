import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { OperatorLine } from './operator-socket.js';

/** A server that has not responded by then is stuck. */
const RESPONSE_MS_MAX = 30_000;

/** The server that holds the data directory does not listen, or is gone. */
const GONE = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

export const NO_RESPONSE =
  'The data directory is in use, but its server does not respond. It hangs or is not ready, or another `ledger` command is running. Try again later.';

/** The server that holds the data directory did not take the command; one sentence for the operator. */
export class ServerUnresponsive extends Error {
  override readonly name = 'ServerUnresponsive';
}

/**
 * Sends a command and yields what the server responds. Ends without an outcome where no server listens, or the server
 * ends before the work.
 * @throws ServerUnresponsive, the signal's reason
 */
export async function* linesFrom(
  socketPath: string,
  path: string,
  asked: object,
  signal: AbortSignal,
): AsyncGenerator<OperatorLine> {
  const headers = { 'Content-Type': 'application/json' };
  const sent = request({ socketPath, path, method: 'POST', headers, agent: false, signal });
  sent.setTimeout(RESPONSE_MS_MAX, () => sent.destroy(new ServerUnresponsive(NO_RESPONSE)));
  sent.end(JSON.stringify(asked));
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    sent.setTimeout(0);
    // The response repeats it.
    sent.on('error', () => undefined);
    for await (const line of linesOf(response)) yield JSON.parse(line) as OperatorLine;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error && 'code' in error && GONE.has(String(error.code)))) throw error;
  } finally {
    sent.destroy();
  }
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}
