import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createClient } from './client.js';

const DATA = '{"months":["2026-01"],"transactions":[],"untracked_count":0}';
const change = (revision: number): object => ({ ...(JSON.parse(DATA) as object), revision });

/** Connections that say these texts and break; the last one stays open. Time passes as fast as somebody waits. */
function following({ mock }: TestContext, connections: readonly (readonly string[])[]) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const asked: (string | null)[] = [];
  const connected: boolean[] = [];
  const leaving = new AbortController();
  const client = createClient({
    url: 'http://ledger.test',
    fetch: async request => {
      const texts = connections[asked.length];
      asked.push(request.headers.get('Last-Event-ID'));
      if (texts === undefined) return Response.json({ code: 'not_a_member' }, { status: 403 });
      const bytes = texts.map(text => new TextEncoder().encode(text));
      return new Response(
        new ReadableStream({
          pull(controller) {
            const next = bytes.shift();
            if (next !== undefined) controller.enqueue(next);
            else controller.error(new TypeError('terminated'));
          },
        }),
      );
    },
  });
  const passing = new AbortController();
  const passed = (async () => {
    for (;;) {
      if (passing.signal.aborted) return;
      await nextTurn();
      mock.timers.tick(100);
    }
  })();
  const end = async (): Promise<void> => {
    passing.abort();
    leaving.abort();
    await passed;
  };
  const onConnection = (isConnected: boolean): void => void connected.push(isConnected);
  return { client, asked, connected, end, options: { signal: leaving.signal, onConnection } };
}

describe('the changes of a household', () => {
  it('go on behind the last one after each lost connection, and end where access is lost', async context => {
    const { client, asked, connected, end, options } = following(context, [
      ['id: 3\n\n'],
      ['id: 3\n\n', `id: 4\ndata: ${DATA}\n\n`, `id: 5\ndata: ${DATA}\n`],
      [],
      ['id: 4\r\n\r\nid: 5\r\nda', `ta: ${DATA}\r\n\r\nid: 7\r\n: heartbeat\r\n\r\n`],
    ]);
    const told: object[] = [];
    await assert.rejects(
      async () => {
        for await (const each of client.changes(options)) told.push(each);
      },
      { status: 403, code: 'not_a_member' },
    );
    await end();
    assert.deepEqual(told, [change(4), change(5)]);
    assert.deepEqual(asked, [null, '3', '4', '4', '7']);
    assert.deepEqual(connected, [true, false, true, false, true, false]);
  });

  it('begin where the caller says, and end when the caller leaves', async context => {
    const { client, asked, end, options } = following(context, [[`id: 0\ndata: ${DATA}\n\n`]]);
    for await (const each of client.changes({ ...options, after: -1 })) {
      assert.deepEqual(each, change(0));
      break;
    }
    const left = client.changes({ ...options, signal: AbortSignal.abort() });
    assert.equal((await left.next()).done, true);
    await end();
    assert.deepEqual(asked, ['-1']);
  });
});
