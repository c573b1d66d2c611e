import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  freshId,
  groupNamed,
  itemNamed,
  NOWHERE,
  ok,
  refused,
  useService,
  type Reply,
} from './household.scenario.js';

describe('ETag, If-None-Match and If-Match', () => {
  const service = useService();

  const tagOf = (reply: Reply<unknown>): string => {
    const tag = reply.headers.get('etag') ?? '';
    assert.match(tag, /^"\d+-[0-9a-f]+"$/);
    return tag;
  };
  const revisionOf = (tag: string): string => /^"(\d+)-/.exec(tag)![1]!;

  it('gives a write’s answer the tag that a read of the month has', async () => {
    const home = await service.household();
    const created = await home.post('/months/2026-01');
    assert.equal(tagOf(created), tagOf(await home.get('/months/2026-01')));
    const { id } = itemNamed(await home.month('2026-01'), 'Fuel');
    const planned = await home.patch(`/months/2026-01/items/${id}`, { planned: 5 });
    assert.notEqual(tagOf(planned), tagOf(created));
    assert.equal(tagOf(planned), tagOf(await home.get('/months/2026-01')));
  });

  it('answers 304 without a body while nothing of the answer changed', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const { transaction } = await home.spend({ amount: 5 });
    for (const path of ['/months/2026-01', `/transactions/${transaction.id}`]) {
      const tag = tagOf(await home.get(path));
      for (const sent of [tag, `W/${tag}`, `"0-0", ${tag}`, '*']) {
        const reply = await home.get(path, { 'If-None-Match': sent });
        assert.equal(reply.status, 304);
        assert.equal(reply.body, null);
        assert.equal(tagOf(reply), tag);
      }
      ok(await home.get(path, { 'If-None-Match': '"0-0"' }));
    }
  });

  it('answers a write whole, whatever If-None-Match says', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const path = `/months/2026-01/items/${id}`;
    const tag = tagOf(await home.patch(path, { planned: 5 }));
    for (const sent of ['*', tag]) {
      const reply = await home.patch(path, { planned: 5 }, { 'If-None-Match': sent });
      assert.deepEqual([reply.status, tagOf(reply)], [200, tag]);
      assert.notEqual(reply.body, null);
    }
  });

  it('lets joined names and the untracked count change the hash, not the revision', async () => {
    const home = await service.household();
    const { id } = groupNamed(await home.createMonth('2026-01'), 'Food');
    const before = tagOf(await home.get('/months/2026-01'));
    ok(await home.patch(`/groups/${id}`, { name: 'Meals' }));
    await home.spend({ amount: 5 });
    const after = tagOf(await home.get('/months/2026-01', { 'If-None-Match': before }));
    assert.notEqual(after, before);
    assert.equal(revisionOf(after), revisionOf(before));
    ok(await home.post('/months/2026-01/reset', { mode: 'replace' }, { 'If-Match': before }));
  });

  it('refuses writes of a month that changed meanwhile, and records nothing', async () => {
    const home = await service.household();
    const month = await home.createMonth('2026-01');
    const { id } = itemNamed(month, 'Fuel');
    const stale = { 'If-Match': tagOf(await home.get('/months/2026-01')) };
    ok(await home.patch(`/months/2026-01/items/${id}`, { planned: 5 }, stale));
    const item = `/months/2026-01/items/${id}`;
    const group = `/months/2026-01/groups/${groupNamed(month, 'Food').id}`;
    const writes = [
      home.post('/months/2026-01', undefined, stale),
      home.post('/months/2026-01/reset', { mode: 'zero' }, stale),
      home.post('/months/2026-01/groups', { name: 'New' }, stale),
      home.delete(group, stale),
      home.put('/months/2026-01/group-order', { group_ids: [] }, stale),
      home.post(`${group}/items`, { name: 'New' }, stale),
      home.put(`${group}/item-order`, { item_ids: [] }, stale),
      home.patch(item, { planned: 6 }, stale),
      home.delete(item, stale),
      home.post(`${item}/fund`, { current_balance: 0 }, stale),
      home.post(`${item}/fund-balance`, { current_balance: 0 }, stale),
      home.post(`${item}/harvest`, undefined, stale),
    ];
    for (const reply of await Promise.all(writes)) refused(reply, 412, 'precondition_failed');
    assert.equal(itemNamed(await home.month('2026-01'), 'Fuel').planned, 5);
    const fresh = { 'If-Match': tagOf(await home.get('/months/2026-01')) };
    ok(await home.patch(item, { planned: 7 }, fresh));
  });

  it('refuses writes of a transaction that changed meanwhile', async () => {
    const home = await service.household();
    const { transaction } = await home.spend({ amount: 5 });
    const path = `/transactions/${transaction.id}`;
    const first = { 'If-Match': tagOf(await home.get(path)) };
    ok(await home.patch(path, { note: 'seen' }, first));
    refused(await home.patch(path, { note: 'lost' }, first), 412, 'precondition_failed');
    refused(await home.delete(path, first), 412, 'precondition_failed');
    ok(await home.delete(path, { 'If-Match': tagOf(await home.get(path)) }));
    refused(await home.post(`${path}/restore`, undefined, first), 412, 'precondition_failed');
    ok(await home.post(`${path}/restore`, undefined, { 'If-Match': '*' }));
  });

  it('takes what is no tag for one that matches nothing, and * for anything that exists', async () => {
    const home = await service.household();
    refused(await home.post('/months/2026-01', undefined, { 'If-Match': '*' }), 412, 'precondition_failed');
    await home.createMonth('2026-01');
    const tag = tagOf(await home.get('/months/2026-01'));
    const reset = (sent: string): Promise<Reply<unknown>> =>
      home.post('/months/2026-01/reset', { mode: 'zero' }, { 'If-Match': sent });
    for (const sent of ['nonsense', '""', tag.slice(1, -1), `w/${tag}`, `W/W/${tag}`, '""" ,', '"1e0-a"']) {
      refused(await reset(sent), 412, 'precondition_failed');
    }
    ok(await reset(`"999999-0", ${tag}`));
    ok(await reset('*'));
    const [revision] = tagOf(await home.get('/months/2026-01')).split('-');
    ok(await reset(`${revision}-of another form"`));
    refused(await home.delete(`/transactions/${NOWHERE}`, { 'If-Match': '*' }), 404, 'not_found');
  });

  it('takes a tag that a proxy marked as weak, alone and in a list', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const { transaction } = await home.spend({ amount: 5 });
    const month = tagOf(await home.get('/months/2026-01'));
    const path = `/transactions/${transaction.id}`;
    const spent = tagOf(await home.get(path));
    const item = `/months/2026-01/items/${id}`;
    ok(await home.patch(item, { planned: 5 }, { 'If-Match': `W/${month}` }));
    ok(await home.patch(path, { note: 'seen' }, { 'If-Match': `"0-0",W/${spent} , W/"1-1"` }));
    refused(await home.patch(item, { planned: 6 }, { 'If-Match': `W/${month}` }), 412, 'precondition_failed');
    refused(await home.delete(path, { 'If-Match': `W/${spent}` }), 412, 'precondition_failed');
    const again = tagOf(await home.get(path));
    assert.equal((await home.get(path, { 'If-None-Match': `W/"0-0", W/${again}` })).status, 304);
  });

  it('lets exactly one of several writes on the same state through', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const sent = { 'If-Match': tagOf(await home.get('/months/2026-01')) };
    const writes = [1, 2, 3, 4, 5].map(planned =>
      home.patch(`/months/2026-01/items/${id}`, { planned }, sent),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 412, 412, 412, 412]);
  });

  it('repeats a command by its key although its own change made the tag stale', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const tag = tagOf(await home.get('/months/2026-01'));
    const sent = { 'If-Match': tag, 'Idempotency-Key': freshId() };
    ok(await home.patch(`/months/2026-01/items/${id}`, { planned: 5 }, sent));
    const repeated = await home.patch(`/months/2026-01/items/${id}`, { planned: 5 }, sent);
    assert.equal(repeated.headers.get('idempotent-replay'), 'true');
  });
});
