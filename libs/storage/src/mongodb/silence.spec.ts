import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { DocumentsUnavailable } from '../documents/documents.js';
import { COUNTED, everyOperation } from './every-operation.fixture.js';
import { MongoDocuments } from './mongo-documents.js';
import { SilentMongod } from './silent-mongod.fixture.js';

const CLOSED_MS_MAX = 60_000;
/** Operations that may walk a whole household. */
const WALKS: ReadonlySet<string> = new Set(['search']);

describe('Without answers', { concurrency: true }, () => {
  describe('a server that takes every command', silentServer);
  describe('something that is no MongoDB', { concurrency: true }, otherServers);
});

function silentServer(): void {
  let server: SilentMongod;
  let documents: MongoDocuments;
  before(async () => {
    server = await SilentMongod.start();
    documents = MongoDocuments.open({ url: server.url });
    await documents.ensure([COUNTED]);
  });
  after(async () => {
    await documents.close();
    await server.stop();
  });

  it('fails every operation at its deadline, and keeps none of the connections', async () => {
    const operations = Object.entries(everyOperation(documents)).filter(([name]) => name !== 'ensure');
    const failed: string[] = [];
    await Promise.all(
      operations.map(async ([name, operation]) => {
        await assert.rejects(operation(), unavailable(/does not respond in time\.$/), name);
        failed.push(name);
      }),
    );
    assert.deepEqual(new Set(failed.slice(-WALKS.size)), WALKS, 'which have the later deadline');
    assert.ok(server.unanswered.length >= operations.length);
    await closed(server.waiting);
  });
}

function otherServers(): void {
  for (const [what, behave] of [
    ['says nothing', () => undefined],
    ['closes every connection', (socket: Socket) => socket.destroy()],
    ['speaks another protocol', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ] as const) {
    it(`is unavailable when it ${what}`, async () => {
      const sockets = new Set<Socket>();
      const server = createServer(socket => {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => sockets.delete(socket));
        socket.resume();
        behave(socket);
      });
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      const documents = MongoDocuments.open({
        url: `mongodb://user:p4ss-w0rd@127.0.0.1:${(server.address() as AddressInfo).port}`,
      });
      try {
        await Promise.all([
          assert.rejects(documents.ping(), unavailable(/^MongoDB at 127\.0\.0\.1:\d+ [^\n]+\.$/)),
          assert.rejects(documents.ensure([COUNTED]), unavailable(/^MongoDB at 127\.0\.0\.1:\d+ [^\n]+\.$/)),
        ]);
      } finally {
        await documents.close();
        await closed(sockets);
        await new Promise<void>(resolve => server.close(() => resolve()));
      }
    });
  }
}

function unavailable(words: RegExp): (error: unknown) => boolean {
  return error => {
    assert.ok(error instanceof DocumentsUnavailable, String(error));
    assert.match(error.message, words);
    assert.doesNotMatch(`${error.stack}${String(error.cause)}`, /p4ss-w0rd/);
    return true;
  };
}

/** Waits until the client has closed them all. */
async function closed(sockets: ReadonlySet<Socket>): Promise<void> {
  const signal = AbortSignal.timeout(CLOSED_MS_MAX);
  await Promise.all(
    [...sockets].filter(socket => !socket.closed).map(async socket => once(socket, 'close', { signal })),
  );
}
