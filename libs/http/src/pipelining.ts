import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * How many requests of one connection may be under way. Programs wait for an answer before they ask again, or ask a few
 * ahead; browsers do the former.
 */
export const PIPELINED_MAX = 16;

const UNDER_WAY = Symbol('requests under way');
type CountedSocket = Socket & { [UNDER_WAY]?: number };

/**
 * Ends connections on which more is asked ahead than `PIPELINED_MAX`. Node takes up every request of a packet at once,
 * and holds all answers until the first ones are read: a packet of a few kilobytes would ask for gigabytes.
 */
export function limitPipelining(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const socket: CountedSocket = request.raw.socket;
    const underWay = (socket[UNDER_WAY] ?? 0) + 1;
    socket[UNDER_WAY] = underWay;
    if (underWay <= PIPELINED_MAX && !socket.destroyed) return done();
    reply.hijack();
    socket.destroy();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    const socket: CountedSocket = request.raw.socket;
    socket[UNDER_WAY] = (socket[UNDER_WAY] ?? 1) - 1;
    done();
  });
}
