import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * How many requests are worked on side by side, so that the first of very many need not wait for all others. Only under
 * load does a turn of the event loop bring more.
 */
export const SIDE_BY_SIDE_MAX = 64;

interface Waiting {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly begin: () => void;
}

/**
 * Begins the requests that arrive in one turn of the event loop together, once all of them are read. They then go
 * through the program step by step, side by side, since each waits after the same steps, where every one would go all
 * its way alone: what a step needs is in the processor's caches for all but the first (ADR 23).
 *
 * Long work in the same process has to leave them two turns: one to be read in, and one to begin in.
 */
export function beginSideBySide(fastify: FastifyInstance): void {
  const waiting: Waiting[] = [];
  const beginAll = (): void => {
    const together = waiting.splice(0, SIDE_BY_SIDE_MAX);
    if (waiting.length > 0) setImmediate(beginAll);
    for (const { request, reply, begin } of together) {
      if (isLeft(request)) reply.hijack();
      else begin();
    }
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    waiting.push({ request, reply, begin: done });
    if (waiting.length === 1) setImmediate(beginAll);
  });
}

/** Whether the client went away while its request waited: whoever listens for that from here on would never hear it. */
function isLeft({ raw }: FastifyRequest): boolean {
  return raw.destroyed || raw.socket.destroyed;
}
