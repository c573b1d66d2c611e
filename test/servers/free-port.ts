import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port on loopback that nobody listens on. Until it is taken, somebody else may take it. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}
