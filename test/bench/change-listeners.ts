// The process of many clients that follow changes, so that what they cost themselves is not counted as the server's.
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { offer } from './worker-process.js';

interface Listening {
  readonly url: string;
  readonly token: string;
  /** The clients are spread over these. */
  readonly householdIds: readonly string[];
  readonly clients: number;
}

/** So many connect at the same time. */
const CONNECTING = 50;

let agent = new Agent();
let messages = 0;

/** Connects clients; resolves when each has had its first heartbeat. @throws Error for any that is refused */
async function open({ url, token, householdIds, clients }: Listening): Promise<void> {
  agent = new Agent({ maxSockets: Infinity });
  messages = 0;
  let next = 0;
  const connect = async (): Promise<void> => {
    while (next < clients) {
      const headers = {
        authorization: `Bearer ${token}`,
        'x-service-household': householdIds[next++ % householdIds.length]!,
      };
      const [response] = (await once(get(`${url}/v1/changes`, { agent, headers }), 'response')) as [
        IncomingMessage,
      ];
      if (response.statusCode !== 200) throw new Error(`a client was answered ${response.statusCode}`);
      await new Promise<void>(resolve => response.on('data', chunk => count(String(chunk), resolve)));
      response.on('error', () => undefined);
    }
  };
  await Promise.all(Array.from({ length: CONNECTING }, connect));
}

function count(chunk: string, live: () => void): void {
  messages += chunk.split('\ndata: ').length - 1;
  if (chunk.includes(': heartbeat')) live();
}

/** Disconnects all. @returns how many messages came to them */
async function close(): Promise<number> {
  agent.destroy();
  return Promise.resolve(messages);
}

const functions = { open, close };
export type ChangeListeners = typeof functions;
offer(functions);
