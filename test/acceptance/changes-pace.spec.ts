// What GET /changes does while nothing happens, and with clients that do not read.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { before, describe, it } from 'node:test';
import { ChangeFeed } from '#budget/changes/change-feed';
import { ChangesPace } from '#budget/changes/household-changes';
import { until } from '../until.js';
import { itemNamed, ok, useService, type Household } from './household.scenario.js';

/** Several times what an answer may hold back before it asks for no more, in characters. */
const UNREAD_LENGTH = 200_000;
/** So many that one message about all of them is large. */
const TRANSACTIONS = 120;

describe('GET /changes over time', () => {
  const service = useService({ isShared: false });
  let home: Household;
  let pace: ChangesPace;
  before(async () => {
    home = await service.household();
    pace = home.service.app.get(ChangesPace);
    assert.deepEqual([pace.heartbeatMs, pace.untakenMsMax], [15_000, 30_000]);
    pace.heartbeatMs = 50;
  });

  it('says again and again up to which revision everything was sent', async () => {
    const other = await service.household();
    const stream = await RawChanges.of(other);
    await stream.until(text => text.split('\nid: -1\n: heartbeat\n\n').length > 4);
    await other.createMonth('2026-01');
    await stream.until(text => text.split('\nid: 0\n: heartbeat\n\n').length > 4);
    stream.close();
    assert.match(stream.received, /\nid: 0\ndata: /);
    assert.doesNotMatch(stream.received.split('\nid: 0\n')[0]!, /^data:/m);
  });

  it('ends at a heartbeat when access is lost, though nothing happens', async () => {
    const guest = await service.member(home, 'Grace Hopper');
    const stream = await RawChanges.of(guest);
    await stream.until(text => text.includes(': heartbeat'));
    ok(await home.delete(`/households/${home.id}/members/${guest.user.id}`), 204);
    await stream.ended();
    assert.doesNotMatch(stream.received, /^data:/m);
    // The last chunk: the answer is whole, and not cut off.
    assert.ok(stream.received.endsWith('0\r\n\r\n'));
  });

  it('keeps no place for a client that left before it had one', async ({ mock }) => {
    const feed = home.service.app.get(ChangeFeed);
    const server = home.service.app.getHttpServer() as Server;
    const connected = once(server, 'connection');
    const listen = feed.listen.bind(feed);
    let isServed = false;
    mock.method(feed, 'listen', async (householdId: string, userId: string) => {
      const [socket] = (await connected) as [Socket];
      hasty.close();
      await once(socket, 'close');
      const listener = await listen(householdId, userId);
      isServed = true;
      return listener;
    });
    const hasty = await RawChanges.of(home);
    await until(() => isServed);
    await until(() => feed.clientCount === 0);
  });

  it('ends a client that takes nothing, which then resumes without loss', async () => {
    const lastId = await makeLargeHistory(home);
    const server = home.service.app.getHttpServer() as Server;
    // Nothing leaves the server: as if the buffers of the system, some megabytes, were full already.
    server.once('connection', (socket: Socket) => socket.cork());
    const { untakenMsMax } = pace;
    pace.untakenMsMax = 500;
    const slow = await RawChanges.of(home, { 'Last-Event-ID': '0' });
    const feed = home.service.app.get(ChangeFeed);
    await until(() => feed.clientCount === 1);
    await until(() => feed.clientCount === 0);
    await slow.ended();
    assert.equal(slow.received, '');
    pace.untakenMsMax = untakenMsMax;

    const next = await RawChanges.of(home, { 'Last-Event-ID': '0' });
    await next.until(text => idsIn(text).at(-1) === lastId);
    next.close();
    const all = idsIn(next.received);
    assert.deepEqual(
      all,
      Array.from(all, (_, index) => index + 1),
    );
  });
});

/** Undoes and redoes a reset of a month with many transactions until its messages are long. @returns the last id */
async function makeLargeHistory(home: Household): Promise<number> {
  const { id: item_id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
  const splits = [{ item_id, amount: 100 }];
  for (let done = 0; done < TRANSACTIONS; done += 40) {
    await Promise.all(Array.from({ length: 40 }, () => home.spend({ amount: 100, splits })));
  }
  ok(await home.post('/months/2026-01/reset', { mode: 'replace' }));
  let last = TRANSACTIONS + 1;
  for (let length = 0; length < UNREAD_LENGTH; length += TRANSACTIONS * 29) {
    const { activity } = ok(await home.get<Activity>('/activity?limit=1'));
    ok(await home.post(`/activity/${activity[0]!.event_id}/undo`));
    last++;
  }
  return last;
}

interface Activity {
  readonly activity: readonly { readonly event_id: string }[];
}

/** A stream of changes as it comes over the wire. */
class RawChanges {
  received = '';

  private constructor(readonly socket: Socket) {}

  static async of(home: Household, headers: Readonly<Record<string, string>> = {}): Promise<RawChanges> {
    const { host, hostname, port } = new URL(home.service.origin);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const changes = new RawChanges(socket);
    socket.setEncoding('utf8').on('data', (chunk: string) => (changes.received += chunk));
    socket.on('error', () => undefined);
    const sent = { Authorization: `Bearer ${home.user.token}`, 'X-Service-Household': home.id, ...headers };
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET /v1/changes HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}Connection: close\r\n\r\n`);
    return changes;
  }

  until(condition: (received: string) => boolean): Promise<void> {
    return until(() => condition(this.received), String(condition));
  }

  ended(): Promise<void> {
    return until(() => this.socket.destroyed, 'the connection is closed');
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The ids of the messages that arrived whole. */
function idsIn(received: string): number[] {
  return [...received.matchAll(/^id: (\d+)\n(?=data: .*\}\n\n)/gm)].map(([, id]) => Number(id));
}
