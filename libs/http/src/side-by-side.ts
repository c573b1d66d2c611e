import type { FastifyInstance } from 'fastify';

/**
 * How many requests are worked on side by side, so that the first of very many need not wait for all others. More than a
 * service of households has in one turn of its event loop, but under load.
 */
export const SIDE_BY_SIDE_MAX = 64;

type Begin = () => void;

/**
 * Begins the requests that arrive in one turn of the event loop together, once all of them are read. They then go
 * through the program step by step, side by side, since each waits after the same steps, where every one would go all
 * its way alone: what a step needs is in the processor's caches for all but the first. `docs/performance.md` says what
 * that is worth.
 */
export function beginSideBySide(fastify: FastifyInstance): void {
  let waiting: Begin[] = [];
  const beginAll = (): void => {
    const together = waiting.slice(0, SIDE_BY_SIDE_MAX);
    waiting = waiting.slice(SIDE_BY_SIDE_MAX);
    if (waiting.length > 0) setImmediate(beginAll);
    for (const begin of together) begin();
  };
  fastify.addHook('onRequest', (_request, _reply, done) => {
    waiting.push(done);
    if (waiting.length === 1) setImmediate(beginAll);
  });
}
