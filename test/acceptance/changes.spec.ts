import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChangeFeed } from '#budget/changes/change-feed';
import { until } from '../until.js';
import { invalid, itemNamed, NOBODY, ok, refused, useService, type Household } from './household.scenario.js';

interface Message {
  readonly id: string;
  readonly data: {
    readonly months: string[];
    readonly transactions: string[];
    readonly untracked_count: number;
  };
}

/** How long a stream may be followed, in milliseconds. */
const PATIENCE_MS = 120_000;

/** An open stream of changes. */
class Changes {
  private buffer = '';
  /** The id that the stream gave before any message. */
  private start = '';

  private constructor(
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly abort: AbortController,
  ) {}

  static async of(home: Household, headers: Record<string, string> = {}, query = ''): Promise<Changes> {
    const abort = new AbortController();
    const named: Record<string, string> = query === '' ? { 'X-Service-Household': home.id } : {};
    const sent = { Authorization: `Bearer ${home.user.token}`, ...named, ...headers };
    const url = `${home.service.origin}/v1/changes${query}`;
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const response = await fetch(url, { headers: sent, signal });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.equal(response.headers.get('x-accel-buffering'), 'no');
    assert.equal(response.headers.get('cache-control'), 'no-cache, no-transform');
    const changes = new Changes(response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>, abort);
    const [, start] = /^id: (-1|\d+)$/.exec((await changes.block()) ?? '') ?? [];
    changes.start = start ?? assert.fail('the stream begins without an id');
    return changes;
  }

  get startId(): string {
    return this.start;
  }

  /** The next message; null at the end of the stream. Heartbeats are skipped. */
  async next(): Promise<Message | null> {
    for (;;) {
      const block = await this.block();
      if (block === null) return null;
      const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? [];
      if (id !== undefined) return { id, data: JSON.parse(data!) as Message['data'] };
    }
  }

  close(): void {
    this.abort.abort();
  }

  private async block(): Promise<string | null> {
    while (!this.buffer.includes('\n\n')) {
      const { done, value } = await this.reader.read();
      if (done) return null;
      this.buffer += new TextDecoder().decode(value);
    }
    const end = this.buffer.indexOf('\n\n');
    const block = this.buffer.slice(0, end);
    this.buffer = this.buffer.slice(end + 2);
    return block;
  }
}

