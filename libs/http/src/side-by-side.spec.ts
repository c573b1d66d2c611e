import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { beginSideBySide, SIDE_BY_SIDE_MAX } from './http-server.js';

/** A server that writes down when a request arrives, begins, and has waited for something that is there already. */
function server(): { readonly fastify: FastifyInstance; readonly steps: string[] } {
  const steps: string[] = [];
  const fastify = new FastifyAdapter().getInstance<FastifyInstance>();
  fastify.addHook('onRequest', ({ url, raw }, _reply, done) => {
    steps.push(`${url} arrives`);
    if (url === '/leaves') raw.socket.destroy();
    done();
  });
  beginSideBySide(fastify);
  fastify.get('/:name', async ({ url }) => {
    steps.push(`${url} begins`);
    await Promise.resolve();
    steps.push(`${url} goes on`);
    return '';
  });
  return { fastify, steps };
}

describe('requests that arrive together', () => {
  it('take each step side by side', async () => {
    const { fastify, steps } = server();
    await fastify.ready();
    await Promise.all(['/a', '/b'].map(url => fastify.inject(url)));
    assert.deepEqual(steps, [
      '/a arrives',
      '/b arrives',
      '/a begins',
      '/b begins',
      '/a goes on',
      '/b goes on',
    ]);
  });

  it('are begun a bounded number at a time', async () => {
    const { fastify, steps } = server();
    await fastify.ready();
    const urls = Array.from({ length: 2 * SIDE_BY_SIDE_MAX + 1 }, (_, at) => `/${at}`);
    const answers = Promise.all(urls.map(url => fastify.inject(url)));
    const begun = async (count: number): Promise<void> => {
      const counted = (): number => steps.filter(step => step.endsWith('begins')).length;
      while (counted() === 0 || counted() < count) await turn();
      assert.equal(counted(), count);
    };
    for (const count of [SIDE_BY_SIDE_MAX, 2 * SIDE_BY_SIDE_MAX, urls.length]) await begun(count);
    for (const { statusCode } of await answers) assert.equal(statusCode, 200);
  });

  it('are not begun where the client has gone meanwhile', async () => {
    const { fastify, steps } = server();
    const address = await fastify.listen({ port: 0, host: '127.0.0.1' });
    await assert.rejects(fetch(`${address}/leaves`));
    assert.equal((await fetch(`${address}/stays`)).status, 200);
    assert.deepEqual(steps, ['/leaves arrives', '/stays arrives', '/stays begins', '/stays goes on']);
    await fastify.close();
  });

  it('are begun also where each is alone', async () => {
    const { fastify } = server();
    await fastify.ready();
    for (const url of ['/a', '/b']) assert.equal((await fastify.inject(url)).statusCode, 200);
  });
});