describe('GET /changes', () => {
  const service = useService();

  it('tells one message a command, and resumes without loss', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const live = await Changes.of(home);
    ok(await home.patch(`/months/2026-01/items/${id}`, { planned: 5, note: 'both' }));
    const { transaction } = await home.spend({ amount: 5 });
    const expected = [
      { id: '2', data: { months: ['2026-01'], transactions: [], untracked_count: 0 } },
      { id: '3', data: { months: [], transactions: [transaction.id], untracked_count: 1 } },
    ];
    assert.equal((await live.next())!.id, '2');
    assert.deepEqual(await live.next(), expected[1]);
    live.close();
    const resumed = await Changes.of(home, { 'Last-Event-ID': '0' });
    assert.deepEqual([(await resumed.next())!.data.months, await resumed.next()], [['2026-01'], expected[1]]);
    resumed.close();
  });

  it('lets a client resume that lost its connection before any message', async () => {
    const home = await service.household();
    const early = await Changes.of(home);
    assert.equal(early.startId, '-1');
    early.close();
    await home.createMonth('2026-01');
    const fromBeginning = await Changes.of(home, { 'Last-Event-ID': early.startId });
    assert.equal((await fromBeginning.next())!.id, '0');
    fromBeginning.close();

    const later = await Changes.of(home);
    assert.equal(later.startId, '0');
    later.close();
    const { transaction } = await home.spend({ amount: 5 });
    const resumed = await Changes.of(home, { 'Last-Event-ID': later.startId });
    // Not the present revision: the client has not been sent that message yet.
    assert.equal(resumed.startId, '0');
    const message = (await resumed.next())!;
    assert.deepEqual([message.id, message.data.transactions], ['1', [transaction.id]]);
    resumed.close();
    const ahead = await Changes.of(home, { 'Last-Event-ID': '999' });
    assert.equal(ahead.startId, '1');
    ahead.close();
  });

  it('answers HEAD with the headers alone', async () => {
    const home = await service.household();
    const headers = { Authorization: `Bearer ${home.user.token}`, 'X-Service-Household': home.id };
    const { status, text } = await fetch(`${home.service.origin}/v1/changes`, {
      method: 'HEAD',
      headers,
    }).then(async response => ({ status: response.status, text: await response.text() }));
    assert.deepEqual([status, text], [200, '']);
    const feed = home.service.app.get(ChangeFeed);
    await until(() => feed.clientCount === 0);
  });

  it('tells the months that show something else, also where no figure changed', async () => {
    const home = await service.household();
    const first = await home.createMonth('2026-01');
    await home.createMonth('2026-02');
    const { id } = itemNamed(first, 'Fuel');
    const group = first.groups.find(({ items }) => items.some(item => item.id === id))!;
    const stream = await Changes.of(home);
    const item = `/months/2026-01/items/${id}`;
    const both = ['2026-01', '2026-02'];
    const told = async (answer: Parameters<typeof ok>[0]): Promise<readonly string[]> => {
      ok(answer);
      return (await stream.next())!.data.months;
    };
    assert.deepEqual(await told(await home.patch(item, { note: 'by card' })), ['2026-01']);
    assert.deepEqual(await told(await home.patch(`/items/${id}`, { favorite: true })), both);
    assert.deepEqual(await told(await home.patch(`/groups/${group.id}`, { color: '#0a0b0c' })), both);
    const itemIds = group.items.map(({ id: itemId }) => itemId).reverse();
    const order = `/months/2026-02/groups/${group.id}/item-order`;
    assert.deepEqual(await told(await home.put(order, { item_ids: itemIds })), ['2026-02']);
    const { activity } = ok<{ activity: { event_id: string }[] }>(await home.get('/activity'));
    for (const { event_id } of activity.slice(0, 2)) ok(await home.post(`/activity/${event_id}/undo`));
    assert.deepEqual((await stream.next())!.data.months, ['2026-02']);
    assert.deepEqual((await stream.next())!.data.months, both);
    stream.close();
  });

  it('tells the months that had it then, whatever became of them before it was told', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    await home.createMonth('2026-02');
    const both = ['2026-01', '2026-02'];
    ok(await home.patch(`/items/${id}`, { name: 'Petrol' }));
    ok(await home.patch(`/items/${id}`, { favorite: true }));
    ok(await home.delete(`/months/2026-02/items/${id}`));
    await home.createMonth('2026-03');
    const expected = [both, both, ['2026-02'], ['2026-03']];
    const streams = [1, 2].map(() => Changes.of(home, { 'Last-Event-ID': '1' }));
    for (const stream of await Promise.all(streams)) {
      for (const months of expected) assert.deepEqual((await stream.next())!.data.months, months);
      stream.close();
    }
  });

  it('ends when access is lost', async () => {
    const home = await service.household();
    const guest = await service.member(home, 'Grace Hopper');
    const stream = await Changes.of(guest);
    ok(await home.delete(`/households/${home.id}/members/${guest.user.id}`), 204);
    await home.createMonth('2026-01');
    assert.equal(await stream.next(), null);
  });

  it('takes the household from the query, and refuses others', async () => {
    const home = await service.household();
    const stream = await Changes.of(home, {}, `?household=${home.id}`);
    await home.createMonth('2026-03');
    assert.deepEqual((await stream.next())!.data.months, ['2026-03']);
    stream.close();
    refused(await home.get('/changes', NOBODY), 401, 'unauthenticated');
    for (const id of ['x', '-2', '--1', '1.5', '-']) {
      const answer = await home.get('/changes', { 'Last-Event-ID': id });
      assert.deepEqual(invalid(answer), ['Last-Event-ID']);
      assert.equal(answer.headers.get('x-accel-buffering'), null);
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
    }
  });
});

describe('a stream of GET /changes that is open when the service stops', () => {
  const service = useService({ isShared: false });

  it('ends with the service, which does not wait for it', async () => {
    const home = await service.household();
    const stream = await Changes.of(home);
    await home.service.stop();
    assert.equal(await stream.next(), null);
  });
});
